"""Every function: what it accepts, what it refuses, what its edges return."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jsonsift import sampling
from jsonsift.sampling import (
    XTC,
    Ban,
    Bias,
    Candidates,
    Penalties,
    Sampler,
    Temperature,
    TopK,
    ban,
    greedy,
    gumbel_max,
    log_softmax,
    logit_bias,
    logprobs,
    min_p,
    penalize,
    sample,
    softmax,
    top_k,
    top_n_sigma,
    top_p,
    typical_p,
    xtc,
)
from jsonsift.sampling._blocks import lowest_not_below
from jsonsift.sampling._rows import as_matrix

from .shapes import make


def penalize_evenly(logits: Any) -> Any:
    """Penalize id 0 in every row."""
    single = np.ndim(logits) == 1
    output: Any = [0] if single else [[0]] * len(logits)
    return penalize(logits, [] if single else [[]] * len(logits), output, presence=1.0)


# Every function of logits alone, with arguments that work on any row.
CALLS: dict[str, Callable[[Any], Any]] = {
    "sample": lambda logits: sample(logits, rng=1),
    "sample-n": lambda logits: sample(logits, rng=1, n=3),
    "sample-cold": lambda logits: sample(logits, 0.0),
    "gumbel_max": lambda logits: gumbel_max(logits, rng=1),
    "greedy": greedy,
    "top_k": lambda logits: top_k(logits, 3),
    "top_p": lambda logits: top_p(logits, 0.9),
    "min_p": lambda logits: min_p(logits, 0.1),
    "typical_p": lambda logits: typical_p(logits, 0.9),
    "top_n_sigma": lambda logits: top_n_sigma(logits, 1.0),
    "xtc": lambda logits: xtc(logits, 0.01, 1.0),
    "softmax": softmax,
    "log_softmax": log_softmax,
    "Sampler": lambda logits: Sampler([Temperature(0.7), TopK(5)])(logits, rng=1),
    "candidates": lambda logits: Sampler([TopK(5)]).candidates(logits),
    "penalize": lambda logits: penalize_evenly(logits),
    "logit_bias": lambda logits: logit_bias(logits, {0: 1.0}),
    "ban": lambda logits: ban(logits, [0]),
}
# Those that need a distribution; edits do not look at the values.
DRAWS = [name for name in CALLS if name not in ("penalize", "logit_bias", "ban")]


def plain(result: Any) -> Any:
    """Return a result as comparable Python values."""
    if isinstance(result, Candidates):
        return result.ids.tolist(), result.logits.tolist()
    if isinstance(result, list):
        return [plain(one) for one in result]
    return result.tolist() if isinstance(result, np.ndarray) else result


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_layout_does_not_matter_and_nothing_is_written(name: str, dtype: str) -> None:
    """Strided, Fortran, read-only, byte-swapped: one result, input untouched."""
    call = CALLS[name]
    logits = np.stack([make("normal1", 300, s, dtype) for s in range(4)])
    expected = plain(call(logits))
    wide = np.repeat(logits, 2, axis=1)[:, ::2]
    layouts = [
        wide,
        np.asfortranarray(logits),
        logits.astype(f">{logits.dtype.str[1:]}"),
    ]
    for layout in layouts:
        layout.flags.writeable = False
        before = layout.copy()
        assert plain(call(layout)) == expected
        assert np.array_equal(layout, before)
    row = logits[:, 0]
    before = row.copy()
    assert plain(call(row)) == plain(call(row.copy()))
    assert np.array_equal(row, before)


@pytest.mark.parametrize("name", CALLS)
def test_a_batch_is_its_rows(name: str) -> None:
    """Row 0 of a batch gives what the row alone gives."""
    logits = np.stack([make("lm", 500, seed) for seed in range(3)])
    batch = CALLS[name](logits)
    assert len(batch) == 3
    single = CALLS[name](logits[0])
    assert plain(batch[0]) == plain(single)


@pytest.mark.parametrize("name", CALLS)
def test_an_empty_batch_gives_an_empty_result(name: str) -> None:
    """[0, V] is no rows, not an error."""
    assert len(CALLS[name](np.empty((0, 7), dtype=np.float32))) == 0


def test_an_empty_batch_keeps_its_type() -> None:
    """What is returned for no rows can be used like any other."""
    empty = np.empty((0, 7), dtype=np.float32)
    for drawn in (sample(empty), greedy(empty), Sampler()(empty), gumbel_max(empty)):
        assert drawn.shape == (0,)
        assert drawn.dtype == np.int64
    assert sample(empty, n=2).shape == (0, 2)
    assert softmax(empty).shape == (0, 7)
    assert logprobs(empty, []).shape == (0,)
    assert logprobs(empty, np.empty((0, 3), int)).shape == (0, 3)


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.nan, "row 1: NaN at id 2"),
        (np.inf, r"row 1: \+inf at id 2"),
        (-np.inf, "row 1: every logit is -inf"),
    ],
)
def test_a_bad_row_is_named(name: str, bad: float, message: str) -> None:
    """Never a silent token 0."""
    logits = np.zeros((3, 5), dtype=np.float32)
    logits[1, 2] = bad
    if bad == -np.inf:
        logits[1] = bad
    with pytest.raises(ValueError, match=message):
        CALLS[name](logits)


@pytest.mark.parametrize("name", DRAWS)
def test_no_vocabulary_is_an_error(name: str) -> None:
    """There is nothing to choose from."""
    with pytest.raises(ValueError, match="V = 0"):
        CALLS[name](np.empty(0, dtype=np.float32))


@pytest.mark.parametrize("name", DRAWS)
def test_a_vocabulary_of_one(name: str) -> None:
    """Has one answer."""
    result = CALLS[name](np.array([-3.5]))
    if isinstance(result, Candidates):
        assert result.ids.tolist() == [0]
        assert result.probabilities().tolist() == [1.0]
    elif name in ("softmax", "log_softmax"):
        assert result.tolist() == [1.0 if name == "softmax" else 0.0]
    else:
        assert np.all(np.asarray(result) == 0)


@pytest.mark.parametrize(
    ("logits", "error"),
    [
        (np.zeros((2, 2, 2)), ValueError),
        (np.float32(1.0), ValueError),
        (np.zeros(3, dtype=complex), TypeError),
        (np.array(["a"]), TypeError),
        (np.ma.masked_array(np.zeros(3), [True, False, False]), TypeError),
    ],
)
def test_what_is_not_logits_is_refused(logits: Any, error: type[Exception]) -> None:
    """With an error that says what was expected."""
    with pytest.raises(error):
        sample(logits)


class WithArray:
    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.values


class WithDLPack:
    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


class WithNumpy:
    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def numpy(self) -> np.ndarray:
        return self.values


@pytest.mark.parametrize("kind", [WithArray, WithDLPack, WithNumpy, np.ndarray.tolist])
def test_array_likes_are_taken(kind: Callable[[np.ndarray], Any]) -> None:
    """__array__, DLPack, .numpy() and lists."""
    values = make("normal1", 50, dtype="float64")
    assert top_k(kind(values), 4).ids.tolist() == top_k(values, 4).ids.tolist()


def test_integers_are_logits_too() -> None:
    """Scores from anywhere."""
    assert greedy([1, 5, 2]) == 1


@pytest.mark.parametrize("temperature", [0.0, -1.0, -0.0])
def test_no_temperature_is_greedy(temperature: float) -> None:
    """T <= 0 is the largest logit, the lowest id among equals."""
    row = np.array([1.0, 4.0, 4.0, 2.0], dtype=np.float32)
    assert sample(row, temperature) == 1
    assert sample(row, temperature, n=3).tolist() == [1, 1, 1]
    assert gumbel_max(row, temperature) == 1
    assert Sampler([Temperature(temperature)])(row) == 1
    assert Sampler([TopK(3), Temperature(temperature)])(row) == 1
    for kept in (top_p(row, 0.9, temperature), typical_p(row, 0.9, temperature)):
        assert kept.ids.tolist() == [1]


@pytest.mark.parametrize("temperature", [1e-3, 1e-30, 1e-300, 5e-324])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_temperature_near_zero_is_its_limit(temperature: float, dtype: str) -> None:
    """T -> 0 draws among the equals of the peak alone, without a warning."""
    row = make("ties", 5003, dtype=dtype)
    row[[17, 4000]] = 30.0
    for drawn in (
        sample(row, temperature, rng=2, n=200),
        top_p(row, 0.9, temperature).ids,
        min_p(row, 0.1, temperature).ids,
        typical_p(row, 0.9, temperature).ids,
        Sampler([Temperature(temperature)]).candidates(row).sample_many(200, rng=1),
        Sampler([TopK(100), Temperature(temperature)])
        .candidates(row)
        .sample_many(200, rng=1),
    ):
        assert set(drawn.tolist()) == {17, 4000}
    assert gumbel_max(row, temperature, rng=4) in (17, 4000)
    assert softmax(row, temperature)[17] == 0.5


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("temperature", [0.05, 0.7, 3.0])
@pytest.mark.parametrize("p", [0.5, 0.95, 0.999])
def test_a_mask_of_the_lowest_number_is_a_mask(
    dtype: str, temperature: float, p: float
) -> None:
    """Divided by a temperature it overflows: no warning, and the set of -inf."""
    for spread in (0.3, 3.0):
        rng = np.random.default_rng(41)
        masked = rng.normal(0.0, spread, 20_011).astype(dtype)
        hidden = rng.random(masked.size) < 0.97
        masked[hidden] = np.finfo(masked.dtype).min
        absent = masked.copy()
        absent[hidden] = -np.inf
        calls: list[Callable[[Any], Candidates]] = [
            lambda row: top_p(row, p, temperature),
            lambda row: min_p(row, 1.0 - p, temperature),
            lambda row: typical_p(row, p, temperature),
            lambda row: top_k(row, 50),
        ]
        for call in calls:
            assert call(absent).ids.tolist() == call(masked).ids.tolist()
        draws = [
            sample(row, temperature, rng=5, n=50).tolist() for row in (absent, masked)
        ]
        assert draws[0] == draws[1]


def test_a_high_temperature_is_flat() -> None:
    """T large draws about evenly, and does not overflow."""
    row = make("normal3", 5003)
    drawn = sample(row, 1e30, rng=3, n=50_000)
    counts = np.bincount(drawn, minlength=5003)
    assert abs(counts[row > 0].sum() / 50_000 - (row > 0).mean()) < 0.02


@pytest.mark.parametrize("temperature", [np.nan, np.inf, -np.inf])
def test_a_temperature_must_be_a_number(temperature: float) -> None:
    """NaN and the infinities are nobody's intention."""
    for call in (sample, gumbel_max, softmax, lambda x, t: top_p(x, 0.9, t)):
        with pytest.raises(ValueError, match="temperature"):
            call(np.zeros(3), temperature)
    with pytest.raises(ValueError, match="temperature"):
        Temperature(temperature)


