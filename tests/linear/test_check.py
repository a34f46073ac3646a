"""assert_linear: what is not linear is caught, what is linear is not."""

from __future__ import annotations

import functools
import re
import textwrap
import time
from typing import Any

import pytest

from fuzz.canaries import CANARIES, CONTROLS, SIZES, Canary, busy, find_verdict
from jsonsift.linear import (
    Family,
    Growth,
    NotLinearError,
    Point,
    _check,
    assert_linear,
    catalogue,
)

SPACES = Family("", "a ", name="words", why="Words.")
SHORT = (512, 2_048, 8_192)


def names(canaries: tuple[Canary, ...]) -> list[str]:
    return [canary.function.__name__ for canary in canaries]


@pytest.mark.linear
@pytest.mark.parametrize("canary", CANARIES, ids=names(CANARIES))
def test_canary_is_caught(canary: Canary) -> None:
    """The gate would let a mistake through that shipped elsewhere."""
    verdict = find_verdict(canary)
    assert "is not linear" in verdict
    assert "to see it again:" in verdict


@pytest.mark.linear
@pytest.mark.parametrize("control", CONTROLS, ids=names(CONTROLS))
def test_control_is_not_flagged(control: Canary) -> None:
    """The gate would cry wolf at a linear function."""
    assert find_verdict(control, control.families[::8]) == ""


@pytest.mark.linear
def test_verdicts_hold_on_a_busy_machine() -> None:
    """A verdict would depend on what else runs."""
    with busy(2):
        assert all(find_verdict(canary) for canary in CANARIES[2:5])
        controls = CONTROLS[::3]
        assert not any(find_verdict(one, one.families[::50]) for one in controls)


def quadratic(text: str) -> int:
    return sum(text.count("b", 0, at) for at in range(len(text)))


class Reader:
    def read(self, text: str) -> int:
        return quadratic(text)


def test_the_message_can_be_acted_on() -> None:
    """Family, table and reproduction would be missing from it."""
    with pytest.raises(NotLinearError) as caught:
        assert_linear(quadratic, [SPACES], sizes=SHORT)
    message = str(caught.value)
    assert "quadratic is not linear: time grows as size **" in message
    assert "on the family words: Words.\n  Family('', 'a ')" in message
    assert "from tests.linear.test_check import quadratic" in message
    assert caught.value.family is SPACES
    assert _run_again(message).exponent > 1.5


def _run_again(message: str, **replaced: str) -> Any:
    """What the lines that a message ends with print."""
    code = textwrap.dedent(message.split("to see it again:")[1])
    for old, new in replaced.items():
        assert f"{old} = ..." in code or f"{old}(...)" in code
        code = code.replace(f"{old} = ...", f"{old} = {new}")
        code = code.replace(f"{old}(...)", f"{old}{new}")
    printed: list[Any] = []
    exec(code, {"print": printed.append, "quadratic": quadratic})
    return printed[0]


def test_what_has_no_name_can_be_measured_again() -> None:
    """The lines would be no Python, or name what nobody knows."""
    with pytest.raises(NotLinearError) as caught:
        assert_linear(lambda text: quadratic(text), [SPACES], sizes=SHORT)
    assert _run_again(str(caught.value), fn="quadratic").exponent > 1.5
    with pytest.raises(NotLinearError, match=r"^Reader\.read is not") as caught:
        assert_linear(Reader().read, [SPACES], sizes=SHORT)
    assert _run_again(str(caught.value), Reader="()").exponent > 1.5
    with pytest.raises(NotLinearError) as caught:
        assert_linear(functools.partial(quadratic), [SPACES], sizes=SHORT)
    assert _run_again(str(caught.value), fn="quadratic").exponent > 1.5


def test_methods_and_bytes() -> None:
    """Only plain functions of text could be judged."""
    assert_linear(bytes.split, [SPACES], sizes=SHORT, form=bytes)
    with pytest.raises(NotLinearError, match=r"Family\('', 'a '\), form=bytes\)"):
        assert_linear(
            lambda data: [data[:at] for at in range(len(data))],
            [SPACES], sizes=SHORT, form=bytes,
        )  # fmt: skip


