"""The attacks of fuzz/: each finds what it is for, and our own code withstands it."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import jsonsift
from fuzz import growth, oracles, plot, redos
from fuzz.__main__ import main
from fuzz.canaries import count_lines_at_every_character, look_back_from_every_quote
from fuzz.cases import CATALOGUE, read_families, read_replies, write_family
from fuzz.mutate import mutate_text, shrink
from fuzz.patterns import Site, find_patterns
from fuzz.search import Search
from fuzz.subjects import find_errors, find_targets, load_target
from fuzz.worker import Worker, measure, measure_size
from jsonsift import JSONSiftError, extract
from jsonsift.linear import Family, Growth, Point

QUOTES = Family("", '"')
SIZES = (256, 1_024, 4_096, 16_384)


# ------------------------------------------------------------------------- patterns


@pytest.mark.parametrize(
    ("pattern", "kinds"),
    [
        (r"(a+)+", ["nested"]),
        (r"(?:\s*,)*", ["nested"]),
        (r"\d*\d+x", ["adjacent"]),
        (r"(\w*)(?:\s?)\w*", ["adjacent"]),
        (r"a*?b?a*", ["adjacent"]),
        (r"a*(a*)b", ["adjacent"]),
        (r"a*(?:a*b|c)", ["adjacent"]),
        (r"(?:a*b?){0,20}x", ["adjacent"]),
        (r"(?:xa*){2}a*", ["adjacent"]),
        (r"(?:a+){2}", ["adjacent"]),
        (r"(?:xa*y){2}", []),
        (r"a*(?>a*)b", []),
        (r"(?:a++)*", []),
        (r"(?>a*)a*", []),
        (r"a*+a*", []),
        (r"\s*:\s*", []),
        (r"(?:a{0,9}b){0,9}", []),
        (r"a*(?=b*)", []),
    ],
)
def test_rule_on_repeats(pattern: str, kinds: list[str]) -> None:
    """A pattern that can blow up would pass, or a safe one be refused."""
    assert redos.find_unsafe_repeats(redos.parse(pattern)) == kinds


@pytest.mark.parametrize("engine", ["re", "regex"])
@pytest.mark.parametrize(
    ("pattern", "mode"),
    [
        (r"^(\w|\w\w)*$", "match"),
        (r'"(\\.|[^\\])*"\s*:', "search"),
        (r"/\*(?:[^*]|\*(?!/))*+\*/", "all"),
        (r"\s+$", "search"),
    ],
)
def test_attack_finds_slow_patterns(pattern: str, mode: str, engine: str) -> None:
    """The attack strings would not hurt what they are made for."""
    if engine == "regex" and pattern == r"\s+$":
        pytest.skip("regex looks for the end first")
    site = Site("x.py", 1, engine, pattern, 0, (mode,))
    assert mode in redos.attack(site, seed=0, limit=0.1)


def test_attack_spares_safe_patterns() -> None:
    """A safe pattern would be reported."""
    for pattern in (
        r'"(?:[^"\\]++|\\.)*+"?+',
        r"[ \t]{0,80}+\n",
        r"(?:ab|cd){0,80}+x?",
    ):
        assert redos.attack(Site("x.py", 1, "re", pattern, 0, ("all",)), seed=0) == ""


@pytest.mark.linear
def test_patterns_of_the_package_are_safe(capsys: pytest.CaptureFixture[str]) -> None:
    """A pattern of ours can be made slow, or none of the checks reaches it."""
    rows, clean = redos.run(seconds=100, seed=0)
    assert clean, capsys.readouterr().out
    assert len(rows) > 30


def test_patterns_are_found_wherever_they_are_made() -> None:
    """A pattern in a function, a loop or a compiled module would be overlooked."""
    sites, unreached = find_patterns()
    files = {site.file for site in sites}
    assert files >= {"_locate.py", "_scan.py", "_sift.py", "_strict.py", "clean.py"}
    assert any(site.pattern.startswith("[0-9]{") for site in sites)
    assert unreached == []


# ----------------------------------------------------------------------- the search


def test_search_finds_and_makes_small(tmp_path: Path) -> None:
    """What is slow on some texts only would be missed, or reported in bulk."""
    search = Search(
        "quotes", look_back_from_every_quote, seed=1, by_clock=False, limit=0.1
    )
    while not search.found and search.tried < 200:
        search.step()
    find = search.found[0]
    assert find["kind"] in ("growth", "cost")
    family = Family(**find["family"])
    assert '"' in family.unit
    assert len(repr(family)) < 60
    path = write_family(family, tmp_path)
    assert Family(name=path.stem, **json.loads(path.read_text())) == family


def test_search_finds_errors_that_are_not_documented() -> None:
    """It would end with a traceback, or take them for an outcome."""

    def fail_on_nul(text: str) -> None:
        if "\x00" in text:
            raise KeyError("nul")

    search = Search("nul", fail_on_nul, seed=1, by_clock=False)
    while not search.found and search.tried < 200:
        search.step()
    assert search.found[0]["kind"] == "error"
    assert "KeyError" in search.found[0]["says"]
    assert search.found[0]["family"]["unit"] == "\x00"


def test_search_says_that_it_was_in_vain() -> None:
    """A function that raises on every text would look searched and sound."""

    def refuse(text: str) -> None:
        raise ValueError(text[:9])

    search = Search("refuse", refuse, seed=1, by_clock=False)
    for _ in range(20):
        search.step()
    assert (search.returns, search.found) == (0, [])
    assert search.calls > 20


def test_search_goes_on_where_it_was() -> None:
    """A search that was interrupted would start again, or go another way."""

    def make() -> Search:
        return Search("strip", str.strip, seed=3, by_clock=False)

    whole, first, second = make(), make(), make()
    for _ in range(200):
        whole.step()
    for _ in range(120):
        first.step()
    second.restore(json.loads(json.dumps(first.save())))
    for _ in range(80):
        second.step()
    assert json.dumps(second.save()) == json.dumps(whole.save())


# ---------------------------------------------------------------------- the oracles


def test_oracles_hold_for_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    """A promise is broken on some text."""
    found, clean = oracles.run(seconds=4, number=0)
    assert clean, found
    assert "0 failures" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["extract_all", "loads"])
def test_the_oracle_of_memory_finds_what_is_greedy(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A call would take seventy times its text, and no test would tell."""
    usual = vars(jsonsift)[name]
    times = 0

    def greedy(text: str) -> Any:
        taken = bytearray(times * len(text))
        return usual(text) if taken is not None else None

    monkeypatch.setattr(jsonsift, name, greedy)
    assert oracles.fails(oracles.keeps_memory_small, '{"a": 1,}\n') == ""
    times = 70
    message = oracles.fails(oracles.keeps_memory_small, '{"a": 1,}\n')
    assert message.startswith("AssertionError: greedy: ")