@pytest.mark.parametrize(
    "call",
    [
        lambda row: top_k(row, 0),
        lambda row: top_p(row, -0.1),
        lambda row: top_p(row, float("nan")),
        lambda row: top_p(row, 0.9, min_keep=0),
        lambda row: min_p(row, 1.5),
        lambda row: typical_p(row, -1.0),
        lambda row: top_n_sigma(row, -1.0),
        lambda row: xtc(row, 0.0),
        lambda row: xtc(row, 0.1, 1.5),
        lambda row: top_k(row, 2, ties="some"),  # type: ignore[arg-type]
        lambda row: sample(row, n=0),
        lambda row: softmax(row, 0.0),
        lambda row: penalize(row, [], [], repetition=0.0),
        lambda row: penalize(row, [], [], presence=float("inf")),
        lambda row: penalize(row, [], [9]),
        lambda row: penalize(row, [-1], []),
        lambda row: penalize(row, [], [], scope="prompt"),  # type: ignore[arg-type]
        lambda row: penalize(row, [], [], window=0),
        lambda row: logit_bias(row, {0: float("nan")}),
        lambda row: logit_bias(row, {0: float("inf")}),
        lambda row: logit_bias(row, {3: 1.0}),
        lambda row: ban(row, [3]),
        lambda row: logprobs(row, [3]),
        lambda row: gumbel_max(row, noise=np.zeros(2)),
        lambda row: gumbel_max(row, noise=np.full(3, np.nan)),
        lambda row: sample(row, rng=-1),
        lambda row: sample(row, rng=[1, 2]),
        lambda row: sample(row, [1.0, 2.0]),
    ],
)
def test_arguments_out_of_range_are_errors(call: Callable[[Any], Any]) -> None:
    """No clamping in silence."""
    with pytest.raises(ValueError, match=r"must|outside|noise|rng has|temperature has"):
        call(np.zeros(3))


