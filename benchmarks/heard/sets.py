"""The rows of this benchmark. Those in a file with `.dev` may be tuned on; the others are fresh.

A row is one conversation of a user of its own. Every row has `id`, `lang`, `messages` (the user's
first, the last one is asked about) and `ask`, a question of a later conversation. Beside them:

- kept: `class`, `needles`, which must be shown (`together`: in one line), and `not`, what may not
  be shown as the user's own word; `pasted` is a question about the material, and what answers it;
- noise: `kind`; nothing may be shown for `ask`, nor for the message again;
- glued: `needles` of the second message, `first` is of the one before it;
- private: `needles`, which may not be shown for `unrelated`, and are what `ask` asks for;
  `lure`: the request has a word of the matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from .counting import Row

ROWS = Path(__file__).parent / "rows"


def read(part: str, *, dev: bool = False) -> list[Row]:
    """The rows of a part."""
    files = sorted(ROWS.glob(f"{part}*.jsonl"))
    lines = (
        line
        for path in files
        if (".dev" in path.name) is dev
        for line in path.read_text("utf-8").splitlines()
    )
    return [json.loads(line) for line in lines if line.strip()]


def strangers(some: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row with one whose question it does not answer: the next of another class.

    In the same language, going round; rows without such a neighbour are left out.
    """
    for at, row in enumerate(some):
        others = (*some[at + 1 :], *some[:at])
        for other in others:
            if other["lang"] == row["lang"] and other["class"] != row["class"]:
                yield row, other
                break
