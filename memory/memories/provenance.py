"""Provenance and other mappings as JSON texts, which keep every number and nesting. Pure."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from ..model.claims import claims_dict, claims_of
from ..model.doubts import dumped, loaded
from ..model.errors import InvalidInputError
from ..model.times import from_ms, to_ms
from ..model.types import MemoryStatus, Provenance, Source

_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in MemoryStatus}
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(Provenance)}
_MOMENTS = ("recorded_at", "archived_at", "restored_at", "validated_at", "ended_at")
_PLAIN = sorted(_DEFAULTS.keys() - {"source", "reasons", "claims", *_MOMENTS})
_WAS = {"archived_from", "ended_from"}
"""What tells a status."""
_TUPLES = {"turn_ids", "flags", "withheld", "pending", "cites", "put_off", "told_to"}
_DECODER = json.JSONDecoder()


def provenance_fields(provenance: Provenance) -> dict[str, Any]:
    """Only the fields that are set: they are read for every loaded row."""
    fields: dict[str, Any] = {"source": provenance.source.value}
    for name in _PLAIN:
        if (value := getattr(provenance, name)) != _DEFAULTS[name]:
            fields[name] = value
    if provenance.reasons:
        fields["reasons"] = dumped(provenance.reasons)
    if provenance.claims:
        fields["claims"] = claims_dict(provenance.claims)
    for name in _MOMENTS:
        if (moment := getattr(provenance, name)) is not None:
            fields[name] = to_ms(moment)
    return fields


def provenance_of(fields: dict[str, Any]) -> Provenance:
    """What `provenance_fields` gave. Raises KeyError, ValueError, TypeError for anything else."""
    source = _SOURCES[fields.pop("source")]
    for name in _TUPLES & fields.keys():
        fields[name] = tuple(fields[name])
    for name in _MOMENTS:
        if name in fields:
            fields[name] = from_ms(fields[name])
    if "reasons" in fields:
        fields["reasons"] = loaded(fields["reasons"])
    if "claims" in fields:
        fields["claims"] = claims_of(fields["claims"])
    for name in _WAS & fields.keys():
        fields[name] = _STATUSES[fields[name]]
    return Provenance(source=source, **fields)


def json_text(name: str, value: Mapping[str, Any]) -> str:
    """The JSON of a field. Raises InvalidInputError, which names it, if it has none."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(name, f"must be JSON: {error}") from error


def json_object(text: str) -> dict[str, Any]:
    """`json.loads` for what `json_text` wrote, in a third of the time: it runs for every row.

    Raises ValueError.
    """
    value, end = _DECODER.raw_decode(text)
    if end != len(text) or not isinstance(value, dict):
        raise ValueError("expected one JSON object")
    return value