ONE_BAD_OF_TWO: dict[str, Callable[[Any], Any]] = {
    "temperature": lambda rows: sample(rows, [0.5, math.nan]),
    "k": lambda rows: top_k(rows, [1, 0]),
    "p": lambda rows: top_p(rows, np.array([0.5, -1.0]).tolist()),
    "n": lambda rows: top_n_sigma(rows, (1.0, math.inf)),
    "threshold": lambda rows: xtc(rows, [0.1, 0.0]),
    "bias": lambda rows: logit_bias(rows, [{0: 1.0}, {0: math.nan}]),
    "probability": lambda rows: XTC(0.1, [0.5, 1.5]),
    "repetition": lambda rows: Penalties(repetition=[1.1, 0.0]),
}


@pytest.mark.parametrize("name", ONE_BAD_OF_TWO)
def test_a_bad_parameter_of_one_row_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=r"row 1") as caught:
        ONE_BAD_OF_TWO[name](np.zeros((2, 5)))
    assert name in str(caught.value)


@pytest.mark.parametrize("value", ["1", b"1", None, 1j, [[1.0], [1.0]]])
def test_what_is_not_a_number_is_refused(value: Any) -> None:
    """A string of digits is not a list of rows either."""
    rows = np.zeros((1, 5)) if not isinstance(value, list) else np.zeros((2, 5))
    for call in (
        lambda: sample(rows, value),
        lambda: top_p(rows, value),
        lambda: softmax(rows, value),
        lambda: penalize(rows[0], [], [0], repetition=value),
    ):
        with pytest.raises(TypeError, match="must be a number"):
            call()
    for build in (TopK, top_k_of_zeros):
        with pytest.raises(TypeError, match="must be an integer"):
            build(value)


