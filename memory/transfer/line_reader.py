"""Reads the lines of an export strictly; every refusal names the field. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ..model.claims import NO_CLAIMS, GraphClaims, claims_of
from ..model.doubts import loaded
from ..model.errors import InvalidInputError
from ..model.inputs import check_metadata, check_text
from ..model.scope import SCOPE_IDS
from ..model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
    Vector,
)
from ..util.untrusted_json import LINE, JsonTooLargeError, read_json
from . import earlier_formats
from .fields import Fields, Take, word
from .lines import FORMAT, ID_LISTS, ID_TEXTS, KIND, LISTS, MOMENTS, TEXTS, WAS, Header
from .seals import Seals
from .turns import ExportedTurn, read_turn

MAX_PROVENANCE_BYTES = 60_000
"""As JSON: fits the stores' column."""


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
        ones = [getattr(origin, name) for name in ID_TEXTS] + [r.taken_from for r in self.history]
        lists = [getattr(origin, name) for name in ID_LISTS] + [r.withheld for r in self.history]
        return {str(each) for each in ones if each}.union(*lists) - {self.item.id}


Read: TypeAlias = Header | Carried | ExportedTurn | int
"""A number is that of the lines which the last line says that there are."""


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
    said = fields.read(
        {"format": _POSITIVE, "embedder": Fields.text, "dim": _POSITIVE},
        {"vectors": Fields.flag, "made_at": Fields.moment},
    )
    if said["format"] > FORMAT:
        raise InvalidInputError("format", f"expected at most {FORMAT}: a later version wrote it")
    said["embedder"] = earlier_formats.present_id(said["embedder"])
    return Header(**({"vectors": False} | said))


def _end(value: Mapping[str, Any]) -> int:
    fields = Fields("", value)
    if fields.take("end") is not True:
        raise InvalidInputError("end", "expected true")
    return int(fields.read({"memories": Fields.whole}, {})["memories"])


def _carried(value: Mapping[str, Any], header: Header, seals: Seals, line: bytes) -> Carried:
    if len(line) > MAX_PROVENANCE_BYTES:
        _check_size(value.get("memory"))
    said = Fields("", value).read({}, _LINE)
    item = _item(Fields("memory", said.get("memory")), seals.tenant, header)
    records = said.get("history", [])
    if not isinstance(records, list):
        raise InvalidInputError("history", "expected a list")
    return Carried(
        item=item,
        history=tuple(
            _record(Fields(f"history[{number}]", each), item) for number, each in enumerate(records)
        ),
        vector=_vector(said.get("vector"), header),
        sealed=seals.is_sealed(item.id, said.get("seal", "")),
        unchanged=seals.is_unchanged(line),
    )


def _check_size(memory: object) -> None:
    origin = memory.get("provenance") if isinstance(memory, dict) else None
    if len(json.dumps(origin, ensure_ascii=False).encode("utf-8", "replace")) > (
        MAX_PROVENANCE_BYTES
    ):
        most = f"must have at most {MAX_PROVENANCE_BYTES} bytes as JSON"
        raise InvalidInputError("memory.provenance", most)


def _item(fields: Fields, tenant: str, header: Header) -> MemoryItem:
    said = fields.read(_ITEM, _OF_ITEM)
    scope = fields.scope_in(said, tenant)
    embedder = earlier_formats.present_id(said.pop("embedder", "") or header.embedder)
    item = MemoryItem(scope=scope, embedder_id=embedder, **said)
    return earlier_formats.as_now(item) if header.format <= earlier_formats.LAST else item


def _record(fields: Fields, item: MemoryItem) -> HistoryRecord:
    said = fields.read(_RECORD, _OF_RECORD)
    usual = {"old_value": None, "new_value": None, "is_deleted": False}
    return HistoryRecord(memory_id=item.id, scope=item.scope, **(usual | said))


def _text(fields: Fields, name: str, **_how: bool) -> str:
    text = fields.take(name)
    check_text(fields.name_of(name), text)
    return str(text)


def _metadata(fields: Fields, name: str) -> dict[str, Any]:
    metadata = fields.take(name)
    try:
        check_metadata(metadata)
    except InvalidInputError as error:
        raise fields.wrong(name, error.expected) from None
    return dict(metadata or {})


def _provenance(fields: Fields, name: str) -> Provenance:
    inner = Fields(fields.name_of(name), fields.take(name) or {})
    return Provenance(**inner.read({"source": word(Source)}, _OF_PROVENANCE))


def _claims(fields: Fields, name: str) -> GraphClaims:
    if (value := fields.take(name)) is None:
        return NO_CLAIMS
    inner = Fields(fields.name_of(name), value)
    both = inner.read({}, {"entities": Fields.take, "relations": Fields.take})
    for each, listed in both.items():
        if not isinstance(listed, list):
            raise inner.wrong(each, "expected a list of objects")
    return claims_of(both)


def _doubts(fields: Fields, name: str) -> tuple[Doubt, ...]:
    rows, where = fields.take(name), fields.name_of(name)
    if rows is None:
        return ()
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise fields.wrong(name, "expected a list of objects")
    for number, row in enumerate(rows):
        Fields(f"{where}[{number}]", row).read({"kind": Fields.text}, _OF_DOUBT)
    return loaded(rows)


_POSITIVE = partial(Fields.whole, least=1)
_STATUS = word(MemoryStatus)
_LINE: dict[str, Take] = {
    **dict.fromkeys(("memory", "history", "vector", "signature"), Fields.take), "seal": Fields.text,
}  # fmt: skip
_ITEM: dict[str, Take] = {
    "id": Fields.id, "text": _text, "type": word(MemoryType), "status": _STATUS,
    "created_at": Fields.moment, "updated_at": Fields.moment,
}  # fmt: skip
_OF_ITEM: dict[str, Take] = {
    **dict.fromkeys(SCOPE_IDS, Fields.take),
    **dict.fromkeys(("valid_from", "valid_to", "last_accessed_at"), Fields.moment),
    "access_count": Fields.whole, "importance": Fields.number, "version": _POSITIVE,
    "metadata": _metadata, "embedder": Fields.text, "provenance": _provenance,
}  # fmt: skip
_OF_PROVENANCE: dict[str, Take] = {
    **dict.fromkeys(TEXTS, Fields.text),
    **dict.fromkeys(LISTS, Fields.texts),
    **dict.fromkeys(ID_TEXTS, Fields.id),
    **dict.fromkeys(ID_LISTS, Fields.ids),
    **dict.fromkeys(MOMENTS, Fields.moment),
    **dict.fromkeys(WAS, _STATUS),
    "sequence": Fields.whole, "reasons": _doubts, "claims": _claims,
}  # fmt: skip
_RECORD: dict[str, Take] = {"id": Fields.id, "event": word(EventKind), "timestamp": Fields.moment}
_OF_RECORD: dict[str, Take] = {
    **dict.fromkeys(("old_value", "new_value", "stage", "reason"), Fields.text),
    "is_deleted": Fields.flag, "valid_at": Fields.moment, "scores": Fields.scores,
    "reasons": _doubts, "taken_from": Fields.id, "withheld": Fields.ids,
}  # fmt: skip
_OF_DOUBT = dict.fromkeys(("whose", "detail", "sentence"), Fields.text)


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
