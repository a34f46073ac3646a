"""Chains: presets, schedules, seeds, empty rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from jsonsift.sampling import (
    XTC,
    Ban,
    Bias,
    History,
    MinP,
    Penalties,
    Sampler,
    SeededStream,
    Step,
    Temperature,
    TopK,
    TopNSigma,
    TopP,
    TypicalP,
    constant,
    cosine,
    exponential,
    linear,
    piecewise,
)

from . import reference
from .shapes import SHAPES, make

ROW = np.log([0.4, 0.3, 0.2, 0.1])


def ids_of(chain: Any, row: Any = ROW, **options: Any) -> list[int]:
    return list(Sampler(chain, **options).candidates(row).ids.tolist())


def names(sampler: Sampler) -> list[str]:
    return [type(step).__name__ for step in sampler.chain]


# Presets


def test_presets_sort_the_steps() -> None:
    """Whatever order they are given in."""
    steps: tuple[Step, ...] = (
        Ban([]),
        Bias({}),
        Penalties(),
        Temperature(1.0),
        TopP(1.0),
        TopK(9),
    )
    steps += (MinP(0.0),)
    assert names(Sampler(steps, order="hf")) == (
        ["Bias", "Penalties", "Ban", "Temperature", "TopK", "TopP", "MinP"]
    )
    assert names(Sampler(steps, order="vllm")) == (
        ["Ban", "Bias", "Penalties", "Temperature", "MinP", "TopK", "TopP"]
    )
    assert names(Sampler((*steps, XTC(), TopNSigma(1.0)), order="llamacpp")) == (
        [
            "Bias",
            "Ban",
            "Penalties",
            "TopNSigma",
            "TopK",
            "TopP",
            "MinP",
            "XTC",
            "Temperature",
        ]
    )
    kept = Sampler((*steps[:3], TopK(2), Temperature(2.0)))
    assert names(kept) == ["Ban", "Bias", "Penalties", "TopK", "Temperature"]


@pytest.mark.parametrize(
    ("order", "step"),
    [
        ("hf", TopNSigma(1.0)),
        ("hf", XTC()),
        ("vllm", XTC()),
        ("vllm", TypicalP(0.9)),
        ("vllm", TopNSigma(1.0)),
        ("hf", Penalties(presence=1.0)),
        ("hf", Penalties(frequency=1.0)),
    ],
)
def test_a_preset_refuses_what_the_engine_lacks(order: Any, step: Step) -> None:
    """Rather than leave it out in silence."""
    with pytest.raises(ValueError, match="has no"):
        Sampler([step], order=order)
    Sampler([step])


def test_temperature_last_changes_what_is_kept() -> None:
    """llama.cpp filters at temperature 1, the others after heating."""
    chain = (Temperature(3.0), TopP(0.65))
    assert ids_of(chain, order="hf") == [0, 1, 2]
    assert ids_of(chain, order="llamacpp") == [0, 1]
    kept = Sampler(chain, order="llamacpp").candidates(ROW)
    assert kept.probabilities().tolist() == pytest.approx(
        (np.cbrt([0.4, 0.3]) / np.cbrt([0.4, 0.3]).sum()).tolist()
    )


def test_ties_at_k() -> None:
    """transformers and vLLM keep all, llama.cpp k; a step can say otherwise."""
    row = np.array([1.0, 0.0, 0.0, 0.0])
    assert ids_of([TopK(2)], row, order="hf") == [0, 1, 2, 3]
    assert ids_of([TopK(2)], row, order="vllm") == [0, 1, 2, 3]
    assert ids_of([TopK(2)], row, order="llamacpp") == [0, 1]
    assert ids_of([TopK(2)], row) == [0, 1]
    assert ids_of([TopK(2, ties="exact")], row, order="hf") == [0, 1]
    assert ids_of([TopK(2, ties="all")], row) == [0, 1, 2, 3]


def test_min_p_before_or_after_top_p() -> None:
    """vLLM's top-p counts the mass that min-p left, transformers' all of it."""
    chain = (TopP(0.75), MinP(0.6))
    # min-p leaves 0.4 and 0.3, of which 0.4 is 57 %.
    assert ids_of(chain, order="vllm") == [0, 1]
    chain = (TopP(0.55), MinP(0.6))
    assert ids_of(chain, order="vllm") == [0]
    assert ids_of(chain, order="hf") == [0, 1]


def test_top_p_counts_what_top_k_left() -> None:
    """Renormalised in all three presets."""
    for order in ("hf", "vllm", "llamacpp"):
        assert ids_of((TopK(2), TopP(0.55)), order=order) == [0]
        assert ids_of((TopP(0.55),), order=order) == [0, 1]


def test_typical_crossing_differs() -> None:
    """llama.cpp goes on when the mass is reached exactly."""
    row = np.array([0.0, 0.0, 0.0, 0.0])
    assert ids_of([TypicalP(0.5)], row) == [0, 1]
    assert ids_of([TypicalP(0.5)], row, order="llamacpp") == [0, 1, 2]
    assert ids_of([TypicalP(0.5)], row, order="hf") == [0, 1, 2, 3]


def test_penalty_scopes_of_the_presets() -> None:
    """llama.cpp counts prompt and output, but the last 64 ids only."""
    history = History(prompt=[0] + [3] * 63, output=[1])
    chain = (Penalties(presence=5.0),)
    raw = Sampler(chain, order="vllm").candidates(ROW, history=history)
    assert raw.ids.tolist() == [0, 2, 3, 1]
    raw = Sampler(chain, order="llamacpp").candidates(ROW, history=history)
    assert raw.ids.tolist() == [0, 2, 1, 3]
    wide = (Penalties(presence=5.0, window=65),)
    raw = Sampler(wide, order="llamacpp").candidates(ROW, history=history)
    assert raw.ids.tolist() == [2, 0, 1, 3]


def test_greedy_thresholds_of_the_presets() -> None:
    """vLLM is greedy below 1e-5, the others at 0 and less."""
    row = np.array([0.0, 0.0])
    assert ids_of([Temperature(1e-6)], row, order="vllm") == [0]
    assert ids_of([Temperature(1e-6)], row, order="hf") == [0, 1]
    assert ids_of([Temperature(0.0)], row, order="llamacpp") == [0]


def test_greedy_last_takes_the_best_of_what_is_left() -> None:
    """XTC dropped the top choice before llama.cpp's temperature of 0."""
    chain = (XTC(0.25, 1.0), Temperature(0.0))
    assert ids_of(chain, order="llamacpp") == [1]


