"""The survivors of a filter, as callers see them.

May live here: the record and what can be read off it. Must not know: which
filter made it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._blocks import scale
from ._lazy import invert
from ._random import UniformSource, uniform_source
from ._rows import Doubles, Floats, Ids, check_count


@dataclass(slots=True, eq=False)
class Candidates:
    """What a filter left of one row, the most likely first.

    Attributes:
        ids: token ids, int64 ``[m]``, by descending logit; ascending among
            equal logits. Never empty.
        logits: their logits before the temperature, float32 or float64 ``[m]``.
        temperature: what the logits are to be divided by, above 0.

    >>> import numpy as np
    >>> from jsonsift.sampling import top_k
    >>> kept = top_k(np.array([1.0, 3.0, 2.0, 3.0]), 3)
    >>> kept.ids.tolist(), kept.logits.tolist()
    ([1, 3, 2], [3.0, 3.0, 2.0])
    >>> kept.probabilities().round(3).tolist()
    [0.422, 0.422, 0.155]
    >>> kept.sample(rng=1) in (1, 2, 3)
    True
    """

    ids: Ids
    logits: Floats
    temperature: float = 1.0

    def __len__(self) -> int:
        return int(self.ids.size)

    def scaled(self) -> Doubles:
        """Return logits over temperature, the largest moved to 0, float64 ``[m]``."""
        return scale(self.logits, float(self.logits[0]), self.temperature)

    def probabilities(self) -> Doubles:
        """Return the renormalised probabilities, float64 ``[m]``, of sum 1."""
        weights = np.exp(self.scaled())
        weights /= weights.sum()
        return weights

    def sample(self, *, rng: UniformSource | int | None = None) -> int:
        """Return one of the ids, drawn with ``probabilities()``.

        ``rng`` is a seed, anything with ``random(n)``, or None for fresh
        entropy.
        """
        return int(self.sample_many(1, rng=rng)[0])

    def sample_many(self, n: int, *, rng: UniformSource | int | None = None) -> Ids:
        """Return ``n`` independent draws of the ids, int64 ``[n]``."""
        check_count(n, "n")
        weights = np.exp(self.scaled())
        drawn: Ids = self.ids[invert(weights, uniform_source(rng), n)]
        return drawn