def top_k_of_zeros(k: Any) -> Any:
    """Return the candidates of a batch of zeros."""
    return top_k(np.zeros((2 if isinstance(k, list) else 1, 5)), k)


def test_numbers_of_tensors_serve_as_parameters() -> None:
    torch = pytest.importorskip("torch")
    rows = np.zeros((2, 5))
    kept = top_k(rows, torch.tensor([2, 4]))
    assert [len(one) for one in kept] == [2, 4]
    assert sample(rows, torch.tensor([0.0, -1.0])).tolist() == [0, 0]
    with pytest.raises(ValueError, match="k has 2 values for a batch of 3 rows"):
        top_k(np.zeros((3, 5)), torch.tensor([2, 4]))


def test_edges_of_k_and_p() -> None:
    """k > V and p >= 1 keep all that is possible, p = 0 one token."""
    row = np.array([1.0, -np.inf, 3.0, 2.0])
    everything = [2, 3, 0]
    assert top_k(row, 100).ids.tolist() == everything
    for kept in (
        top_p(row, 1.0),
        top_p(row, 1.5),
        typical_p(row, 1.0),
        min_p(row, 0.0),
    ):
        assert kept.ids.tolist() == everything
    assert top_p(row, 0.0).ids.tolist() == [2]
    assert len(typical_p(row, 0.0)) == 1
    assert top_p(row, 0.0, min_keep=2).ids.tolist() == [2, 3]
    assert top_p(row, 0.0, min_keep=9).ids.tolist() == everything


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floors_are_rounded_upwards(dtype: type[np.floating[Any]]) -> None:
    """A float32 logit just below a float64 floor must not pass it."""
    floors = [*np.random.default_rng(1).normal(0.0, 50.0, 2000), 0.1, 0.0, -1e300]
    for floor in floors:
        limit = lowest_not_below(float(floor), np.dtype(dtype))
        assert limit.dtype == dtype
        assert float(limit) >= floor
        if limit > np.finfo(dtype).min:
            assert float(np.nextafter(limit, dtype(-np.inf))) < floor
    assert lowest_not_below(-np.inf, np.dtype(dtype)) == np.finfo(dtype).min


