"""What a schema costs: ``extract_json(reply, schema=T)`` against doing it by hand.

    python -m tests.bench.schema_bench

The reply is about 20 KB of prose with a fenced object.  "by hand" is ``extract_json``
and then ``TypeAdapter.validate_python``.  The two run in turns; a row gives the median
over the rounds of the quotient of two runs that followed each other.  "fits" is a value
that the type takes as it stands, and has to stay below 1.15; "coerced" has one number
in words, so that rules run over all of it, and is compared with the same work by hand
on the fitting reply.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import pydantic

from jsonsift import extract_json

ROUNDS: Final = 301
BAR: Final = 1.15


class Line(pydantic.BaseModel):
    sku: str
    title: str
    quantity: int
    price: float
    tags: list[str]
    note: str | None = None


class Order(pydantic.BaseModel):
    number: str
    customer: dict[str, str]
    lines: list[Line]


def make_reply(quantity: Any) -> str:
    """About 20 KB; ``quantity`` is that of the last line."""
    lines: list[dict[str, Any]] = [
        {
            "sku": f"A-{at:04}",
            "title": f"Article {at}, in a box of its own",
            "quantity": at % 7 + 1,
            "price": at * 1.25,
            "tags": ["new", "on sale"],
            "note": None if at % 3 else "handle with care",
        }
        for at in range(110)
    ]
    lines[-1]["quantity"] = quantity
    order = {"number": "7", "customer": {"name": "Ada"}, "lines": lines}
    body = json.dumps(order, indent=1)
    return f"Here is the order.\n\n```json\n{body}\n```\nAnything else?"


def time_call(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def compare(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[float, float]:
    """The median quotient of the two, and the median seconds of the first."""
    quotients, seconds = [], []
    for at in range(ROUNDS):
        if at % 2:
            one, other = time_call(first), time_call(second)
        else:
            other, one = time_call(second), time_call(first)
        quotients.append(one / other)
        seconds.append(one)
    return statistics.median(quotients), statistics.median(seconds)


def main() -> None:
    """Print the table."""
    adapter = pydantic.TypeAdapter(Order)
    fitting, broken = make_reply(3), make_reply("3 boxes")

    def by_hand() -> Any:
        return adapter.validate_python(extract_json(fitting))

    assert extract_json(fitting, schema=Order) == by_hand()
    assert extract_json(broken, schema=Order) == by_hand()
    print(f"{len(fitting)} characters, {ROUNDS} rounds")
    print(f"{'reply':10} {'µs':>8} {'by hand = 1':>12}")
    for name, reply in (("fits", fitting), ("coerced", broken)):

        def typed(reply: str = reply) -> Any:
            return extract_json(reply, schema=Order)

        quotient, seconds = compare(typed, by_hand)
        print(f"{name:10} {seconds * 1e6:8.0f} {quotient:12.3f}")
        if name == "fits":
            print(f"{'':10} {'':8} {'within' if quotient <= BAR else 'ABOVE'} {BAR}")


if __name__ == "__main__":
    main()
