"""What the race is run over: replies of every shape and size, each with its answer.

Rules of this file: it knows JSON and nothing of jsonsift or its peers.  A shape takes
the records of one vocabulary and says how a model would have written them; the same
dice give the same replies on every machine.  ``valid`` is the same value as plain
JSON, for the strict parsers that set the limit.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

__all__ = ["SHAPES", "SIZES", "Reply", "make_replies"]

SIZES: Final = {
    "0.3 KB": 300,
    "2 KB": 2_000,
    "20 KB": 20_000,
    "200 KB": 200_000,
    "5 MB": 5_000_000,
}


class Reply(NamedTuple):
    """One text to read.

    ``group`` is "whole" (valid JSON and nothing else), "found" (valid JSON in other
    text), "light" (a fault here and there) or "dense" (faults at every token);
    ``answer`` is the value that is right.
    """

    shape: str
    size: str
    group: str
    text: str
    valid: str
    answer: Any


# ------------------------------------------------------------------- vocabulary

_WORDS: Final = [
    "amber",
    "basin",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "inlet",
    "juniper",
    "kettle",
    "lagoon",
    "meadow",
    "north",
    "orchard",
    "pepper",
    "quarry",
    "ripple",
    "saddle",
    "timber",
    "upland",
    "valley",
    "willow",
]
_CJK: Final = [
    "山川",
    "東京",
    "报告",
    "数据",
    "模型",
    "结果",
    "分析",
    "価格",
    "商品",
    "ありがとう",
    "데이터",
    "서울",
]
_EMOJI: Final = ["😀", "🚀", "✅", "👩\u200d💻", "🇯🇵"]


def _sentence(dice: random.Random, count: int, words: Sequence[str] = _WORDS) -> str:
    return " ".join(dice.choice(words) for _ in range(count)).capitalize() + "."


def _plain_record(dice: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": f"{dice.choice(_WORDS)} {dice.choice(_WORDS)}",
        "note": _sentence(dice, dice.randint(4, 14)),
        "price": round(dice.uniform(1, 900), 2),
        "active": dice.random() < 0.7,
        "parent": None if dice.random() < 0.5 else dice.randrange(1000),
        "tags": [dice.choice(_WORDS) for _ in range(dice.randint(1, 4))],
        "place": {"city": dice.choice(_WORDS), "zip": str(dice.randint(10000, 99999))},
    }


def _wide_record(dice: random.Random, number: int) -> dict[str, Any]:
    words = [*_CJK, *_EMOJI]
    return {
        "id": number,
        "title": "".join(dice.choice(_CJK) for _ in range(3)),
        "text": "".join(dice.choice(words) for _ in range(dice.randint(5, 25))),
        "tags": [dice.choice(words) for _ in range(3)],
    }


def _text_record(dice: random.Random, number: int) -> dict[str, Any]:
    lines = [_sentence(dice, dice.randint(8, 30)) for _ in range(dice.randint(3, 9))]
    lines[0] = f'"{dice.choice(_WORDS)}", he said: {lines[0]}'
    return {"title": f"Chapter {number}", "body": "\n".join(lines)}


def _number_record(dice: random.Random, number: int) -> dict[str, Any]:
    row = [round(dice.uniform(-1000, 1000), dice.randint(0, 9)) for _ in range(12)]
    return {"t": number * 60, "row": row, "counts": [dice.randrange(10**7)] * 4}


def _deep_record(dice: random.Random, number: int) -> Any:
    value: Any = {"leaf": number}
    for _ in range(40):
        value = [value] if dice.random() < 0.5 else {dice.choice(_WORDS): value}
    return value


_Records = Callable[[random.Random, int], Any]


def _make_value(record: _Records, size: int) -> Any:
    """Records until their JSON has about ``size`` characters; small ones are one."""
    dice = random.Random(size)
    records: list[Any] = []
    length = 20
    while length < size or not records:
        one = record(dice, len(records) + 1)
        records.append(one)
        length += len(_write({"items": [one]})) - 18
    return {"items": records}


def _write(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# ----------------------------------------------------------------------- shapes

_SURE: Final = "Sure! Here is the information that you asked for:\n\n"
_MORE: Final = "\n\nLet me know if you need anything else, or other fields."
_THINKING: Final = (
    '<think>\nThe user wants records. One could answer {"items": []} but that '
    "would be empty, so I go through the list (see [1]) and write each down.\n"
    "</think>\n\n"
)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?+')
_NOTE: Final = re.compile(r'("note": ")(\w+ \w+) (\w+) ')
_COMMA: Final = re.compile(r",\n")
_LAST: Final = re.compile(r"(?<=[\w\"}\]])(?=\n\s*[}\]])")


def _each(pattern: re.Pattern[str], new: Any, text: str, every: int) -> str:
    """Replace one match in so many, and always at least one, in the middle."""
    count = sum(1 for _ in pattern.finditer(text))
    step = min(every, count)
    numbers = iter(range(count))

    def replace(match: re.Match[str]) -> str:
        if next(numbers) % step != step // 2:
            return match.group()
        return str(match.expand(new) if isinstance(new, str) else new(match))

    return pattern.sub(replace, text)


def _inner_quotes(text: str) -> str:
    return _each(_NOTE, r'\1\2 "\3" ', text, 1)


def _single_quotes(match: re.Match[str]) -> str:
    return f"'{match[1]}'{match[2] or ''}"


def _loose_token(match: re.Match[str]) -> str:
    if match[2]:
        return match[1] + match[2]
    return f"'{match[1]}'"


def _every_token(text: str) -> str:
    text = _STRING.sub(_loose_token, text)
    text = text.replace("true", "True").replace("false", "False")
    return _LAST.sub(",", text.replace("null", "None"))


def _three_fences(text: str) -> str:
    small = '```json\n{"id": 1}\n```\n'
    return f"The shape:\n{small}All of them:\n```json\n{text}\n```\nOr one:\n{small}"


def _cut_in_a_string(text: str) -> str:
    """The text up to the middle of a note, nine tenths on."""
    at = text.rindex('"note": "', 0, max(len(text) * 9 // 10, text.index('"note"') + 9))
    return text[: at + 20]


class _Shape(NamedTuple):
    group: str
    record: _Records
    damage: Callable[[str], str]


def _every(pattern: re.Pattern[str], new: str, every: int) -> Callable[[str], str]:
    return lambda text: _each(pattern, new, text, every)


_SOME: Final = 200  # tokens between two faults of a lightly broken reply
_one_comma: Final = _every(_LAST, ",", _SOME)

SHAPES: Final = {
    "valid": _Shape("whole", _plain_record, str),
    "fenced": _Shape("found", _plain_record, lambda t: f"```json\n{t}\n```"),
    "prose around": _Shape("found", _plain_record, lambda t: _SURE + t + _MORE),
    "reasoning first": _Shape("found", _plain_record, lambda t: _THINKING + t),
    "three fences": _Shape("found", _plain_record, _three_fences),
    "truncated": _Shape("light", _plain_record, _cut_in_a_string),
    "trailing comma": _Shape("light", _plain_record, _one_comma),
    "missing comma": _Shape("light", _plain_record, _every(_COMMA, "\n", _SOME)),
    "trailing commas": _Shape("light", _plain_record, _every(_LAST, ",", 1)),
    "comments": _Shape("light", _plain_record, _every(_COMMA, ", // as agreed\n", 12)),
    "inner quotes": _Shape("light", _plain_record, _inner_quotes),
    "CJK and emoji": _Shape("light", _wide_record, _one_comma),
    "string-heavy": _Shape("light", _text_record, _every(_LAST, ",", 20)),
    "number-heavy": _Shape("light", _number_record, _one_comma),
    "deep": _Shape("light", _deep_record, _one_comma),
    "unquoted keys": _Shape(
        "dense",
        _plain_record,
        lambda t: _STRING.sub(lambda m: m[1] + m[2] if m[2] else m[0], t),
    ),
    "single quotes": _Shape(
        "dense", _plain_record, lambda t: _STRING.sub(_single_quotes, t)
    ),
    "Python dict": _Shape("dense", _plain_record, lambda t: repr(json.loads(t))),
    "every token": _Shape("dense", _plain_record, _every_token),
}


def _cut_value(text: str) -> Any:
    """What the text means that was cut off inside a string: what is there of it."""
    closers = ""
    for token in re.findall(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', text):
        if token in "{[":
            closers = "}]"["{[".index(token)] + closers
        elif token in "}]":
            closers = closers[1:]
    return json.loads(f'{text}"{closers}')


def _read_answer(shape: str, valid: str, text: str) -> Any:
    """The value that is right."""
    if shape == "inner quotes":
        return json.loads(_NOTE.sub(r'\1\2 \\"\3\\" ', valid))
    return _cut_value(text) if shape == "truncated" else json.loads(valid)


def make_replies(shapes: Sequence[str], sizes: Sequence[str]) -> Iterator[Reply]:
    """One reply of every shape and size, small ones first."""
    for size in sizes:
        values: dict[_Records, str] = {}
        for name in shapes:
            shape = SHAPES[name]
            if shape.record not in values:
                values[shape.record] = _write(_make_value(shape.record, SIZES[size]))
            valid = values[shape.record]
            text = shape.damage(valid)
            answer = _read_answer(name, valid, text)
            yield Reply(name, size, shape.group, text, valid, answer)