def test_oracles_find_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken promise would go unseen, or come with a text that nobody can read."""

    def dislikes_backticks(text: str) -> None:
        assert "```" not in text, "backticks"

    monkeypatch.setattr(oracles, "ORACLES", (dislikes_backticks,))
    found, clean = oracles.run(seconds=2, number=0)
    assert not clean
    assert [one["text"] for one in found] == ["```"]


def test_shrink_and_mutate() -> None:
    """A find would stay long; a mutant would be the case itself, or not repeatable."""
    assert shrink("aaaxaaaayaaa", lambda text: "x" in text and "y" in text) == "xy"
    texts = read_replies()
    one = [mutate_text(text, texts, random.Random(5)) for text in texts[:50]]
    other = [mutate_text(text, texts, random.Random(5)) for text in texts[:50]]
    assert one == other
    assert sum(a != b for a, b in zip(one, texts, strict=False)) > 40


# ------------------------------------------------------------- growth and its worker


def test_growth_of_a_named_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command would find nothing, or write neither table nor picture."""
    arguments = ["growth", "--target", "fuzz.canaries:count_lines_at_every_character"]
    arguments += ["--family", "spaces", "--largest", "16384"]
    picture, results = tmp_path / "growth.png", tmp_path / "growth.json"
    pytest.importorskip("matplotlib")
    code = main([*arguments, "--plot", str(picture), "--json", str(results)])
    assert code == 1
    assert "count_lines_at_every_character" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert json.loads(results.read_text())[0]["exponent"] > 1.5


def die_of_quotes(text: str) -> int:
    return os._exit(3) if '"' in text else len(text)


def test_worker_outlives_its_process() -> None:
    """A reader that kills its process would kill the run."""
    with closing(Worker("tests.linear.test_fuzz:die_of_quotes")) as worker:
        died = worker.measure(QUOTES, (64,), rounds=1, limit=1.0)
        assert died.crash == "the process died (3)"
        alive = worker.measure(Family("", "x"), (64, 256), rounds=1, limit=1.0)
        assert [point.size for point in alive.points] == [64, 256]


