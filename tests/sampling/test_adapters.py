"""The adapters do what the engines expect of a logits processor.

transformers is the real thing, with a tiny random model. vLLM and sglang are not
installed here: their calls are made as their sources document them.
"""

from __future__ import annotations

import enum
import importlib.util
import pickle
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from jsonsift.sampling import (
    History,
    MinP,
    Penalties,
    Sampler,
    Temperature,
    TopK,
    TopP,
    TypicalP,
    exponential,
)

CHAIN = (Temperature(0.8), TopK(5), TopP(0.9), MinP(0.05))
LOGITS = np.random.default_rng(0).normal(0, 2, (4, 40)).astype(np.float32)


class Direction(enum.Enum):
    """vLLM's MoveDirectionality."""

    UNIDIRECTIONAL = 0
    SWAP = 1


@dataclass
class Params:
    """What the processor reads of vLLM's SamplingParams."""

    seed: int | None = None
    extra_args: dict[str, Any] | None = None


@dataclass
class BatchUpdate:
    """vLLM's BatchUpdate."""

    batch_size: int
    removed: list[int] = field(default_factory=list)
    added: Any = ()
    moved: list[tuple[int, int, Direction]] = field(default_factory=list)


def forced(rows: np.ndarray) -> list[int]:
    """Return the ids of one-hot rows, after checking that they are that."""
    assert ((rows == 0.0).sum(axis=1) == 1).all()
    assert (np.isneginf(rows).sum(axis=1) == rows.shape[1] - 1).all()
    return [int(one) for one in rows.argmax(axis=1)]


def test_vllm_forces_what_each_request_would_draw_alone() -> None:
    """Rows follow their request's seed and step, not their slot."""
    processor = Sampler(CHAIN, order="vllm").as_vllm()(None, "cpu", False)
    assert processor.is_argmax_invariant() is False
    outputs: list[list[int]] = [[], [], []]
    added = [(slot, Params(seed=slot + 7), [1, 2], outputs[slot]) for slot in range(3)]
    processor.update_state(BatchUpdate(3, added=added))
    alone = Sampler(CHAIN, order="vllm")
    for step in range(4):
        processor.update_state(None)
        got = forced(processor.apply(LOGITS[:3].copy()))
        for slot in range(3):
            assert got[slot] == alone(LOGITS[slot], seed=[slot + 7], step=step)
            outputs[slot].append(got[slot])


def test_vllm_requests_leave_and_move() -> None:
    """removed, then added, then moved, in one way or as a swap."""
    processor = Sampler(CHAIN).as_vllm()()
    alone = Sampler(CHAIN)

    def draws(rows: int) -> list[int]:
        return forced(processor.apply(LOGITS[:rows].copy()))

    def expected(*seeds: int) -> list[int]:
        return [alone(LOGITS[row], seed=[s], step=0) for row, s in enumerate(seeds)]

    added: Any = [(slot, Params(seed=100 + slot), None, []) for slot in range(4)]
    processor.update_state(BatchUpdate(4, added=added))
    assert draws(4) == expected(100, 101, 102, 103)
    swap = [(0, 3, Direction.SWAP)]
    processor.update_state(BatchUpdate(4, moved=swap))
    assert draws(4) == expected(103, 101, 102, 100)
    move = [(3, 1, Direction.UNIDIRECTIONAL)]
    processor.update_state(BatchUpdate(3, removed=[1], moved=move))
    assert draws(3) == expected(103, 100, 102)


def test_vllm_request_can_opt_out() -> None:
    """Its row comes back as it was."""
    processor = Sampler(CHAIN).as_vllm()()
    out = {"jsonsift": False}
    added: Any = [(0, Params(seed=1), [], []), (1, Params(extra_args=out), [], [])]
    processor.update_state(BatchUpdate(2, added=added))
    rows = processor.apply(LOGITS[:2].copy())
    assert np.array_equal(rows[1], LOGITS[1])
    assert np.isneginf(rows[0]).sum() == rows.shape[1] - 1


def test_a_request_without_a_seed_has_the_samplers() -> None:
    """A neighbour's seed does not take it away; negative seeds are seeds."""
    for seeds in ([None, None], [5, None], [-1, None]):
        processor = Sampler(CHAIN, seed=3).as_vllm()()
        added: Any = [(slot, Params(seed=s), [], []) for slot, s in enumerate(seeds)]
        processor.update_state(BatchUpdate(2, added=added))
        got = forced(processor.apply(LOGITS[:2].copy()))
        assert got[1] == Sampler(CHAIN, seed=3)(LOGITS[:2], step=0)[1]
        if seeds[0] == -1:
            assert got[0] == Sampler(CHAIN)(LOGITS[0], seed=[2**64 - 1], step=0)