@pytest.mark.parametrize("size", [50, 3000, 20_011])
@pytest.mark.parametrize("shape", SHAPES)
def test_long_chains_agree_with_references(shape: str, size: int) -> None:
    """Filters after a cut of a large row see what the cut left."""
    row = make(shape, size, 3)
    slack = 1.0 - 1e-9
    for chain, plain in (
        ((MinP(0.01), TopP(0.8)), lambda: _then_top_p(row, 0.01, 0.8)),
        ((TopNSigma(2.0), TopK(700)), lambda: reference.top_n_sigma(row, 2.0)[:700]),
        (
            (MinP(0.003), TopNSigma(1.2)),
            lambda: _then(row, reference.min_p(row, 0.003), 1.2),
        ),
        (
            (TopP(0.95), TopP(0.9)),
            lambda: _top_p_twice(row, 0.95, 0.9),
        ),
        ((TopP(0.9), MinP(0.5)), lambda: _shorter(row, 0.9, 0.5 * slack)),
        ((TopP(0.9), TopK(30)), lambda: reference.top_p(row, 0.9)[:30]),
    ):
        got = ids_of(chain, row)
        expected = plain().tolist()
        if got != expected:
            # Only a hit of the threshold to the last bits may differ, by ties.
            assert shape in ("equal", "ties", "high", "lone")
            assert abs(len(got) - len(expected)) <= 1


def _then(row: Any, kept: Any, n: float) -> Any:
    return kept[reference.top_n_sigma(row[kept], n)]


def _then_top_p(row: Any, p: float, mass: float) -> Any:
    kept = reference.min_p(row, p)
    return kept[reference.top_p(row[kept], mass)]


def _top_p_twice(row: Any, first: float, second: float) -> Any:
    kept = reference.top_p(row, first)
    return kept[reference.top_p(row[kept], second)]


def _shorter(row: Any, mass: float, p: float) -> Any:
    kept = reference.top_p(row, mass)
    return kept[: reference.min_p(row[kept], p).size]


