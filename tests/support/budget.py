"""How much a hunting test tries: less in `make quick`, a sample in `make test`, more in `make soak`.

`TEST_HUNT` is the factor; from `WHOLE` on, which `make soak` sets, tables are walked whole.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, lcm
from typing import TypeVar

Case = TypeVar("Case")
Row, Column = TypeVar("Row"), TypeVar("Column")

WHOLE = 10
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


def paired(
    rows: Sequence[Row], columns: Sequence[Column], each: int
) -> Iterator[tuple[Row, Column]]:
    """Different pairs: every row has `each` columns at least, and every column as many rows.

    All pairs where tables are walked whole: what goes wrong depends on the row, or on the kind of
    the column, hardly ever on the pair.
    """
    if FACTOR >= WHOLE:
        yield from product(rows, columns)
        return
    most = len(rows) * len(columns)
    for at in range(min(most, max(len(rows), len(columns)) * max(1, round(each * min(FACTOR, 1))))):
        # Down the diagonals, one after the other.
        yield (
            rows[at % len(rows)],
            columns[(at + at // lcm(len(rows), len(columns))) % len(columns)],
        )