def test_errors_that_are_not_documented_are_crashes() -> None:
    """An import that fails, at once and on every text, would be linear."""

    def fail(text: str) -> None:
        raise KeyError("no such module")

    for how in ({"sizes": [64, 256], "rounds": 1, "limit": 1.0}, {"memory": 64}):
        request = {"family": asdict(QUOTES), **how}
        answer = measure(fail, find_errors("jsonsift:loads"), dict(request))
        assert answer == {"crash": "KeyError: 'no such module'"}
    assert all(
        find_errors(target) == (JSONSiftError,) for target in find_targets().values()
    )
    assert find_errors("json:loads") == (Exception,)


def test_errors_of_others_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """That a target raises on every text would not be seen."""
    for more in ([], ["--memory"]):
        arguments = [
            "--target",
            "json:loads",
            "--family",
            "commas",
            "--largest",
            "4096",
        ]
        assert main(["growth", *arguments, *more]) == 0
        assert "JSONDecodeError on 1" in capsys.readouterr().out


def test_a_misspelt_argument_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """It would be a crash of every family, or a traceback."""
    for wrong, says in (
        (["--target", "jsonsift:nothing"], "use module:function"),
        (["--family", "comas"], "did you mean commas"),
        (["--json", "no/such/x.json"], "there is no folder"),
        (["--plot", "x.txt"], "no .png, .svg or .pdf"),
        (["--largest", "100"], "100 is too little"),
        (["--seconds", "0"], "0 is too little"),
        (["--memory", "--plot", "x.png"], "no --limit and no --plot"),
    ):
        with pytest.raises(SystemExit) as left:
            main(["growth", *wrong])
        assert says in capsys.readouterr().err + str(left.value)
    with pytest.raises(SystemExit):
        main(["peers", "--target", "json:loads"])  # which would be ignored


def test_memory_is_measured() -> None:
    """The peak would not show what a call holds, or the value what of it stays."""
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("needs Linux")
    with closing(Worker("builtins:list")) as worker:
        found = worker.measure_memory(QUOTES, 1_000_000)
    assert found["text"] == pytest.approx(1_000_000, rel=0.01)
    assert 7_000_000 < found["peak"] < 20_000_000
    assert found["value"] == pytest.approx(8_000_000, rel=0.01)


def test_the_value_behind_a_text_is_measured() -> None:
    """What repair_json writes would be all that it is allowed to hold."""
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("needs Linux")
    objects = Family("[", "{},", "{}]")
    with closing(Worker("jsonsift:repair_json")) as worker:
        found = worker.measure_memory(objects, 300_000)
    assert found["value"] > 100_000 * (sys.getsizeof({}) + 8)


def test_size_of_a_value() -> None:
    """A part would be counted twice or not at all, or what is no part of it."""
    inner = {"key": [1_000_000]}
    parts = [inner, *inner, *inner.values(), 1_000_000]
    assert measure_size(inner) == sum(map(_size_given, parts))
    assert measure_size([inner, inner]) == measure_size(inner) + _size_given([0, 0])
    text = "a text of its own" * 9
    assert measure_size((text, len), text) == _size_given((0, 0))


def _size_given(one: object) -> int:
    """What an object takes of the memory, which is given out in sixteens."""
    return (sys.getsizeof(one) + 15) // 16 * 16


def test_edits_are_part_of_what_holds_them() -> None:
    """What can be asked for would be taken for work."""
    plain = measure_size(extract("{" + "'a': 1, " * 1_000 + "}"))
    edited = measure_size(extract("{" + "'a': 1, " * 9_000 + "}"))
    assert edited - plain > 8_000 * (2 * 8 + len('"a": 1, '))


def test_memory_beside_the_value_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Work would hide behind a large value, or a large value be taken for work."""

    def judge(**found: Any) -> bool:
        monkeypatch.setattr(Worker, "measure_memory", lambda *_: dict(found))
        return growth.run_memory({"x": "json:loads"}, [QUOTES], 9, 9, "")[1]

    sizes = {"text": 10**7, "value": 3 * 10**8, "raised": ""}
    assert judge(peak=4 * 10**8, **sizes)
    assert not judge(peak=5 * 10**8, **sizes)
    assert "200,000,000 of work" in capsys.readouterr().out
    assert not judge(crash="KeyError")


def test_steep_rows_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A steep row would pass."""
    points = tuple(Point(size, size**2 * 1e-9) for size in (100, 400, 1_600))
    assert growth.Row("x", Growth(QUOTES, points)).is_steep
    flat = tuple(Point(size, size * 1e-9) for size in (100, 400, 1_600))
    assert not growth.Row("x", Growth(QUOTES, flat)).is_steep
    assert growth.Row("x", Growth(QUOTES, flat, "RecursionError", 6_400)).is_steep
    for power, steep in ((1.2, False), (1.3, True)):
        rising = Growth(QUOTES, tuple(Point(s, s**power * 1e-9) for s in SIZES))
        memory = Growth(QUOTES, tuple(Point(s, s**1.4 * 1e-10) for s in SIZES))
        level = Growth(QUOTES, tuple(Point(s, s * 1e-9) for s in SIZES))
        slow = Growth(QUOTES, tuple(Point(s, s * 1e-7) for s in SIZES))
        assert growth.Row("x", rising, memory).is_steep is steep
        assert growth.Row("x", rising, level).is_steep
        assert not growth.Row("x", rising, slow).is_steep
    assert not growth.Row("x", Growth(QUOTES, ())).is_steep


