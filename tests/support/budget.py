"""How much a hunting test tries: a sample in `make test`, less in `make quick`, more in `make hunt`."""

import os
from collections.abc import Sequence
from math import ceil
from typing import TypeVar

Case = TypeVar("Case")

FACTOR = float(os.environ.get("TEST_HUNT", "1"))


def examples(sample: int) -> int:
    """How many examples to try where the suite tries `sample`."""
    return max(1, round(sample * FACTOR))


def scaled(size: int) -> int:
    """The size of a text or a list that shows no more when larger: less of it in `make quick`."""
    return max(1, round(size * min(FACTOR, 1)))


def sampled(cases: Sequence[Case]) -> Sequence[Case]:
    """All of them, or in `make quick` every so manieth, with the first and the last."""
    if FACTOR >= 1:
        return cases
    stride = max(1, min(ceil(1 / FACTOR), len(cases) // 3))
    return [*cases[:-1:stride], *cases[-1:]]