def test_temperatures_of_a_chain_do_not_underflow_to_nothing() -> None:
    """1e-200 times 1e-200 is 0 in float64; the limit is what is meant."""
    row = make("ties", 3000)
    row[[5, 6]] = 30.0
    for steps in ((), (TopK(40),)):
        twice = [*steps, Temperature(1e-200), Temperature(1e-200)]
        drawn = [Sampler(twice)(row, rng=seed) for seed in range(40)]
        assert set(drawn) == {5, 6}


def test_parameters_can_be_one_for_each_row() -> None:
    """Lists and tuples; a wrong number of them is an error."""
    logits = np.stack([make("normal1", 100, seed) for seed in range(2)])
    assert [len(kept) for kept in top_k(logits, [2, 5])] == [2, 5]
    assert [len(kept) for kept in top_k(logits, (2, 5))] == [2, 5]
    ids = sample(logits, [0.0, 1.0], rng=[None, 7])
    assert ids[0] == logits[0].argmax()
    assert ids[1] == sample(logits[1], rng=7)
    with pytest.raises(ValueError, match="3 values for a batch of 2 rows"):
        top_k(logits, [1, 2, 3])


def test_any_source_of_uniforms_serves() -> None:
    """Generators, RandomState, one's own class; random.Random says why not."""
    import random

    class Fixed:
        def random(self, n: int, /) -> np.ndarray:
            return np.full(n, 0.25)

    row = make("normal1", 100)
    assert sample(row, rng=Fixed()) == sample(row, rng=Fixed())
    assert 0 <= sample(row, rng=np.random.RandomState(1)) < 100
    state = np.random.default_rng(5), np.random.default_rng(5)
    assert (
        sample(row, rng=state[0], n=9).tolist()
        == sample(row, rng=state[1], n=9).tolist()
    )
    with pytest.raises(TypeError, match="default_rng"):
        sample(row, rng=random.Random(1))  # type: ignore[arg-type]
    for bad in ("seed", b"12", 1.0, np.float64(3), np.array(5), {1, 2}, {1: 2}, [1.5]):
        with pytest.raises(TypeError, match=r"rng must be a seed .an integer in"):
            sample(row, rng=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "numbers",
    [
        lambda n: np.ones(n),
        lambda n: np.full(n, -0.1),
        lambda n: np.full(n, np.nan),
        lambda n: np.zeros(n + 1),
        lambda n: 0.5,
    ],
)
def test_a_source_that_is_none_is_an_error(numbers: Callable[[int], Any]) -> None:
    """Not an id out of range, and not a favoured one."""

    class Source:
        def random(self, n: int, /) -> Any:
            return numbers(n)

    row = make("normal1", 3000)
    calls: list[Callable[[], Any]] = [
        lambda: sample(row, rng=Source()),
        lambda: sample(row, rng=[Source()]),
        lambda: Sampler([TopK(5)])(row, rng=Source()),
        lambda: top_k(row, 5).sample(rng=Source()),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"must return \d+ numbers in \[0, 1\)"):
            call()


def test_the_numbers_of_a_source_are_not_written_to() -> None:
    """They may be its own."""

    class Same:
        uniforms = np.full(50, 0.5)

        def random(self, n: int, /) -> np.ndarray:
            return self.uniforms[:n]

    Same.uniforms[0] = 0.0
    before = Same.uniforms.copy()
    gumbel_max(make("normal1", 50), rng=Same())
    assert np.array_equal(Same.uniforms, before)