def test_vllm_penalties_see_prompt_and_output() -> None:
    """The live output list is read at each step."""
    sampler = Sampler([Penalties(repetition=1e6), TopK(1)])
    processor = sampler.as_vllm()()
    output: list[int] = []
    best = np.argsort(-LOGITS[0]).tolist()
    added = [(0, Params(), [best[0]], output)]
    processor.update_state(BatchUpdate(1, added=added))
    for expected in best[1:4]:
        assert forced(processor.apply(LOGITS[:1].copy())) == [expected]
        output.append(expected)


def test_classes_derive_from_the_base_an_engine_asks_for() -> None:
    """vLLM refuses classes that are not subclasses of its own."""

    class Base:
        def to_str(self) -> str:
            return "base"

    sampler = Sampler(CHAIN)
    assert issubclass(sampler.as_vllm(base=Base), Base)
    bound: Any = sampler.as_sglang(base=Base)()
    assert bound.to_str() == "base"
    with pytest.raises(ValueError, match="mode must be"):
        sampler.as_sglang(mode="other")  # type: ignore[arg-type]


@dataclass
class Request:
    """What the processor reads of sglang's Req."""

    origin_input_ids: list[int]
    output_ids: list[int]


def test_sglang_rows_follow_their_request() -> None:
    """Each row has its own step, history and seed."""
    cooling = (Temperature(exponential(2.0, 0.5)), TopK(20))
    processor = Sampler(cooling).as_sglang()()
    params = [{"__req__": Request([1], [2] * row), "seed": 5 + row} for row in range(4)]
    before = LOGITS.copy()
    got = forced(processor(LOGITS, params))
    alone = Sampler(cooling)
    expected = [alone(LOGITS[row], seed=[5 + row], step=row) for row in range(4)]
    assert got == expected
    assert np.array_equal(LOGITS, before)


def test_sglang_mask_keeps_processed_logits() -> None:
    """Survivors keep logit / T; the rest is -inf. Params may be missing."""
    sampler = Sampler(CHAIN)
    rows = sampler.as_sglang(mode="mask")()(LOGITS, [None] * 4)
    for row, kept in zip(rows, sampler.candidates(LOGITS), strict=True):
        assert np.flatnonzero(row > -np.inf).tolist() == sorted(kept.ids.tolist())
        weights = np.exp(row[kept.ids] - row.max())
        assert np.allclose(weights / weights.sum(), kept.probabilities(), rtol=1e-5)


@pytest.mark.parametrize("bad", ["7", [1], 7.5, True])
def test_a_bad_seed_of_one_client_does_not_stop_the_batch(bad: Any) -> None:
    """It is warned of; that row draws as if it had none."""
    sampler = Sampler(CHAIN, seed=3)
    with pytest.warns(RuntimeWarning, match="row 1: drawn without its seed"):
        got = forced(sampler.as_sglang()()(LOGITS[:2], [{"seed": 5}, {"seed": bad}]))
    assert got == sampler(LOGITS[:2], step=0, seed=[5, None]).tolist()
    processor = sampler.as_vllm()()
    added: Any = [(0, Params(seed=5), [], []), (1, Params(seed=bad), [], [])]
    with pytest.warns(RuntimeWarning, match="row 1: drawn without its seed"):
        processor.update_state(BatchUpdate(2, added=added))
    assert forced(processor.apply(LOGITS[:2].copy())) == got


@pytest.mark.skipif(
    importlib.util.find_spec("dill") is None, reason="dill is not installed"
)
def test_sglang_class_survives_dill() -> None:
    """sglang sends the class itself, dilled, to its server."""
    import dill  # type: ignore[import-not-found,import-untyped,unused-ignore]

    bound = Sampler(CHAIN, order="hf", seed=3).as_sglang()
    again = dill.loads(dill.dumps(bound))()
    params = [{"__req__": Request([], [9])}] * 4
    assert again(LOGITS, params).tolist() == bound()(LOGITS, params).tolist()


def test_samplers_can_be_pickled() -> None:
    """Engines start worker processes."""
    sampler = Sampler((Temperature(exponential(1.0, 0.9)), TopK(5)), order="hf", seed=3)
    again = pickle.loads(pickle.dumps(sampler))
    assert again(LOGITS, step=2).tolist() == sampler(LOGITS, step=2).tolist()
    assert repr(again) == repr(sampler)