def test_a_stopped_call_is_no_measure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quadratic would pass whose largest call was stopped soon after its start."""
    square = [Point(size, size**2 * 1e-9) for size in (100, 400, 1_600)]
    cut = Growth(QUOTES, (*square, Point(6_400, square[-1].seconds * 4.5, False)))
    assert cut.last_exponent < 1.10
    assert growth.Row("x", cut).is_steep
    one = Growth(QUOTES, (Point(1_024, 0.5),))
    assert growth.Row("x", cut).is_measured
    assert not growth.Row("x", one).is_measured
    monkeypatch.setattr(Worker, "measure", lambda *_, **__: one)
    rows, passed = growth.run({"x": "json:loads"}, [QUOTES], [1_024], 9, "")
    assert len(rows) == 1
    assert not passed
    assert "too slow to be measured" in capsys.readouterr().out
    assert not growth.run({"x": "json:loads"}, [QUOTES], [1_024], 0, "")[1]
    assert "out of time: 0 of 1" in capsys.readouterr().out


def test_what_looks_steep_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One disturbed time would be a verdict, or hide one; a cache would be growth."""
    sizes = (1_000, 4_000, 16_000, 64_000)

    def judge(
        power: float, disturbed: dict[int, float], scale: float = 3e-9
    ) -> tuple[bool, list[int]]:
        asked = []

        def measure(
            worker: Worker, family: Family, sizes: list[int], rounds: int, limit: float
        ) -> Growth:
            asked.append(max(sizes))
            seconds = {size: size**power * scale for size in sizes}
            seconds |= disturbed if len(asked) == 1 else {}
            points = tuple(Point(size, seconds[size]) for size in sizes)
            return Growth(family, points)

        monkeypatch.setattr(Worker, "measure", measure)
        rows = growth.measure_all({"x": "json:loads"}, [QUOTES], sizes, 9)
        return rows[0].is_steep, asked

    assert judge(1.0, {}) == (False, [64_000])
    assert judge(1.0, {64_000: 64_000**1.6 * 3e-9}) == (False, [64_000, 256_000])
    assert judge(1.3, {}) == (True, [64_000, 256_000, 1_024_000])
    # the time of the last but one hides the growth to the last
    hidden = {16_000: 64_000**1.3 * 3e-9}
    assert judge(1.3, hidden)[0]
    # quicker than memory is: what it grows with is seen at larger sizes
    assert judge(2.0, {}, 1e-17) == (False, [64_000, 256_000, 1_024_000])


def test_plot_names_the_steep(tmp_path: Path) -> None:
    """The picture would fail on odd rows."""
    pytest.importorskip("matplotlib")
    points = tuple(Point(size, size**2 * 1e-9) for size in (100, 400, 1_600))
    rows = [growth.Row(name, Growth(QUOTES, points)) for name in "abcd"]
    rows.append(growth.Row("e", Growth(QUOTES, (), "RecursionError", 64)))
    plot.draw(rows, tmp_path / "x.png", "five")
    assert (tmp_path / "x.png").stat().st_size > 10_000


# ----------------------------------------------------------------- the command line


def test_catalogue_command_changes_nothing() -> None:
    """The catalogue in the package would not be what the command writes."""
    before = CATALOGUE.read_bytes()
    assert main(["catalogue"]) == 0
    assert CATALOGUE.read_bytes() == before
    assert len(read_families()) >= 80


def test_targets_are_loaded() -> None:
    """A misspelt target would be ignored."""
    assert load_target("fuzz.canaries:count_lines_at_every_character") is (
        count_lines_at_every_character
    )
    for wrong in ("nowhere:f", "json:nothing", "json", "json:__doc__"):
        with pytest.raises(ValueError, match=re.escape(repr(wrong))):
            load_target(wrong)
    for target in find_targets().values():
        subject: Any = load_target(target)
        subject('{"a": 1}')
