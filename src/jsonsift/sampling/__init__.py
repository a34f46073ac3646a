"""Exact sampling from logits over a whole vocabulary, with NumPy alone.

This package is an island: it imports NumPy and nothing else of jsonsift (but for
whom to tell of a draw, where that is there), and nothing else of jsonsift imports it.
``docs/sampling.md`` explains the algorithms and proves them.

>>> import numpy as np
>>> from jsonsift.sampling import Sampler, Temperature, TopK, sample
>>> logits = np.log(np.array([0.1, 0.6, 0.3]))
>>> sample(logits, 0.7, rng=5) in (0, 1, 2)
True
>>> Sampler([Temperature(0.7), TopK(1)])(logits)
1
"""

try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    raise ImportError(
        'jsonsift.sampling needs NumPy: pip install "jsonsift[sampling]"'
    ) from error

from ._candidates import Candidates
from ._draw import greedy, gumbel_max, sample
from ._edits import History, ban, logit_bias, penalize
from ._filters import min_p, top_k, top_n_sigma, top_p, typical_p, xtc
from ._probabilities import log_softmax, logprobs, softmax
from ._random import SeededStream, UniformSource
from ._sampler import Sampler
from ._schedules import (
    Schedule,
    constant,
    cosine,
    exponential,
    linear,
    piecewise,
)
from ._steps import (
    XTC,
    Ban,
    Bias,
    MinP,
    Penalties,
    Step,
    Temperature,
    TopK,
    TopNSigma,
    TopP,
    TypicalP,
)

__all__ = [
    "XTC",
    "Ban",
    "Bias",
    "Candidates",
    "History",
    "MinP",
    "Penalties",
    "Sampler",
    "Schedule",
    "SeededStream",
    "Step",
    "Temperature",
    "TopK",
    "TopNSigma",
    "TopP",
    "TypicalP",
    "UniformSource",
    "ban",
    "constant",
    "cosine",
    "exponential",
    "greedy",
    "gumbel_max",
    "linear",
    "log_softmax",
    "logit_bias",
    "logprobs",
    "min_p",
    "penalize",
    "piecewise",
    "sample",
    "softmax",
    "top_k",
    "top_n_sigma",
    "top_p",
    "typical_p",
    "xtc",
]