def test_hf_counts_steps_from_the_first_call() -> None:
    """A call that is not one id longer begins a new prompt."""
    steps: list[int] = []

    def schedule(step: int) -> float:
        steps.append(step)
        return 1.0

    processor = Sampler([Temperature(schedule)]).as_hf()
    for length in (3, 4, 5, 3, 4):
        processor(np.zeros((1, length), dtype=np.int64), LOGITS[:1])
    assert steps == [0, 1, 2, 0, 1]
    steps.clear()
    processor = Sampler([Temperature(schedule)]).as_hf(prompt_length=2)
    processor(np.zeros((1, 5), dtype=np.int64), LOGITS[:1])
    assert steps == [3]
    with pytest.raises(ValueError, match="prompt_length is 2"):
        processor(np.zeros((1, 1), dtype=np.int64), LOGITS[:1])

    for bad in (-1, 2.0, "2", True):
        with pytest.raises((TypeError, ValueError), match="prompt_length must be"):
            Sampler().as_hf(prompt_length=bad)  # type: ignore[arg-type]


def test_hf_goes_back_past_rejected_candidates_but_not_to_another_prompt() -> None:
    """A call with other ids than those seen begins a new prompt."""
    steps: list[int] = []

    def schedule(step: int) -> float:
        steps.append(step)
        return 1.0

    processor = Sampler([Temperature(schedule)]).as_hf()
    for ids in (
        [1, 2, 3],
        [1, 2, 3, 4],
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5, 6],  # candidates; 5 is rejected for 7
        [1, 2, 3, 4, 7],
        [1, 2, 3, 4, 7, 8],
        [1, 2, 9, 4, 7],  # another prompt
        [1, 2, 9, 4, 7, 3],
        [5, 5, 5, 5, 5, 5, 5],  # and one that is longer by one
        [1, 2],
    ):
        processor(np.array([ids]), LOGITS[:1])
    assert steps == [0, 1, 2, 3, 2, 3, 0, 1, 0, 0]


def test_hf_beams_may_change_places() -> None:
    """Their texts do, their prompts are the same."""
    steps: list[int] = []

    def schedule(step: int) -> float:
        steps.append(step)
        return 1.0

    processor = Sampler([Temperature(schedule)]).as_hf()
    for ids in ([[1], [1]], [[1, 2], [1, 3]], [[1, 3, 4], [1, 3, 5]]):
        processor(np.array(ids), LOGITS[:2])
    assert steps == [0, 0, 1, 1, 2, 2]


# Real transformers from here on.


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture(scope="module")
def transformers(torch: Any) -> Any:
    return pytest.importorskip("transformers", reason="transformers is not installed")


@pytest.fixture(scope="module")
def model(torch: Any, transformers: Any) -> Any:
    """A random GPT-2 of 2 layers and 97 tokens; no download."""
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=97,
        n_positions=64,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=0,
        eos_token_id=96,
    )
    built = transformers.GPT2LMHeadModel(config).eval()
    # A fresh model's logits are nearly flat: make filters have something to do.
    built.lm_head.weight.data *= 40.0
    return built


def generate(model: Any, torch: Any, processor: Any, **options: Any) -> Any:
    torch.manual_seed(1)
    prompt = torch.tensor([[5, 6, 7], [8, 9, 10]])
    return model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        logits_processor=[processor],
        max_new_tokens=8,
        min_new_tokens=8,
        pad_token_id=0,
        return_dict_in_generate=True,
        output_logits=True,
        output_scores=True,
        **options,
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("do_sample", [False, True])
def test_generate_emits_what_the_sampler_draws(
    model: Any, torch: Any, do_sample: bool
) -> None:
    """In mode "force", greedy search or not, and whatever generate adds."""
    chain = (Penalties(repetition=1.3), *CHAIN)
    sampler = Sampler(chain, order="hf", seed=[11, 12])
    out = generate(model, torch, sampler.as_hf(), do_sample=do_sample)
    ids = out.sequences.numpy()
    for step, raw in enumerate(out.logits):
        raw[:, 96] = -torch.inf  # min_new_tokens bans the end of sequence
        histories = [History(row[:3], row[3 : 3 + step]) for row in ids]
        expected = sampler(raw.numpy(), step=step, history=histories)
        assert ids[:, 3 + step].tolist() == expected.tolist()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("do_sample", [False, True])