def test_xtc_after_a_large_cut() -> None:
    """A cut that is still a row of its own loses its top choices too."""
    row = make("normal1", 20_011)
    row[[5, 6]] = row.max() + 8.0
    kept = Sampler([MinP(1e-9), XTC(0.1, 1.0)]).candidates(row).ids
    expected = reference.min_p(row, 1e-9)
    assert kept.tolist() == expected[1:].tolist()


# Schedules


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (constant(0.7), [0.7, 0.7, 0.7]),
        (linear(1.0, 0.0, 4), [1.0, 0.5, 0.0]),
        (exponential(1.0, 0.5, floor=0.1), [1.0, 0.25, 0.1]),
        (cosine(1.0, 0.0, 4), [1.0, 0.5, 0.0]),
        (piecewise([(0, 1.0), (2, 0.5), (100, 0.25)]), [1.0, 0.5, 0.25]),
        (lambda step: 2.0 - step / 100, [2.0, 1.98, 1.0]),
    ],
)
def test_schedules(schedule: Any, expected: list[float]) -> None:
    """At steps 0, 2 and 100, by itself and in a chain."""
    assert [schedule(step) for step in (0, 2, 100)] == pytest.approx(expected)
    sampler = Sampler([Temperature(schedule)])
    for step, heat in zip((0, 2, 100), expected, strict=True):
        kept = sampler.candidates(ROW, step=step)
        if heat == 0.0:
            assert kept.ids.tolist() == [0]
        else:
            assert kept.temperature == pytest.approx(heat)


@pytest.mark.parametrize(
    "build",
    [
        lambda: constant(-1.0),
        lambda: linear(1.0, math.nan, 4),
        lambda: linear(1.0, 0.5, 0),
        lambda: exponential(1.0, 1.5),
        lambda: exponential(1.0, 0.9, floor=-1.0),
        lambda: piecewise([]),
        lambda: piecewise([(1, 1.0)]),
        lambda: piecewise([(0, 1.0), (0, 0.5)]),
    ],
)
def test_bad_schedules_are_refused_when_built(build: Any) -> None:
    """Not at token 400."""
    with pytest.raises(ValueError, match="must"):
        build()


def test_a_schedule_needs_a_step() -> None:
    """Given, or known from the history; never taken to be 0."""
    sampler = Sampler([Temperature(linear(1.0, 0.0, 4))])
    with pytest.raises(ValueError, match="step="):
        sampler(ROW)
    kept = sampler.candidates(ROW, history=History(output=[1, 1]))
    assert kept.temperature == 0.5
    with pytest.raises(ValueError, match="row 0: the temperature at step 3 must"):
        Sampler([Temperature(lambda step: math.nan)])(ROW, step=3)


def test_rows_have_their_own_parameters_and_steps() -> None:
    """Numbers and schedules side by side."""
    sampler = Sampler(
        [Temperature([0.5, linear(1.0, 0.0, 4)]), TopK([1, 3])], seed=[1, 2]
    )
    first, second = sampler.candidates(np.stack([ROW, ROW]), step=[9, 1])
    assert (first.temperature, second.temperature) == (0.5, 0.75)
    assert (len(first), len(second)) == (1, 3)
    with pytest.raises(ValueError, match="for 2 rows, the batch 3"):
        sampler(np.stack([ROW] * 3), step=0)
    with pytest.raises(ValueError, match="different sizes"):
        Sampler([TopK([1, 2]), TopP([0.5, 0.6, 0.7])])
    with pytest.raises(ValueError, match="different sizes"):
        Sampler([XTC([0.1, 0.2], [0.5])])


def test_parameters_for_no_rows_are_for_an_empty_batch() -> None:
    """Not an error of the constructor."""
    sampler = Sampler([Penalties([]), Temperature([]), TopK([])], seed=[])
    assert sampler(np.empty((0, 5)), step=[]).shape == (0,)
    with pytest.raises(ValueError, match="for 0 rows, the batch 1"):
        sampler(ROW, step=0)


