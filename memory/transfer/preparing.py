"""Prepares rows of a file for writing: in pages, checked, judged. Off the event loop.

Memory stays flat however large the file is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ..model.errors import InvalidInputError
from ..model.owner import covers
from ..model.types import OwnerRef, Scope
from .line_reader import Carried, read_line
from .line_trust import Redact, judged
from .lines import Header
from .seals import Seals
from .state import EmbedWhen, ImportOptions, ImportState, OnError
from .turns import ExportedTurn, redacted

MAX_LINE_BYTES = 32 * 2**20
"""A memory with hundreds of versions in its history; a longer line is no line of ours."""
PAGE_BYTES = 4 * 2**20


class Reads(Protocol):
    """A binary file."""

    def readline(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file, without its line break."""

    number: int
    """From 1."""
    data: bytes
    end: int
    """The position in the file after it."""

    def refuse(self, error: InvalidInputError) -> InvalidInputError:
        """The error with the number of the line."""
        return InvalidInputError(f"line {self.number}, {error.field}", error.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """Reads the lines of an import."""

    owner_ref: OwnerRef
    """The scope or tenant that the import may write to."""
    seals: Seals
    how: ImportOptions
    redact: Redact
    embedder: str
    dim: int

    def fits(self, header: Header) -> bool:
        """Whether the vectors of a file can be stored here."""
        return header.vectors and (header.embedder, header.dim) == (self.embedder, self.dim)


@dataclass(slots=True)
class Prepared:
    """Lines that were read."""

    state: ImportState
    """Where the import is once they are written."""
    rows: list[tuple[FileLine, Carried]] = field(default_factory=list)
    turns: list[ExportedTurn] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    quarantined: int = 0
    error: InvalidInputError | None = None
    """Why nothing more was read."""

    @property
    def scopes(self) -> set[Scope]:
        """Whose rows and turns these are."""
        rows = {carried.item.scope for _, carried in self.rows}
        return rows.union(each.turn.scope for each in self.turns)


def read_page(file: Reads, number: int, position: int, *, most: int) -> list[FileLine]:
    """The next lines, about `most`, after so many lines and bytes; empty ones are left out.

    Raises:
        InvalidInputError: a line is too long; names it.
        OSError: the file cannot be read.
    """
    lines: list[FileLine] = []
    size = 0
    while len(lines) < most and size < PAGE_BYTES:
        data = file.readline(MAX_LINE_BYTES + 1)
        if not data:
            break
        number, position, size = number + 1, position + len(data), size + len(data)
        if len(data) > MAX_LINE_BYTES:
            too_long = f"expected a line of at most {MAX_LINE_BYTES} bytes"
            raise InvalidInputError(f"line {number}", too_long)
        if not data.isspace():
            lines.append(FileLine(number, data.rstrip(b"\r\n"), position))
    return lines


def prepared(lines: Sequence[FileLine], state: ImportState, reader: RowReader) -> Prepared:
    """The rows of the lines, up to the first that is refused if that stops the import."""
    page = Prepared(replace(state))
    at = page.state
    for line in lines:
        try:
            _take(page, line, reader)
        except InvalidInputError as error:
            told = line.refuse(error)
            # Without a header nothing can be read.
            if reader.how.on_error is OnError.STOP or at.header is None:
                page.error = told
                return page
            page.refused.append(str(told))
            at.in_part += 1
        at.line, at.position = line.number, line.end
    return page


def _take(page: Prepared, line: FileLine, reader: RowReader) -> None:
    at = page.state
    said = read_line(line.data, at.header, reader.seals)
    if isinstance(said, Header):
        _check_embedder(said, reader)
        at.header, at.in_part, at.ended = said, 0, False
    elif at.ended:
        raise InvalidInputError("line", "expected nothing after the end, or another header")
    elif isinstance(said, int):
        at.ended = True
        if said != at.in_part:
            lost = f"says {said} lines, but {at.in_part} came: the file is not whole"
            raise InvalidInputError("memories", lost)
    elif isinstance(said, ExportedTurn):
        check_owner(reader.owner_ref, said.turn.scope, "said")
        page.turns.append(said if said.unchanged else redacted(said, reader.redact))
        at.in_part += 1
    else:
        _take_row(page, line, said, reader)
        at.in_part += 1


def _take_row(page: Prepared, line: FileLine, carried: Carried, reader: RowReader) -> None:
    check_owner(reader.owner_ref, carried.item.scope)
    header = page.state.header
    assert header is not None  # noqa: S101 - read_line refuses a row without one
    usable = reader.fits(header) and carried.item.embedder_id == reader.embedder
    if not usable or reader.how.embed is EmbedWhen.ALWAYS:
        carried = replace(carried, vector=None)
    suspicious = False
    if not carried.unchanged:
        carried, suspicious = judged(carried, reader.redact)
    if carried.vector is None and reader.how.embed is EmbedWhen.NEVER:
        expected = f"expected a vector of {reader.embedder} for this text, or another `embed`"
        raise InvalidInputError("vector", expected)
    page.quarantined += suspicious
    page.rows.append((line, carried))


def _check_embedder(header: Header, reader: RowReader) -> None:
    if reader.how.embed is not EmbedWhen.NEVER or reader.fits(header):
        return
    theirs = f"those of {header.embedder} ({header.dim} numbers)" if header.vectors else "none"
    raise InvalidInputError(
        "embedder",
        f"expected vectors of {reader.embedder} ({reader.dim} numbers), the file has {theirs}; "
        "with another `embed` its texts are embedded again",
    )


def check_owner(owner_ref: OwnerRef, scope: Scope, where: str = "memory") -> None:
    """Raises InvalidInputError, which names the id that is somebody else's."""
    if covers(owner_ref, scope) or not isinstance(owner_ref, Scope):
        return
    given = scope.ids()
    other = next(name for name, value in owner_ref.ids().items() if given.get(name) != value)
    raise InvalidInputError(f"{where}.{other}", "is somebody else's than this import may write")
