"""Reads the lines of an export strictly; every refusal names the field. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..model.claims import NO_CLAIMS, GraphClaims, claims_of
from ..model.doubts import loaded
from ..model.errors import InvalidInputError
from ..model.inputs import check_metadata, check_text
from ..model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    Vector,
)
from ..util.untrusted_json import LINE, JsonTooLargeError, read_json
from . import earlier
from .fields import Fields
from .lines import FORMAT, KIND, LISTS, MOMENTS, TEXTS, WAS, Header
from .seals import Seals
from .turns import CarriedTurn, read_turn

MAX_PROVENANCE_BYTES = 60_000
"""As JSON: fits the stores' column."""
_IDS = ("superseded_by", "taken_from", "matter", "archived_for")
_REFERENCES = ("withheld", "pending", "cites")


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The last line."""

    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A row that a line carries, with its history, as the line has it."""

    item: MemoryItem
    history: tuple[HistoryRecord, ...] = ()
    vector: Vector | None = None
    sealed: bool = False
    """Whether the tenant had a memory with this id."""
    unchanged: bool = False
    """Whether nobody changed the line since this installation wrote it."""

    @property
    def references(self) -> set[str]:
        """The ids of other memories that it names."""
        origin = self.item.provenance
        found = {origin.superseded_by, origin.taken_from, *origin.withheld}
        for record in self.history:
            found |= {record.taken_from, *record.withheld}
        return {each for each in found if each is not None} - {self.item.id}


Read: TypeAlias = Header | Carried | CarriedTurn | End


def read_line(line: bytes, header: Header | None, seals: Seals) -> Read:
    """What a line says, for the tenant of the `seals`. Without a `header` it must be one.

    Raises:
        InvalidInputError: it is malformed; names the field.
    """
    value = _parsed(line)
    if "recollect" in value:
        return _header(value)
    if header is None:
        raise InvalidInputError("recollect", f"expected {KIND!r}: this is no export of memories")
    if "end" in value:
        return _end(value)
    if "said" in value:
        return read_turn(value, seals.tenant, unchanged=seals.is_unchanged(line))
    return _carried(value, header, seals, line)


def check_header(line: bytes) -> None:
    """Whether a file that begins with this line is an export.

    Raises:
        InvalidInputError: it is not; names the line and the field.
    """
    try:
        read_line(line, None, Seals(""))
    except InvalidInputError as error:
        raise InvalidInputError(f"line 1, {error.field}", error.expected) from None


def _parsed(line: bytes) -> Mapping[str, Any]:
    try:
        value = read_json(line, LINE)
    except JsonTooLargeError as error:
        raise InvalidInputError("line", str(error)) from None
    except ValueError:
        raise InvalidInputError("line", "expected one JSON object") from None
    if not isinstance(value, dict):
        raise InvalidInputError("line", "expected one JSON object")
    return value


def _header(value: Mapping[str, Any]) -> Header:
    fields = Fields("", value)
    if fields.take("recollect") != KIND:
        raise InvalidInputError("recollect", f"expected {KIND!r}")
    number = fields.whole("format", least=1, default=0)
    if number > FORMAT:
        raise InvalidInputError("format", f"expected at most {FORMAT}: a later version wrote it")
    header = Header(
        embedder=earlier.present_id(fields.text("embedder")),
        dim=fields.whole("dim", least=1, default=0),
        vectors=fields.flag("vectors"),
        made_at=fields.moment_or_none("made_at"),
        format=number,
    )
    fields.done()
    return header


def _end(value: Mapping[str, Any]) -> End:
    fields = Fields("", value)
    if fields.take("end") is not True:
        raise InvalidInputError("end", "expected true")
    end = End(memories=fields.whole("memories", least=0, default=-1))
    fields.done()
    return end


def _carried(value: Mapping[str, Any], header: Header, seals: Seals, line: bytes) -> Carried:
    if len(line) > MAX_PROVENANCE_BYTES:
        _check_size(value.get("memory"))
    fields = Fields("", value)
    item = _item(Fields("memory", fields.take("memory")), seals.tenant, header)
    records = value.get("history", [])
    fields.take("history")
    if not isinstance(records, list):
        raise InvalidInputError("history", "expected a list")
    history = tuple(
        _record(Fields(f"history[{number}]", each), item) for number, each in enumerate(records)
    )
    seal = fields.text_or_none("seal") or ""
    fields.take("signature")
    carried = Carried(
        item=item,
        history=history,
        vector=_vector(fields.take("vector"), header),
        sealed=seals.is_sealed(item.id, seal),
        unchanged=seals.is_unchanged(line),
    )
    fields.done()
    return carried


def _check_size(memory: object) -> None:
    origin = memory.get("provenance") if isinstance(memory, dict) else None
    if len(json.dumps(origin, ensure_ascii=False).encode("utf-8", "replace")) > (
        MAX_PROVENANCE_BYTES
    ):
        most = f"must have at most {MAX_PROVENANCE_BYTES} bytes as JSON"
        raise InvalidInputError("memory.provenance", most)