@pytest.mark.parametrize("assistant", ["prompt lookup", "model"])
def test_assisted_decoding_emits_the_same(
    model: Any,
    torch: Any,
    assistant: str,
    do_sample: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Candidates are rejected on the way, and the steps stay what they are."""
    prompt = torch.tensor([[5, 6, 7, 5, 6, 7, 5, 6]])
    steps: list[int] = []

    def schedule(step: int) -> float:
        steps.append(step)
        return 0.8

    chain = (Temperature(schedule), TopK(5))

    def text(**options: Any) -> list[int]:
        steps.clear()
        out = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            logits_processor=[Sampler(chain, seed=4).as_hf()],
            max_new_tokens=12,
            min_new_tokens=12,
            pad_token_id=0,
            do_sample=do_sample,
            **options,
        )
        ids: list[int] = out[0].tolist()
        return ids

    plain = text()
    assert steps == list(range(12))
    options: dict[str, Any] = {"prompt_lookup_num_tokens": 3}
    if assistant == "model":
        monkeypatch.setattr(model.generation_config, "num_assistant_tokens", 3)
        options = {"assistant_model": model}
    assert text(**options) == plain
    assert sorted(set(steps)) == list(range(12))
    assert steps != list(range(12))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_mask_equals_the_warpers_of_transformers(
    model: Any, torch: Any, transformers: Any
) -> None:
    """In mode "mask" the scores are those of generate's own warpers."""
    sampler = Sampler(
        (
            Penalties(repetition=1.3),
            *CHAIN,
        ),
        order="hf",
    )
    ours = generate(model, torch, sampler.as_hf(mode="mask"), do_sample=True, top_k=0)
    nothing = Sampler().as_hf(mode="mask")
    theirs = generate(
        model,
        torch,
        nothing,
        do_sample=True,
        repetition_penalty=1.3,
        temperature=0.8,
        top_k=5,
        top_p=0.9,
        min_p=0.05,
    )
    assert ours.sequences.tolist() == theirs.sequences.tolist()
    for mine, other in zip(ours.scores, theirs.scores, strict=True):
        assert torch.equal(mine.isneginf(), other.isneginf())
        chances = mine.softmax(-1), other.softmax(-1)
        assert torch.allclose(*chances, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("shape", ["lm", "normal1", "ties", "masked"])
def test_hf_order_equals_the_warpers_on_large_rows(
    torch: Any, transformers: Any, shape: str
) -> None:
    """The same sets as transformers' classes called directly, ties included."""
    from .shapes import make

    row = make(shape, 5003)
    scores = torch.from_numpy(row)[None]
    warpers = transformers.generation.logits_process
    for warper, step in (
        (warpers.TopKLogitsWarper(50), TopK(50)),
        (warpers.TopPLogitsWarper(0.35), TopP(0.35)),
        (warpers.MinPLogitsWarper(0.0317), MinP(0.0317)),
        (warpers.TypicalLogitsWarper(0.35), TypicalP(0.35)),
    ):
        expected = np.flatnonzero(warper(None, scores)[0].numpy() > -np.inf)
        kept = Sampler([step], order="hf").candidates(row)
        if isinstance(step, TopP) and shape == "ties":
            # Their sort breaks ties in no stated order: compare logits.
            assert sorted(row[expected]) == sorted(kept.logits)
            continue
        assert sorted(kept.ids.tolist()) == expected.tolist()


def test_tensors_keep_kind_dtype_and_content(torch: Any) -> None:
    """bfloat16 and half in, the same out; the input is not written to."""
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        scores = torch.from_numpy(LOGITS).to(dtype)
        before = scores.clone()
        out = Sampler(CHAIN).as_hf()(torch.zeros((4, 2), dtype=torch.long), scores)
        assert out.dtype == dtype
        assert torch.equal(scores, before)
        forced(out.float().numpy())


@pytest.mark.parametrize("temperature", [5e-324, 1e-50, 1e-4])
def test_a_low_temperature_masks_without_infinities(
    torch: Any, temperature: float
) -> None:
    """Logits over T would leave float16: the peak is put at 0 instead."""
    sampler = Sampler([Temperature(temperature), TopK(3)])
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        scores = torch.from_numpy(LOGITS).to(dtype)
        out = sampler.as_hf(mode="mask")(torch.zeros((4, 2), dtype=torch.long), scores)
        assert out.argmax(-1).tolist() == scores.argmax(-1).tolist()
        chances = out.float().softmax(-1)
        assert torch.isfinite(chances).all()
        for row, kept in zip(chances, sampler.candidates(scores), strict=True):
            assert np.allclose(row[kept.ids].numpy(), kept.probabilities(), atol=1e-3)


def test_functions_take_tensors(torch: Any) -> None:
    """Without torch in this package: gradients and bfloat16 too."""
    from jsonsift.sampling import greedy, sample, softmax, top_k

    tensor = torch.from_numpy(LOGITS).requires_grad_()
    assert greedy(tensor).tolist() == LOGITS.argmax(axis=1).tolist()
    assert top_k(tensor.bfloat16()[0], 3).logits.dtype == np.float32
    assert sample(tensor, rng=3).tolist() == sample(LOGITS, rng=3).tolist()
    assert np.allclose(
        softmax(tensor), tensor.detach().double().softmax(-1).numpy(), rtol=1e-12
    )