def test_every_step_takes_parameters_for_each_row() -> None:
    """And gives each row what it would get alone."""
    rows = np.stack([make("lm", 3000, seed) for seed in (1, 2)])
    histories = [History([1, 2], [3]), History([], [4, 4])]
    for both, alone in (
        (TopP([0.5, 0.9]), [TopP(0.5), TopP(0.9)]),
        (MinP([0.5, 0.1]), [MinP(0.5), MinP(0.1)]),
        (TypicalP([0.5, 0.9]), [TypicalP(0.5), TypicalP(0.9)]),
        (TopNSigma([1.0, 2.0]), [TopNSigma(1.0), TopNSigma(2.0)]),
        (XTC([0.1, 0.01], 1.0), [XTC(0.1, 1.0), XTC(0.01, 1.0)]),
        (Ban([[1], [2, 3]]), [Ban([1]), Ban([2, 3])]),
        (Bias([{1: 9.0}, {2: 9.0}]), [Bias({1: 9.0}), Bias({2: 9.0})]),
        (
            Penalties([1.5, 2.0], frequency=[0.1, 0.2]),
            [Penalties(1.5, frequency=0.1), Penalties(2.0, frequency=0.2)],
        ),
    ):
        batch = Sampler([both]).candidates(rows, history=histories)
        for row in range(2):
            single = Sampler([alone[row]]).candidates(rows[row], history=histories[row])
            assert batch[row].ids.tolist() == single.ids.tolist()
            assert batch[row].logits.tolist() == single.logits.tolist()


# Seeds


def test_a_request_draws_the_same_in_any_batch() -> None:
    """Neighbours, their number, their seeds and the place do not matter."""
    rows = np.stack([make("normal1", 5003, seed) for seed in range(6)])
    sampler = Sampler([Temperature(0.9), XTC(0.01, 0.5), TopP(0.95)])
    alone = [sampler(rows[r], seed=[40 + r], step=r) for r in range(6)]
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1], [2], [4, 0]):
        seeds = [40 + r for r in order]
        got = sampler(rows[order], seed=seeds, step=order)
        assert got.tolist() == [alone[r] for r in order]
    mixed = sampler(rows[:3], seed=[40, None, 42], step=[0, 1, 2])
    assert [mixed[0], mixed[2]] == [alone[0], alone[2]]


def test_a_row_without_a_seed_has_the_samplers_whatever_its_neighbours_have() -> None:
    """A seed beside it neither takes it away nor gives one."""
    rows = np.stack([make("flat", 5003, seed) for seed in range(3)])
    sampler = Sampler(seed=9)
    own = sampler(rows, step=4)
    mixed = sampler(rows, seed=[1, None, None], step=4)
    assert mixed.tolist()[1:] == own.tolist()[1:]
    assert mixed[0] == Sampler()(rows[0], seed=[1], step=4)
    assert sampler(rows, seed=[None] * 3, step=4).tolist() == own.tolist()
    listed = Sampler(seed=[5, 6, None])
    assert listed(rows, seed=[None, 1, 2], step=4)[0] == listed(rows, step=4)[0]


def numpy_schedule(step: int) -> Any:
    return np.float32(0.7)


def test_numbers_of_numpy_serve_as_parameters() -> None:
    """Without their precision or range creeping into the arithmetic."""
    row = make("lm", 20_011)
    number = numpy_schedule(0)
    large: Any = np.int64(2**62)
    for given, plain in (
        (TopK(large), TopK(2**62)),
        (TopK([large]), TopK(2**62)),
        (TopP(number), TopP(float(number))),
        (MinP(number), MinP(float(number))),
        (Temperature(number), Temperature(float(number))),
        (Temperature(numpy_schedule), Temperature(float(number))),
    ):
        got, expected = (Sampler([s]).candidates(row, step=1) for s in (given, plain))
        assert got.ids.tolist() == expected.ids.tolist()
        assert type(got.temperature) is float
        assert got.temperature == expected.temperature


def test_a_seed_makes_a_draw_repeatable_and_steps_differ() -> None:
    """A function of (seed, step)."""
    row = make("flat", 5003)
    sampler = Sampler(seed=3)
    drawn = [sampler(row, step=step) for step in range(20)]
    assert drawn == [sampler(row, step=step) for step in range(20)]
    assert len(set(drawn)) > 15
    assert drawn[4] != Sampler(seed=4)(row, step=4)
    assert drawn[4] == Sampler()(row, seed=3, step=4)
    assert drawn[4] == sampler(row, history=History([], [1] * 4))
    batch = sampler(np.stack([row, row, row]), step=4)
    assert batch[0] == drawn[4]
    assert len(set(batch.tolist())) == 3