def test_a_slice_of_something_larger_is_not_copied() -> None:
    """The last positions of [B, L, V], whose rows are far apart."""
    whole = np.random.default_rng(2).normal(0.0, 2.0, (3, 4, 3000)).astype(np.float32)
    last = whole[:, -1, :]
    matrix, _ = as_matrix(last)
    assert np.shares_memory(matrix, whole)
    for call in CALLS.values():
        assert plain(call(last)) == plain(call(last.copy()))


def test_bfloat16_arrays_are_taken() -> None:
    """Those of ml_dtypes, which JAX gives."""
    ml_dtypes: Any = pytest.importorskip("ml_dtypes")
    row = make("normal1", 300).astype(ml_dtypes.bfloat16)
    assert top_k(row, 5).ids.tolist() == top_k(row.astype("f4"), 5).ids.tolist()


def test_ids_that_are_not_integers_are_refused() -> None:
    """JSON has only strings as keys; 1.7 is nobody's token."""
    for key in ("1", 1.7, None):
        with pytest.raises(TypeError, match="must be integers"):
            logit_bias(np.zeros(3), {key: 1.0})  # type: ignore[dict-item]
        with pytest.raises(TypeError, match="must be integers"):
            Bias({key: 1.0})  # type: ignore[dict-item]


@pytest.mark.parametrize("amount", ["2", None, b"2", 1j, [1.0]])
def test_amounts_that_are_no_numbers_are_refused(amount: Any) -> None:
    """The message names the id."""
    for call in (Bias, lambda bias: logit_bias(np.zeros(9), bias)):
        with pytest.raises(TypeError, match="id 7 must be a number"):
            call({1: 1, 2: np.float64(2), 3: -math.inf, 7: amount})


def test_a_bias_of_minus_infinity_on_plus_infinity_is_an_error() -> None:
    """What was wrong is the logit; no warning comes first."""
    row = np.array([0.0, 1.0, math.inf])
    for call in (
        lambda: logit_bias(row, {1: 1.0, 2: -math.inf}),
        lambda: Sampler([Bias({2: -math.inf})])(row),
    ):
        with (
            warnings.catch_warnings(action="error"),
            pytest.raises(ValueError, match=r"row 0: \+inf at id 2"),
        ):
            call()


@pytest.mark.parametrize(
    "ids", [5, "12", None, {1, 2}, {1: 2}, [0.5], [True], [[1], 2], [1, [2]]]
)
def test_bans_that_are_no_list_of_ids_are_refused(ids: Any) -> None:
    """A step says so when it is built."""
    for call in (Ban, lambda ids: ban(np.zeros(9), ids)):
        with pytest.raises((TypeError, ValueError), match=r"list of ids|has 2 values"):
            call(ids)


def test_fresh_entropy_differs() -> None:
    """Without rng, two long draws are not the same."""
    row = make("normal1", 1000)
    assert sample(row, n=50).tolist() != sample(row, n=50).tolist()


def test_gumbel_noise_of_ones_own() -> None:
    """The noise is added to logits / T."""
    logits = np.array([[0.0, 1.0], [0.0, 1.0]])
    noise = np.array([[1.9, 0.0], [2.1, 0.0]])
    assert gumbel_max(logits, 0.5, noise=noise).tolist() == [1, 0]


def test_gumbel_survives_a_zero_uniform() -> None:
    """u = 0 must lose, not win or warn."""

    class Zero:
        def random(self, n: int) -> np.ndarray:
            uniforms = np.full(n, 0.5)
            uniforms[0] = 0.0
            return uniforms

    assert gumbel_max(np.zeros(4), rng=Zero()) == 1


def test_penalties_by_hand() -> None:
    """Repetition over prompt and output, counts over the output."""
    row = np.array([2.0, -2.0, 4.0, 1.0])
    args: dict[str, Any] = {"repetition": 2.0, "presence": 0.5, "frequency": 0.25}
    got = penalize(row, [0, 1], [2, 2, 1], **args)
    assert got.tolist() == [1.0, -4.75, 1.0, 1.0]
    got = penalize(row, [0, 1], [2, 2, 1], scope="all", **args)
    assert got.tolist() == [0.25, -5.0, 1.0, 1.0]
    got = penalize(row, [0, 1], [2, 2, 1], window=2, **args)
    assert got.tolist() == [2.0, -4.75, 1.25, 1.0]
    got = penalize(row, [0, 1], [2, 2, 1], window=4, scope="all", **args)
    assert got.tolist() == [2.0, -5.0, 1.0, 1.0]


