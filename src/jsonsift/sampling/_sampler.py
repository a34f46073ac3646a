"""A chain of steps applied to the rows of a batch.

May live here: the order of steps, seeds and steps of a batch, empty rows. Must
not know: how a step works.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from reprlib import repr as shorten
from time import perf_counter_ns
from typing import Any, Literal

import numpy as np

from ._adapters import (
    HFProcessor,
    Mode,
    SGLangProcessor,
    VLLMProcessor,
    processor_class,
)
from ._blocks import BlockedRow
from ._candidates import Candidates
from ._dialects import Dialect, Order, dialect_for
from ._edits import History, check_history
from ._random import (
    UniformSource,
    batch_sources,
    list_seeds,
    refuse_seed_with_step,
    row_seeds,
    seeded_source,
)
from ._rows import (
    Floats,
    as_matrix,
    check_count,
    check_per_row,
    is_listed,
)
from ._steps import Ban, Bias, Edit, Narrow, Penalties, Step, Turn
from ._survivors import CutRow, Survivors
from ._watch import OBSERVERS, report_call

Seeds = int | Sequence[int | None]
Sources = UniformSource | int | Sequence[UniformSource | int | None]

_EDITS = (Bias, Ban, Penalties)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The steps of a chain bound to one row."""

    edits: tuple[Edit, ...]
    narrows: tuple[Narrow, ...]


