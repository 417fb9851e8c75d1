"""How much a property test tries: a sample in `make test`, more in `make hunt`."""

import os

FACTOR = float(os.environ.get("RECOLLECT_TEST_HUNT", "1"))


def examples(sample: int) -> int:
    """How many examples to try where the suite tries `sample`."""
    return max(1, round(sample * FACTOR))
