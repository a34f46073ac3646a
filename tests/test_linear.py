"""The cost gate: all families, all public calls, the build that is running.

    pytest -m linear

Time, executed lines and recursion must grow as the length does.  The sizes are those
of a quick look; ``python -m fuzz growth`` goes to 4 MB.
"""

from __future__ import annotations

import pytest

from fuzz.subjects import find_subjects
from jsonsift import JSONSiftError
from jsonsift._build import BUILD
from jsonsift.linear import Family, assert_linear, catalogue

# Those left out run the same lines as another, or on the plain build those that no
# build changes; ``python -m fuzz growth`` has them all.
SUBJECTS = find_subjects()
for name in ("repair_json", "Stream by 1"):
    del SUBJECTS[name]
if BUILD == "pure":
    SUBJECTS = {n: SUBJECTS[n] for n in ("extract_json", "loads", "Stream by 7")}
COUNTED = {"extract_json", "loads"}  # the others run the same lines
SIZES = (1_024, 4_096, 16_384, 65_536)[: 3 if BUILD == "pure" else 4]
STEP_SIZES = (2_048, 4_096, 8_192)
SECONDS = 0.5  # one call; larger sizes are left out where it would take longer


@pytest.mark.linear
@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("family", catalogue(), ids=str)
def test_cost_is_linear(family: Family, name: str) -> None:
    """A look-ahead does not remember how far it has looked."""
    assert_linear(
        SUBJECTS[name],
        [family],
        sizes=SIZES,
        step_sizes=STEP_SIZES if name in COUNTED else (),
        limit=SECONDS,
        errors=(JSONSiftError,),
    )