class Sampler:
    """Choose the next token of every row by an ordered chain of steps.

    Args:
        chain: the steps. Without ``order`` they run as given, edits of logits
            (:class:`Bias`, :class:`Ban`, :class:`Penalties`) first. No steps
            means plain softmax sampling.
        order: ``"hf"``, ``"vllm"`` or ``"llamacpp"`` sorts the steps into the
            order of that engine and takes over its rules for ties, penalties and
            greedy temperatures (table in docs/sampling.md). A step which the
            engine does not have is an error.
        seed: makes every draw a function of (seed, step) alone: an int for the
            whole batch (row r then has a stream of its own, row 0 that of a
            single row), or one for each request, None for no seed. A request's
            draws then do not depend on its neighbours or its place.
        on_empty: what to do with a row that bans and biases left without any
            possible token: ``"raise"`` a ValueError that names the row, or take
            the ``"greedy"`` choice of the row as it came in. A row that comes in
            without any is an error in either case.

    Raises:
        ValueError: a parameter is out of range, two steps are for batches of
            different sizes, or the order does not allow a step.

    >>> import numpy as np
    >>> from jsonsift.sampling import MinP, Temperature, TopK, TopP, exponential
    >>> chain = (Temperature(0.8), TopK(50), TopP(0.9), MinP(0.05))
    >>> sampler = Sampler(chain, order="hf", seed=7)
    >>> logits = np.log([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]])
    >>> sampler(logits, step=0).shape
    (2,)
    >>> sampler(logits, step=3).tolist() == sampler(logits, step=3).tolist()
    True
    >>> cooling = Sampler([Temperature(exponential(1.0, 0.98, floor=0.3))])
    >>> cooling(logits[0], step=40) in (0, 1, 2)
    True
    """

    def __init__(
        self,
        chain: Iterable[Step] = (),
        *,
        order: Order | None = None,
        seed: Seeds | None = None,
        on_empty: Literal["raise", "greedy"] = "raise",
    ) -> None:
        if on_empty not in ("raise", "greedy"):
            raise ValueError(f"on_empty must be 'raise' or 'greedy', not {on_empty!r}")
        self.order = order
        self.seed = seed
        self.on_empty = on_empty
        dialect = dialect_for(order)
        self.chain = _arrange(tuple(chain), dialect)
        self._rows = _common_rows(self.chain)
        bound_rows = 1 if self._rows is None else self._rows
        self._plans = [_bind(self.chain, row, dialect) for row in range(bound_rows)]
        self._is_random = any(step.is_random() for step in self.chain)
        if seed is not None:
            list_seeds(seed)

    def __repr__(self) -> str:
        steps = ", ".join(map(repr, self.chain))
        return f"Sampler([{steps}], order={self.order!r}, seed={self.seed!r})"

    def __call__(
        self,
        logits: object,
        *,
        step: int | Sequence[int] | None = None,
        history: History | Sequence[History] | None = None,
        seed: Seeds | None = None,
        rng: Sources | None = None,
    ) -> Any:
        """Return the next token of every row.

        Args:
            logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
            step: how many tokens were generated before this one, or one number
                for each row; by default the length of the history's output. A
                seeded sampler and a schedule need it.
            history: what penalties look at; for ``[B, V]`` one for each row.
            seed: overrides the sampler's, for batches whose requests change; a row
                whose seed is None has the sampler's.
            rng: where uniforms come from instead of a seed; as in
                :func:`jsonsift.sampling.sample`. An int is for a single draw: each
                call with it draws with the same numbers, so it is an error beside
                ``step``.

        Returns:
            An int for ``[V]``, int64 ``[B]`` for ``[B, V]``.

        Raises:
            ValueError: a row holds NaN, +inf or nothing but -inf (the message
                names it), or an argument does not fit the batch.
            TypeError: a seed, a source or a history is of another kind.
        """
        clock = perf_counter_ns() if OBSERVERS else 0
        matrix, single = as_matrix(logits)
        turns = self._turns(matrix.shape[0], step, history, seed, rng)
        ids = []
        for turn in turns:
            ids.append(self._narrowed(matrix[turn.row], turn).draw_one(turn.source))
        if clock:
            report_call("sample", clock, matrix.size, "drawn", values=len(turns))
        return ids[0] if single else np.array(ids, np.int64)

    def candidates(
        self,
        logits: object,
        *,
        step: int | Sequence[int] | None = None,
        history: History | Sequence[History] | None = None,
        seed: Seeds | None = None,
        rng: Sources | None = None,
    ) -> Any:
        """Return what a call would draw from, without drawing.

        Arguments and errors are those of a call; ``seed`` and ``rng`` matter to
        :class:`XTC` alone, so without it a seeded sampler needs no ``step`` here
        (unless for a schedule).

        Returns:
            :class:`Candidates` for ``[V]``, a list of them for ``[B, V]``. Their
            logits are edited but not divided by their ``temperature``.

        >>> import numpy as np
        >>> from jsonsift.sampling import Temperature, TopP
        >>> sampler = Sampler([Temperature(0.5), TopP(0.8)])
        >>> left = sampler.candidates(np.log([0.6, 0.3, 0.1]))
        >>> left.ids.tolist(), left.probabilities().round(2).tolist()
        ([0, 1], [0.8, 0.2])
        """
        matrix, single = as_matrix(logits)
        turns = self._turns(
            matrix.shape[0], step, history, seed, rng, draws=self._is_random
        )
        found: list[Candidates] = [
            self._narrowed(matrix[turn.row], turn).candidates() for turn in turns
        ]
        return found[0] if single else found

    def as_hf(
        self, *, mode: Mode = "force", prompt_length: int | None = None
    ) -> HFProcessor:
        """Return a ``LogitsProcessor`` for Hugging Face's ``generate``.

        Pass it as ``generate(..., logits_processor=[sampler.as_hf()])``. It runs
        before generate's own temperature and filters.

        Args:
            mode: ``"force"`` lets this sampler draw; ``"mask"`` hands the processed
                logits on, to be drawn from by ``do_sample=True`` (say ``top_k=0``
                there) or searched by beams.
            prompt_length: how many ids are prompt; by default those of the first
                call. Needed when one processor serves several ``generate`` calls.

        Raises:
            ValueError: the mode is another.
        """
        return HFProcessor(self, mode, prompt_length)

    def as_vllm(
        self, *, mode: Mode = "force", base: type | None = None
    ) -> type[VLLMProcessor]:
        """Return a logits processor class for vLLM's V1 engine.

        Pass it as ``LLM(..., logits_processors=[cls])``, with
        ``base=vllm.v1.sample.logits_processor.LogitsProcessor``. It serves every
        request but those with ``extra_args={"jsonsift": False}``; the step is the
        number of output ids, and a request's own ``seed`` is used in mode
        ``"force"``. vLLM applies it before penalties, temperature, k and p of its
        own, so in mode ``"mask"`` requests should ask for temperature 1.

        Args:
            mode: as in :meth:`as_hf`.
            base: a class to derive from, since vLLM checks for its own.

        Raises:
            ValueError: the mode is another.
        """
        return processor_class(VLLMProcessor, self, mode, base)

    def as_sglang(
        self, *, mode: Mode = "force", base: type | None = None
    ) -> type[SGLangProcessor]:
        """Return a custom logit processor class for sglang.

        With ``base=sglang.srt.sampling.custom_logit_processor.CustomLogitProcessor``
        the class has ``to_str()``, whose result goes into a request's
        ``custom_logit_processor``; the server needs jsonsift installed and
        ``--enable-custom-logit-processor``. A request's ``custom_params`` may hold
        ``{"seed": 7}``. sglang applies it before its temperature.

        Args:
            mode: as in :meth:`as_hf`.
            base: a class to derive from.

        Raises:
            ValueError: the mode is another.
        """
        return processor_class(SGLangProcessor, self, mode, base)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.chain, self.order, self.seed, self.on_empty)

    def _turns(
        self,
        rows: int,
        step: int | Sequence[int] | None,
        history: History | Sequence[History] | None,
        seed: Seeds | None,
        rng: Sources | None,
        *,
        draws: bool = True,
    ) -> list[Turn]:
        if self._rows is not None and rows != self._rows:
            raise ValueError(
                f"the chain has parameters for {self._rows} rows, the batch {rows}"
            )
        if step is not None and seed is None and type(rng) is not np.random.Generator:
            refuse_seed_with_step(rng)
        if history is None and seed is None and (rng is not None or self.seed is None):
            if step is None or (type(step) is int and step >= 0):
                # The usual case, on the path of every token.
                if rows == 1 and rng is not None and type(rng) is np.random.Generator:
                    return [Turn(0, step, None, rng)]
                return [
                    Turn(row, step, None, source)
                    for row, source in enumerate(batch_sources(rng, rows))
                ]
        histories = _histories(history, rows)
        steps = _steps(step, histories, rows)
        sources = self._sources(steps, seed, rng, draws)
        return [
            Turn(row, steps[row], histories[row], sources[row]) for row in range(rows)
        ]

    def _sources(
        self,
        steps: list[int | None],
        seed: Seeds | None,
        rng: Sources | None,
        draws: bool,
    ) -> list[UniformSource]:
        if rng is not None:
            if seed is not None:
                raise ValueError("give seed= or rng=, not both")
            return batch_sources(rng, len(steps))
        rows = len(steps)
        seeds = row_seeds(self.seed if seed is None else seed, rows)
        if seed is not None and self.seed is not None and None in seeds:
            # Whatever its neighbours have, a row without a seed of its own gets
            # what it would get if nobody had one.
            own = row_seeds(self.seed, rows)
            seeds = [
                mine if one is None else one
                for one, mine in zip(seeds, own, strict=True)
            ]
        if not draws:
            # What no uniform decides needs no stream, and so no step.
            seeds = [None] * rows
        return [
            seeded_source(one, step) for one, step in zip(seeds, steps, strict=True)
        ]

    def _narrowed(self, values: Floats, turn: Turn) -> Survivors:
        plan = self._plans[turn.row if self._rows is not None else 0]
        edited = values
        if plan.edits:
            edited = values.copy()
            for edit in plan.edits:
                edit(edited, turn)
            if self.on_empty == "greedy" and edited.max() == -math.inf:
                return CutRow(BlockedRow(values, turn.row)).heat(0.0)
        left: Survivors = CutRow(BlockedRow(edited, turn.row))
        for narrow in plan.narrows:
            left = narrow(left, turn)
        return left