def test_a_seed_without_a_step_is_an_error() -> None:
    """Otherwise every token would be drawn with the same numbers."""
    with pytest.raises(ValueError, match="give step="):
        Sampler(seed=1)(ROW)
    with pytest.raises(ValueError, match="give step="):
        Sampler()(np.stack([ROW, ROW]), seed=[None, 1])
    assert Sampler(seed=1)(ROW, rng=5) == Sampler()(ROW, rng=5)


def test_candidates_ask_for_a_step_only_where_a_draw_decides() -> None:
    chain = (Temperature(0.7), TopK(3), TopP(0.9))
    plain = Sampler(chain).candidates(ROW)
    kept = Sampler(chain, seed=3).candidates(ROW)
    assert kept.ids.tolist() == plain.ids.tolist()
    given = Sampler(chain).candidates(np.stack([ROW, ROW]), seed=[3, None])
    assert given[0].ids.tolist() == plain.ids.tolist()
    for probability, left in ((0.0, [0, 1, 2]), (1.0, [1, 2])):
        row = np.log([0.5, 0.3, 0.2])
        certain = Sampler([XTC(0.25, probability)], seed=3)
        assert certain.candidates(row).ids.tolist() == left
    chance = Sampler([XTC(0.25, [0.0, 0.5])], seed=3)
    with pytest.raises(ValueError, match="give step="):
        chance.candidates(np.stack([ROW, ROW]))
    assert len(chance.candidates(np.stack([ROW, ROW]), step=0)) == 2
    with pytest.raises(ValueError, match="needs step="):
        Sampler([Temperature(linear(1.0, 0.5, 9))], seed=3).candidates(ROW)
    with pytest.raises(ValueError, match="seed has 2 values for a batch of 3 rows"):
        Sampler(chain).candidates(np.stack([ROW] * 3), seed=[1, 2])
    with pytest.raises(ValueError, match="not both"):
        Sampler(chain).candidates(ROW, seed=[1], rng=2)


def test_seeds_are_checked() -> None:
    """Range, type and number."""
    for bad in (-1, 2**64):
        with pytest.raises(ValueError, match=r"2\*\*64"):
            Sampler(seed=bad)
    with pytest.raises(TypeError, match="integer"):
        Sampler(seed=[1.5])  # type: ignore[list-item]
    rng = np.random.default_rng(1)
    wrong: Any
    for wrong in (1.0, np.float64(3), rng, np.array(5), "1234", {1}, {1: 2}):
        with pytest.raises(TypeError, match=r"seed must be an integer in \[0"):
            Sampler(seed=wrong)
        with pytest.raises(TypeError, match=r"seed must be an integer in \[0"):
            Sampler()(ROW, seed=wrong, step=0)
        with pytest.raises(TypeError, match=r"seed must be an integer in \[0"):
            SeededStream(wrong)
    with pytest.raises(TypeError, match="step must be an integer"):
        SeededStream(1, 1.0)  # type: ignore[arg-type]
    streams = SeededStream(1, np.int64(4)), SeededStream(1, 4)  # type: ignore[arg-type]
    assert streams[0].random(3).tolist() == streams[1].random(3).tolist()
    with pytest.raises(ValueError, match="not both"):
        Sampler()(ROW, seed=1, rng=1, step=0)
    with pytest.raises(ValueError, match="2 values for a batch of 1"):
        Sampler()(ROW, seed=[1, 2], step=0)
    with pytest.raises(ValueError, match="step"):
        Sampler(seed=1)(ROW, step=-1)
    with pytest.raises(ValueError, match="at least 0"):
        SeededStream(1, -1)


def test_a_seed_as_rng_does_not_go_with_a_step() -> None:
    """It would be the same draw at every step."""
    batch = np.stack([ROW, ROW])
    bad: Any
    for bad in (5, np.int64(5), [None, 5]):
        for step in (0, [1, 2]):
            with pytest.raises(ValueError, match="same numbers at every step"):
                Sampler()(batch, rng=bad, step=step)
            with pytest.raises(ValueError, match="same numbers at every step"):
                Sampler().candidates(batch, rng=bad, step=step)
    rng = np.random.default_rng(2)
    assert Sampler()(batch, rng=rng, step=4).shape == (2,)
    assert Sampler()(batch, rng=[rng, None], step=4).shape == (2,)


