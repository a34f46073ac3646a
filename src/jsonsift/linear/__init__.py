"""Does a function take time in proportion to its input, whatever the input is?

    from jsonsift.linear import assert_linear

    def test_my_extractor_is_linear():
        assert_linear(my_extractor)

A ``Family`` is a text that can be made as long as one likes; ``catalogue()`` holds
those that made parsers, repairers and patterns slow.  ``measure_growth`` times any
callable of text or bytes on one family at growing sizes, and ``assert_linear`` demands
of all families that time, executed lines and depth of recursion grow no faster than
the length.

An island: it needs the standard library alone, and nothing of ours imports it.
"""

from ._check import NotLinearError, assert_linear
from ._families import Family, catalogue, find_family
from ._growth import SIZES, Growth, Point, measure_growth
from ._steps import STEP_SIZES, StepGrowth, Steps, measure_steps

__all__ = [
    "SIZES",
    "STEP_SIZES",
    "Family",
    "Growth",
    "NotLinearError",
    "Point",
    "StepGrowth",
    "Steps",
    "assert_linear",
    "catalogue",
    "find_family",
    "measure_growth",
    "measure_steps",
]