def _rebuild(
    chain: tuple[Step, ...],
    order: Order | None,
    seed: Seeds | None,
    on_empty: Literal["raise", "greedy"],
) -> Sampler:
    return Sampler(chain, order=order, seed=seed, on_empty=on_empty)


def _arrange(chain: tuple[Step, ...], dialect: Dialect) -> tuple[Step, ...]:
    for step in chain:
        if not isinstance(step, Step):
            raise TypeError(f"a chain is made of steps, not {step!r}")
    if dialect.order is not None:
        ranks = {name: rank for rank, name in enumerate(dialect.order)}
        for step in chain:
            if type(step).__name__ not in ranks:
                raise ValueError(
                    f"{dialect.name} has no {type(step).__name__}: leave out order= "
                    "to combine steps of your own"
                )
        return tuple(sorted(chain, key=lambda step: ranks[type(step).__name__]))
    is_edit = [isinstance(step, _EDITS) for step in chain]
    if is_edit != sorted(is_edit, reverse=True):
        raise ValueError("Bias, Ban and Penalties must come before the other steps")
    return chain


def _common_rows(chain: tuple[Step, ...]) -> int | None:
    counts = {rows for step in chain if (rows := step.rows()) is not None}
    if len(counts) > 1:
        raise ValueError(f"steps are for batches of different sizes: {sorted(counts)}")
    return counts.pop() if counts else None


def _bind(chain: tuple[Step, ...], row: int, dialect: Dialect) -> _Plan:
    bound = [step.bind(row, dialect) for step in chain]
    return _Plan(
        tuple(edit for edit, _ in bound if edit is not None),
        tuple(narrow for _, narrow in bound if narrow is not None),
    )


def _histories(
    history: History | Sequence[History] | None, rows: int
) -> list[History | None]:
    if history is None:
        return [None] * rows
    listed: list[Any] = [history]
    if not isinstance(history, History):
        if not is_listed(history):
            raise TypeError(
                f"history must be a History, or a sequence of one for each row, not "
                f"{shorten(history)}"
            )
        listed = list(history)
    if len(listed) != rows:
        raise ValueError(f"history has {len(listed)} values for a batch of {rows} rows")
    for row, one in enumerate(listed):
        if one is not None:
            check_history(one, row)
    return listed


def _steps(
    step: int | Sequence[int] | None, histories: list[History | None], rows: int
) -> list[int | None]:
    if step is None:
        return [
            None if history is None else len(history.output) for history in histories
        ]
    return [*check_per_row(step, rows, "step", partial(check_count, low=0))]
