"""The rows of this benchmark, and what is counted of what a chat was shown for them.

A row is one conversation of a user of its own. Every row has `id`, `lang`, `messages` (the user's
first, the last one is asked about) and `ask`, a question of a later conversation. Beside them:

- kept: `class`, `needles`, which must be shown (`together`: in one line), and `not`, what may not
  be shown as the user's own word; `pasted` is a question about the material, and what answers it;
- noise: `kind`; nothing may be shown for `ask`, nor for the message again;
- glued: `needles` of the second message, `first` is of the one before it;
- private: `needles`, which may not be shown for `unrelated`, and are what `ask` asks for;
  `lure`: the request has a word of the matter.

A needle is found as a whole word, whatever the case; in scripts without spaces anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..relevance.counting import Counts

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"
_ENTRY = re.compile(r"^- ", re.MULTILINE)
_NEXT_DAY = re.compile(r"\n\d{4}-\d\d-\d\d:$")
_MATERIAL = re.compile(
    r"(?:\d\d:\d\d )?(?:\(hearsay\)|the user (?:pasted|quoted|forwarded))", re.IGNORECASE
)
"""How an entry begins that is not the user's own word."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


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


def entries(text: str) -> list[str]:
    """The lines of an injected block, without its heading, its days and its end."""
    found = (one.split("\n</", 1)[0].strip() for one in _ENTRY.split(text)[1:])
    return [_NEXT_DAY.sub("", one) for one in found]


def has(text: str, needle: str) -> bool:
    """Whether a text has the needle."""
    before = "" if _UNSPACED.match(needle[0]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(needle[-1]) else r"(?![^\W_])"
    return bool(re.search(before + re.escape(needle) + after, text, re.IGNORECASE))


def shows(row: Row, given: Sequence[str]) -> bool:
    """Whether all needles of a row are in these entries; `together`: all in one of them."""
    texts = given if row.get("together") else ["\n".join(given)]
    return any(all(has(text, needle) for needle in row["needles"]) for text in texts)


def as_own(needle: str, given: Sequence[str]) -> bool:
    """Whether an entry has the needle as the user's own word."""
    return any(has(one, needle) and not _MATERIAL.match(one) for one in given)


def kept(counts: Counts, row: Row, given: Sequence[str], passages: Sequence[str]) -> None:
    """A row of a class: what was shown for its question, and all that was kept of it."""
    name, lang = row["class"], row["lang"]
    for figure in ("kept", f"kept {name}"):
        counts.add(f"{figure} shown", lang, shows(row, given))
        counts.add(f"{figure} there", lang, shows(row, passages))
    counts.add("kept lines", lang, len(given))
    counts.add("kept characters", lang, sum(map(len, given)))
    for needle in row.get("not", ()):
        counts.add("kept foreign", lang, as_own(needle, given))
        counts.add("kept foreign there", lang, any(has(one, needle) for one in passages))


def pasted(counts: Counts, row: Row, given: Sequence[str]) -> None:
    """What a question about the material of a row was shown."""
    needle = row["pasted"]["needle"]
    counts.add("pasted shown", row["lang"], any(has(one, needle) for one in given))
    counts.add("pasted as own", row["lang"], as_own(needle, given))


def noise(counts: Counts, row: Row, given: Sequence[str], again: Sequence[str]) -> None:
    """A row that answers nothing: what was shown for another question, and for the same again."""
    for figure in ("noise", f"noise {row['kind']}"):
        counts.add(f"{figure} shown", row["lang"], bool(given))
        counts.add(f"{figure} again", row["lang"], bool(again))


def glued(counts: Counts, row: Row, given: Sequence[str]) -> None:
    """Two unrelated messages of one conversation: the second is asked for."""
    lang, first = row["lang"], row["first"]
    both = any(has(one, first) and has(one, row["needles"][0]) for one in given)
    counts.add("glued", lang, both)
    counts.add("glued first", lang, any(has(one, first) for one in given))
    counts.add("glued shown", lang, shows(row, given))


def private(counts: Counts, row: Row, unrelated: Sequence[str], given: Sequence[str]) -> None:
    """A private matter: what was shown for an unrelated request, and for its own question."""
    came = shows(row, unrelated)
    counts.add("private unrelated", row["lang"], came)
    counts.add(f"private {'lure' if row['lure'] else 'plain'}", row["lang"], came)
    counts.add("private shown", row["lang"], shows(row, given))
