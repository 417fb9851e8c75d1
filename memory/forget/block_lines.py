"""Lines of working blocks that tell what is to be forgotten, and blocks without them. Pure.

A block is a text that somebody wrote by hand, so it stays but for the lines that are meant: what a
query names, and what repeats a memory as an answer of a model may (`answers`). A line that only has
the same names is shown beside them, as what is near is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..language.words import sentences
from ..model.blocks import Author, Block
from ..model.row_kinds import BLOCK_PREFIX
from ..model.turns import GivenAnswer
from ..model.types import MemoryItem, MemoryType, Provenance, Source
from .answers import ForgottenText, repeating
from .query_matches import MOST
from .query_names import read_query

_DIGITS = 16


def block_of(line_id: str) -> str:
    """The id of the block that a line is of."""
    return line_id.removeprefix(BLOCK_PREFIX).rpartition(":")[0]


def lines_of(blocks: Iterable[Block]) -> list[MemoryItem]:
    """The lines of blocks, and of what these are said to be for, as rows to be shown."""
    return [
        MemoryItem(
            id=_line_id(block, line),
            text=line.strip(),
            type=MemoryType.SEMANTIC,
            scope=block.scope,
            created_at=block.created_at,
            updated_at=block.updated_at,
            embedder_id="",
            provenance=Provenance(
                source=Source.USER if block.author is Author.PERSON else Source.ASSISTANT
            ),
        )
        for block in blocks
        for line in dict.fromkeys((*sentences(block.value), *sentences(block.description)))
        if line.strip()
    ]


def meant_lines(
    query: str, lines: Sequence[MemoryItem], memories: Sequence[MemoryItem]
) -> tuple[list[MemoryItem], list[MemoryItem]]:
    """The lines that a query means, which means these memories; and what only names the same."""
    texts = [*(one.text for one in lines), *(one.text for one in memories)]
    named, read = read_query(query, texts)
    holding = [
        (line, text)
        for line, text in zip(lines, read, strict=False)
        if named.held_by(text) and not named.is_another(text)
    ]
    topic = 0 if named.every or named.strong else MOST * len(named.topic)
    sure = {line.id for line, text in holding if text.count_of(named.topic) >= topic}
    sure.update(repeats(lines, [one.text for one in memories]))
    forgotten = [ForgottenText(one.text) for one in memories]
    near = {line.id for line, _ in holding}.union(
        line.id
        for line in lines
        if any(one.may_be_in(line.text.casefold(), near=False) for one in forgotten)
    )
    return (
        [line for line in lines if line.id in sure],
        [line for line in lines if line.id in near - sure],
    )


def repeats(lines: Iterable[MemoryItem], texts: Collection[str]) -> list[str]:
    """The ids of the lines that repeat one of these texts."""
    answers = [GivenAnswer(line.id, "", (), line.text) for line in lines]
    return repeating(answers, texts, (), ())


def without_lines(block: Block, ids: Collection[str], now: datetime | None = None) -> Block:
    """A block without these lines; with `now`, a version of its own if it lost any."""
    value, description = _left(block, block.value, ids), _left(block, block.description, ids)
    if (value, description) == (block.value, block.description):
        return block
    left = replace(block, value=value, description=description)
    return left if now is None else replace(left, version=block.version + 1, updated_at=now)


def _left(block: Block, text: str, ids: Collection[str]) -> str:
    told = sentences(text)
    kept = [line for line in told if _line_id(block, line) not in ids]
    return text if len(kept) == len(told) else "".join(kept).strip()


def _line_id(block: Block, line: str) -> str:
    digest = hashlib.sha256(line.strip().encode("utf-8", "surrogatepass")).hexdigest()
    return f"{BLOCK_PREFIX}{block.id}:{digest[:_DIGITS]}"