WRONG_HISTORIES: list[Any] = [
    {0: History()},
    {"prompt": [1], "output": [2]},
    [History(), [[1, 2]]],
    [History(), {"output": [1]}],
    [History(), History([1], None)],
    [History(), History(None, [1])],
    [History(), History([], [[1, 2]])],
    [History(), History([], np.zeros((1, 2), int))],
    [History(), History([], {1: 2})],
    [History(), History([], "12")],
    [History(), History([], 3)],
    [History(), History([], [1.5])],
]


@pytest.mark.parametrize("history", WRONG_HISTORIES)
def test_a_wrong_history_names_its_row(history: Any) -> None:
    """Also where only its length would be read."""
    message = "row 1" if isinstance(history, list) else "must be a History"
    batch = np.stack([ROW, ROW])
    penalties = [Penalties(1.2)]
    with pytest.raises(TypeError, match=message):
        Sampler(penalties)(batch, history=history)
    if history is not WRONG_HISTORIES[-1]:
        with pytest.raises(TypeError, match=message):
            Sampler(seed=1)(batch, history=history)


# Empty rows


def test_bans_that_leave_nothing_raise_with_the_row() -> None:
    """The default."""
    sampler = Sampler([Ban([[0], [0, 1, 2, 3]])])
    with pytest.raises(ValueError, match="row 1: every logit is -inf"):
        sampler(np.stack([ROW, ROW]))


def test_bans_that_leave_nothing_can_be_greedy() -> None:
    """The best of the row as it came in; other rows are as ever."""
    sampler = Sampler(
        [Ban([[0, 2, 3], [0, 1, 2, 3]]), TopK(3)], on_empty="greedy", seed=1
    )
    assert sampler(np.stack([ROW, ROW[::-1]]), step=0).tolist() == [1, 3]
    for bad in (np.nan, np.inf, -np.inf):
        row = np.full(4, bad)
        with pytest.raises(ValueError, match="row 0"):
            Sampler([Ban([0])], on_empty="greedy")(row)


def test_what_a_sampler_is_made_of_is_checked() -> None:
    """At construction."""
    with pytest.raises(ValueError, match="order must be one of 'hf'"):
        Sampler(order="gguf")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="on_empty"):
        Sampler(on_empty="zero")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="made of steps"):
        Sampler([0.8])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="before the other steps"):
        Sampler([TopK(3), Ban([1])])
    with pytest.raises(ValueError, match="history="):
        Sampler([Penalties(1.2)])(ROW)
    with pytest.raises(ValueError, match="history has 1"):
        Sampler([Penalties(1.2)])(np.stack([ROW, ROW]), history=History())
    for build in (
        lambda: TopK(0),
        lambda: TopK(2, ties="no"),  # type: ignore[arg-type]
        lambda: TopP(-1.0),
        lambda: MinP(2.0),
        lambda: TypicalP(-1.0),
        lambda: TopNSigma(-1.0),
        lambda: XTC(0.0),
        lambda: XTC(0.1, 2.0),
        lambda: Penalties(0.0),
        lambda: Penalties([1.1, -1.0]),
        lambda: Penalties(window=0),
        lambda: Penalties(window=-1),
        lambda: Penalties(scope=""),  # type: ignore[arg-type]
        lambda: Bias({1: math.nan}),
    ):
        with pytest.raises(ValueError, match=r"must"):
            build()
    with pytest.raises(TypeError, match="integer"):
        TopK(1.5)  # type: ignore[arg-type]


def test_no_steps_is_the_softmax() -> None:
    """No hidden top_k=50."""
    row = make("normal1", 3000)
    kept = Sampler().candidates(row)
    assert len(kept) == 3000
    assert np.allclose(
        kept.probabilities(), reference.probabilities(row)[kept.ids], rtol=1e-12
    )


def test_the_order_of_edits_is_kept() -> None:
    """A bias after a penalty is not penalised."""
    history = History([], [0])
    row = np.array([2.0, 0.0])
    after = Sampler([Penalties(2.0), Bias({0: 4.0})])
    assert after.candidates(row, history=history).logits[0] == 5.0
    before = Sampler([Bias({0: 4.0}), Penalties(2.0)])
    assert before.candidates(row, history=history).logits[0] == 3.0
    assert row.tolist() == [2.0, 0.0]
