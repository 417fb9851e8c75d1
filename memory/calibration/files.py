"""The operator's measurements, in a JSON file.

The file holds an object by embedder id. Each entry has ``dim``, ``measured_at`` (ISO 8601),
``counts`` (pairs by label) and the five values of `Calibration`. It may have ``languages``, an
object of the worth by language code, ``elsewhere``, and ``weights``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from ..model.errors import InvalidInputError, StateError
from ..util.disk import replace_text
from .values import Calibration
from .weights import BUILT_IN, AnswerWeights

FILE_NAME = "calibration.json"
"""Name of the file in `data_dir`."""
_COSINES = {"recall": (-1.0, 1.0), "floor": (-1.0, 1.0), "ceiling": (-1.0, 1.0)}
_LIMITS = _COSINES | {"update": (-1.0, 2.0), "same": (-1.0, 2.0)}
"""Allowed range of each value; above 1 nothing is ever merged."""
_WORTH = (0.0, 1.0)
_WEIGHT = (-100.0, 100.0)


def load_calibrations(path: Path) -> Mapping[str, Calibration]:
    """The measurements in the file by embedder id; empty if there is no file.

    Raises:
        InvalidInputError: it cannot be read, or a field is missing or out of range; names the
            file and the field.
    """
    return {
        embedder_id: _calibration(entry, f"{path}: {embedder_id}")
        for embedder_id, entry in _read(path).items()
    }


def save_calibration(
    path: Path,
    embedder_id: str,
    calibration: Calibration,
    *,
    measured_at: datetime,
    counts: Mapping[str, int],
) -> None:
    """Replace one embedder's measurement in the file atomically; the others stay.

    Raises:
        InvalidInputError: the existing file is malformed; it is not changed.
        StateError: it cannot be written.
    """
    load_calibrations(path)
    entries = _read(path)
    entries[embedder_id] = {
        "dim": calibration.dim,
        "measured_at": measured_at.isoformat(timespec="seconds"),
        "counts": dict(counts),
        **{name: getattr(calibration, name) for name in _LIMITS},
        "languages": dict(calibration.languages),
        "elsewhere": calibration.elsewhere,
        "weights": asdict(calibration.weights),
    }
    try:
        replace_text(path, json.dumps(entries, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise StateError(f"cannot write {path}: {error.strerror or error}") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InvalidInputError(str(path), f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(str(path), f"is not JSON: {error}") from None
    if not isinstance(entries, dict):
        raise InvalidInputError(str(path), "expected an object by embedder id")
    return entries


def _calibration(entry: object, where: str) -> Calibration:
    if not isinstance(entry, dict):
        raise InvalidInputError(where, "expected an object with the thresholds")
    values = {name: _number(entry, name, where) for name in _LIMITS}
    _check_order(values, where)
    if values["update"] > values["same"]:
        raise InvalidInputError(f"{where}.update", f"must not be above same, {values['same']}")
    elsewhere = _number({"elsewhere": 1.0} | entry, "elsewhere", where, _WORTH)
    worths = _languages(entry.get("languages", {}), f"{where}.languages")
    return Calibration(
        recall=values["recall"],
        update=values["update"],
        same=values["same"],
        floor=values["floor"],
        ceiling=values["ceiling"],
        dim=_dim(entry, where),
        languages=worths,
        elsewhere=elsewhere,
        weights=_weights(entry.get("weights"), f"{where}.weights"),
    )


def _languages(entries: object, where: str) -> dict[str, float]:
    if not isinstance(entries, dict):
        raise InvalidInputError(where, "expected an object by language code")
    return {code: _number(entries, code, where, _WORTH) for code in entries}


def _weights(entry: object, where: str) -> AnswerWeights:
    if entry is None:
        return BUILT_IN
    if not isinstance(entry, dict):
        raise InvalidInputError(where, "expected an object with the weights")
    names = [one.name for one in fields(AnswerWeights)]
    return AnswerWeights(**{each: _number(entry, each, where, _WEIGHT) for each in names})


def _check_order(values: Mapping[str, float], where: str) -> None:
    if values["floor"] >= values["ceiling"]:
        raise InvalidInputError(f"{where}.ceiling", f"must be above floor, {values['floor']}")


def _number(
    entry: Mapping[str, Any], name: str, where: str, limits: tuple[float, float] | None = None
) -> float:
    value, (least, most) = entry.get(name), limits or _LIMITS[name]
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInputError(f"{where}.{name}", f"expected a number from {least:g} to {most:g}")
    return float(value)


def _dim(entry: Mapping[str, Any], where: str) -> int:
    value = entry.get("dim")
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInputError(f"{where}.dim", "expected the length of its vectors")
    return value