def _item(fields: Fields, tenant: str, header: Header) -> MemoryItem:
    text = fields.take("text")
    check_text(fields.name_of("text"), text)
    item = MemoryItem(
        id=fields.id("id"),
        text=text,
        type=fields.word("type", MemoryType),
        status=fields.word("status", MemoryStatus),
        scope=_scope(fields, tenant),
        created_at=fields.moment("created_at"),
        updated_at=fields.moment("updated_at"),
        valid_from=fields.moment_or_none("valid_from"),
        valid_to=fields.moment_or_none("valid_to"),
        last_accessed_at=fields.moment_or_none("last_accessed_at"),
        access_count=fields.whole("access_count", least=0, default=0),
        importance=fields.number("importance", 0.5),
        version=fields.whole("version", least=1, default=1),
        metadata=_metadata(fields),
        embedder_id=earlier.present_id(fields.text_or_none("embedder") or header.embedder),
        provenance=_provenance(fields),
    )
    fields.done()
    return earlier.as_now(item) if header.format <= earlier.LAST else item


def _scope(fields: Fields, tenant: str) -> Scope:
    ids = {name: fields.take(name) for name in ("user_id", "agent_id", "run_id")}
    try:
        return Scope(tenant=tenant, **ids)
    except InvalidInputError as error:
        raise InvalidInputError(fields.name_of(error.field), error.expected) from None


def _metadata(fields: Fields) -> dict[str, Any]:
    metadata = fields.take("metadata")
    try:
        check_metadata(metadata)
    except InvalidInputError as error:
        raise InvalidInputError(fields.name_of("metadata"), error.expected) from None
    return dict(metadata or {})


def _provenance(around: Fields) -> Provenance:
    value = around.take("provenance") or {}
    where = around.name_of("provenance")
    fields = Fields(where, value)
    named: dict[str, Any] = {
        **{name: _named(fields, name) for name in TEXTS},
        **{name: _listed(fields, name) for name in LISTS},
        **{name: fields.moment_or_none(name) for name in MOMENTS},
        **{name: fields.word_or_none(name, MemoryStatus) for name in WAS},
    }
    origin = Provenance(
        source=fields.word("source", Source),
        sequence=fields.whole("sequence", least=0, default=0),
        reasons=_doubts(fields),
        claims=_claims(fields),
        **named,
    )
    fields.done()
    return origin


def _named(fields: Fields, name: str) -> str | None:
    return fields.id_or_none(name) if name in _IDS else fields.text_or_none(name)


def _listed(fields: Fields, name: str) -> tuple[str, ...]:
    return fields.ids(name) if name in _REFERENCES else fields.texts(name)


def _claims(fields: Fields) -> GraphClaims:
    value = fields.take("claims")
    if value is None:
        return NO_CLAIMS
    inner = Fields(fields.name_of("claims"), value)
    both = {name: inner.take(name) or [] for name in ("entities", "relations")}
    inner.done()
    for name, listed in both.items():
        if not isinstance(listed, list):
            raise InvalidInputError(inner.name_of(name), "expected a list of objects")
    return claims_of(both)


def _doubts(fields: Fields) -> tuple[Doubt, ...]:
    rows = fields.take("reasons")
    if rows is None:
        return ()
    name = fields.name_of("reasons")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidInputError(name, "expected a list of objects")
    for number, row in enumerate(rows):
        inner = Fields(f"{name}[{number}]", row)
        inner.text("kind")
        for each in ("whose", "detail", "sentence"):
            inner.text_or_none(each)
        inner.done()
    return loaded(rows)


def _record(fields: Fields, item: MemoryItem) -> HistoryRecord:
    record = HistoryRecord(
        id=fields.id("id"),
        memory_id=item.id,
        event=fields.word("event", EventKind),
        old_value=fields.text_or_none("old_value"),
        new_value=fields.text_or_none("new_value"),
        timestamp=fields.moment("timestamp"),
        is_deleted=fields.flag("is_deleted"),
        scope=item.scope,
        valid_at=fields.moment_or_none("valid_at"),
        stage=fields.text_or_none("stage") or "",
        reason=fields.text_or_none("reason") or "",
        scores=fields.scores("scores"),
        reasons=_doubts(fields),
        taken_from=fields.id_or_none("taken_from"),
        withheld=fields.ids("withheld"),
    )
    fields.done()
    return record


def _vector(value: object, header: Header) -> Vector | None:
    """The vector with length 1, whatever the line says."""
    if value is None:
        return None
    try:
        raw = base64.b64decode(value, validate=True)  # type: ignore[arg-type]  # else a TypeError
        numbers = np.frombuffer(raw, dtype="<f4").astype(np.float32)
    except (TypeError, ValueError, binascii.Error):
        raise InvalidInputError("vector", "expected float32 numbers in base64") from None
    if numbers.shape != (header.dim,):
        expected = f"expected {header.dim} numbers, as the header says, got {len(numbers)}"
        raise InvalidInputError("vector", expected)
    # As ``float64``: the squares of large numbers do not fit the shorter kind.
    length = float(np.linalg.norm(numbers.astype(np.float64)))
    if not np.isfinite(length) or length == 0:
        raise InvalidInputError("vector", "expected finite numbers, not all of them 0")
    if abs(length - 1) < 1e-3:  # noqa: PLR2004 - what rounding makes of a length of 1
        return numbers
    return (numbers / length).astype(np.float32)
