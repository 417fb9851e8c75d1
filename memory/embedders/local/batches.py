"""Selects the texts of a run, and their layout. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ...model.types import Vectors

Ids = npt.NDArray[np.int64]

RUN_TOKENS = 128
"""Maximum tokens of one run (a single longer text runs alone).

Measured with the pair in one thread and questions of 14 tokens: 3.8 ms for one alone, 1.6 ms each
for six, 1.5 for twelve, and no less for more, because attention covers all tokens of a run. It also
limits a run to about 15 ms, and with it the time that a question waits behind a bulk job."""


def leading(sizes: Iterable[int], most: int) -> int:
    """How many of the first sizes have a sum of at most `most`; at least one."""
    count = 0
    for size in sizes:
        most -= size
        if count and most < 0:
            break
        count += 1
    return count


def pack(texts: Sequence[Sequence[int]]) -> tuple[Ids, Ids, Vectors]:
    """Concatenate tokenised texts without padding.

    Returns the ids of all tokens, the position of each in its own text (``int64[tokens]`` both),
    and which text each belongs to: ``float32[n, tokens]``, one or zero.
    """
    ids = np.concatenate([np.asarray(text, np.int64) for text in texts])
    positions = np.concatenate([np.arange(len(text), dtype=np.int64) for text in texts])
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    return ids, positions, (owners == np.arange(len(texts))[:, None]).astype(np.float32)