def test_lines_are_judged_before_the_clock() -> None:
    """What runs quadratically many lines would need a clock to be seen."""

    def compare_all(text: str) -> int:
        found = 0
        for one in text:
            for other in text:
                found += one == other
        return found

    with pytest.raises(NotLinearError, match="executed lines grow as size"):
        assert_linear(compare_all, [SPACES], sizes=(), step_sizes=(256, 512, 1_024))


def test_lines_that_level_off_are_not_growth() -> None:
    """What is bounded by a constant may cost more until it is reached."""

    def look_back(text: str, most: int = 16_384) -> int:
        found = 0
        for _ in range(len(text) * min(len(text), most) // 500):
            found += 1
        return found

    sizes = (2_048, 4_096, 8_192)
    assert_linear(look_back, [SPACES], sizes=(), step_sizes=sizes)
    with pytest.raises(NotLinearError, match="executed lines grow as size"):
        assert_linear(
            lambda text: look_back(text, len(text)), [SPACES],
            sizes=(), step_sizes=sizes,
        )  # fmt: skip


@pytest.mark.linear
@pytest.mark.parametrize("seconds", [0.08, 0.4])
def test_a_moment_of_the_machine_hides_no_larger_size(seconds: float) -> None:
    """One slow call, whether it is stopped or not, does not end the measurement."""
    slept: list[bool] = []

    def stumble(text: str) -> list[int]:
        if len(text) == 4_096 and not slept:
            slept.append(True)
            end = time.thread_time() + seconds
            while time.thread_time() < end:
                pass
        return [text.count("\n", 0, at) for at in range(len(text))]

    with pytest.raises(NotLinearError, match="time grows as size"):
        assert_linear(stumble, [Family("", " ")], sizes=SIZES, step_sizes=(), limit=0.2)


def spend(seconds: float) -> None:
    """Take so much CPU time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


_LIMIT = 0.1
_SIZES = (64, 256, 1_024, 4_096)


@pytest.mark.linear
@pytest.mark.parametrize("share", [0.21, 0.23, 0.24])
def test_a_call_that_was_stopped_acquits_nobody(share: float) -> None:
    """The largest call would count with its limit, however long it would have taken."""

    def square(text: str) -> None:
        spend(share * _LIMIT * (len(text) / 1_024) ** 2)

    def straight(text: str) -> None:
        spend(share * _LIMIT * len(text) / 1_024)

    with pytest.raises(NotLinearError, match="time grows as size"):
        assert_linear(square, SPACES, sizes=_SIZES, step_sizes=(), limit=_LIMIT)
    assert_linear(straight, SPACES, sizes=_SIZES, step_sizes=(), limit=_LIMIT)


@pytest.mark.linear
@pytest.mark.parametrize(
    "family", [SPACES, Family("", "a" * 5_000)], ids=["slow", "long"]
)
def test_one_size_is_no_growth(family: Family) -> None:
    """What is slow at the first size, or has but one, would pass unseen."""
    first = max(_SIZES[0], len(family.unit))

    def square(text: str) -> None:
        spend(0.4 * _LIMIT * (len(text) / first) ** 2)

    def straight(text: str) -> None:
        spend(0.4 * _LIMIT * len(text) / first)

    def steady(text: str) -> None:
        spend(0.4 * _LIMIT)

    with pytest.raises(NotLinearError, match="time grows as size"):
        assert_linear(square, family, sizes=_SIZES, step_sizes=(), limit=_LIMIT)
    for function in (straight, steady):
        assert_linear(function, family, sizes=_SIZES, step_sizes=(), limit=_LIMIT)


def test_what_could_not_be_counted_is_no_verdict() -> None:
    """Without the clock there would be none, and all would pass."""

    def nest(text: str, at: int = 0) -> int:
        return nest(text, at + 1) if at < len(text) else at

    def pair(text: str) -> int:
        return sum(1 for _ in text for _ in text)

    for function in (nest, pair):
        with pytest.raises(ValueError, match="too much to be counted, or a crash"):
            assert_linear(function, SPACES, sizes=(), step_sizes=(2_048, 4_096, 8_192))


def test_a_cache_hides_nothing() -> None:
    """Each text is given many times, and the shortest time counts."""
    remembered = functools.cache(quadratic)
    with pytest.raises(NotLinearError):
        assert_linear(remembered, SPACES, sizes=SHORT, step_sizes=())


def test_errors_are_outcomes_only_when_they_are_named() -> None:
    """A function that always fails would pass as linear."""

    def fail(text: str) -> None:
        raise TypeError("no text")

    with pytest.raises(TypeError, match="no text") as caught:
        assert_linear(fail, [SPACES], sizes=SHORT)
    assert any("Family('', 'a ')" in note for note in caught.value.__notes__)
    assert_linear(fail, [SPACES], sizes=SHORT, errors=(TypeError,))
    assert_linear(re.compile("(x)").match, catalogue()[:2], sizes=SHORT)


def test_an_error_that_is_named_does_not_hide_a_crash() -> None:
    """RecursionError would count as an outcome."""

    def nest(text: str) -> None:
        nest(text)

    with pytest.raises(NotLinearError, match="RecursionError at 512"):
        assert_linear(nest, [SPACES], sizes=SHORT, errors=(Exception,))


def test_nothing_passes_untested() -> None:
    """A test over no families, or too few sizes, would pass whatever is wrong."""
    family = Family("", "x")
    with pytest.raises(ValueError, match="no families"):
        assert_linear(len, [])
    with pytest.raises(ValueError, match="3 sizes or more"):
        assert_linear(len, [family], sizes=(64, 512))
    for small in ((16, 64, 128), (1_000, 1_001, 1_002)):
        with pytest.raises(ValueError, match="at least 256 characters"):
            assert_linear(len, [family], sizes=small)
        with pytest.raises(ValueError, match=r"^step_sizes="):
            assert_linear(len, [family], sizes=(), step_sizes=small)
    with pytest.raises(ValueError, match="nothing would be tested"):
        assert_linear(len, [family], sizes=(), step_sizes=())
    with pytest.raises(TypeError, match="find_family"):
        assert_linear(len, ["brace-and-quote"])  # type: ignore[list-item]
    assert_linear(len, family, sizes=(256, 512, 1_024))


def test_one_size_that_met_a_slow_moment_hides_no_growth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Time that is too long at one size makes what comes behind it look flat."""
    measured = []

    def measure(fn: Any, family: Family, sizes: list[int], **_: Any) -> Growth:
        measured.append(sizes)
        times = [size**2 * 1e-9 for size in sizes]
        if len(measured) == 1:
            times[-2] *= 40
        points = map(Point, sizes, times)
        return Growth(family, tuple(points))

    monkeypatch.setattr(_check, "measure_growth", measure)
    with pytest.raises(NotLinearError):
        assert_linear(len, [SPACES], sizes=SHORT, step_sizes=())
    assert len(measured) > 1


def test_what_is_quicker_than_memory_is_measured_at_larger_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A quadratic would pass that is cheap at the sizes tried."""

    def judge(power: float, scale: float) -> tuple[bool, int]:
        asked = []

        def measure(fn: Any, family: Family, sizes: list[int], **_: Any) -> Growth:
            asked.append(max(sizes))
            points = (Point(size, size**power * scale) for size in sizes)
            return Growth(family, tuple(points))

        monkeypatch.setattr(_check, "measure_growth", measure)
        try:
            assert_linear(len, [SPACES], sizes=SHORT, step_sizes=())
        except NotLinearError:
            return True, asked[-1]
        return False, asked[-1]

    assert _check._MEMORY_SPEED > 8_192 * 1e-14
    assert judge(2.0, 1e-14) == (True, 131_072)
    assert judge(2.0, 1e-20)[0] is False  # even then no more than a pass
    assert judge(1.0, 1e-14) == (False, 8_192)