def test_edits_agree_with_a_dense_version() -> None:
    """Sparse edits of a large row are those of passes over all of it."""
    rng = np.random.default_rng(8)
    row = make("normal3", 5003)
    prompt, output = rng.integers(0, 5003, 700), rng.integers(0, 5003, 2000)
    counts = np.bincount(output, minlength=5003)
    seen = (counts + np.bincount(prompt, minlength=5003)) > 0
    dense = row.astype(np.float64)
    dense = np.where(seen, np.where(dense > 0, dense / 1.3, dense * 1.3), dense)
    dense -= 0.2 * counts + 0.7 * (counts > 0)
    got = penalize(row, prompt, output, repetition=1.3, presence=0.7, frequency=0.2)
    assert got.dtype == np.float32
    assert np.allclose(got, dense, rtol=1e-6, atol=1e-6)


def test_edits_write_where_they_are_told() -> None:
    """out= may be the logits themselves."""
    row = np.zeros(3, dtype=np.float32)
    assert ban(row, [1], out=row) is row
    assert row.tolist() == [0.0, -np.inf, 0.0]
    batch = np.zeros((2, 3))
    other = np.empty((2, 3))
    assert logit_bias(batch, [{0: 1.0}, {1: 2.0}], out=other) is other
    assert other.tolist() == [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    assert not batch.any()
    with pytest.raises(ValueError, match="out must be"):
        ban(batch, [1], out=np.empty((3, 2)))
    assert ban(batch, [[0], [1, 2]]).tolist() == [
        [-np.inf, 0.0, 0.0],
        [0.0, -np.inf, -np.inf],
    ]
    assert ban(batch, []).tolist() == batch.tolist()


def test_log_probabilities() -> None:
    """Of one id, several, and for each row."""
    logits = np.stack([make("lm", 5003, seed) for seed in range(2)])
    whole = log_softmax(logits, 0.7)
    assert np.allclose(np.exp(whole).sum(axis=1), 1.0, rtol=1e-12)
    assert np.allclose(np.exp(whole), softmax(logits, 0.7), rtol=1e-12)
    assert logprobs(logits[0], 9, 0.7) == pytest.approx(whole[0, 9], rel=1e-12)
    assert isinstance(logprobs(logits[0], 9), float)
    assert np.allclose(logprobs(logits[0], [1, 2, 1], 0.7), whole[0, [1, 2, 1]])
    assert np.allclose(logprobs(logits, [3, 4], 0.7), whole[[0, 1], [3, 4]])
    pairs = logprobs(logits, [[3, 4], [5, 6]], 0.7)
    assert np.allclose(pairs, [whole[0, [3, 4]], whole[1, [5, 6]]])
    with pytest.raises(ValueError, match="for 2 rows"):
        logprobs(logits, [1, 2, 3])


def test_candidates_say_what_they_hold() -> None:
    """Sorted, renormalised, drawn from."""
    kept = top_k(np.log([0.1, 0.6, 0.3]), 2)
    assert len(kept) == 2
    assert kept.probabilities().tolist() == pytest.approx([2 / 3, 1 / 3])
    assert set(kept.sample_many(100, rng=1).tolist()) == {1, 2}
    assert kept.sample(rng=3) == kept.sample_many(1, rng=3)[0]
    warm = top_p(np.log([0.1, 0.6, 0.3]), 0.9, 2.0)
    assert warm.temperature == 2.0
    assert warm.probabilities().sum() == pytest.approx(1.0)


def test_the_front_door_is_exactly_this() -> None:
    """Everything public is in __all__, and sorted as ruff sorts it."""
    public = {
        name
        for name, value in vars(sampling).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert public == set(sampling.__all__)
