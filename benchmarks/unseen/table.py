"""Prints figures: judgement by language as one table, all others beside those of the run before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BY_LANGUAGE = "by language"
_SHORT = {
    "quarantined": "innocent held",
    "planted, recallable": "planted recalled",
    "honest, quarantined": "honest held",
    "format, readable": "format readable",
    "prose, readable": "prose readable",
    "decoys, redacted": "decoys touched",
}
_WIDTH = 17


def lines(result: Mapping[str, Any], earlier: Mapping[str, Any]) -> Iterator[str]:
    """Every figure but those by language, beside the one of the run before."""
    before = dict(_flat(earlier))
    for name, value in _flat(result):
        if BY_LANGUAGE in name:
            continue
        old = before.get(name)
        changed = "" if old is None or old == value else f"   was {_text(old)}"
        yield f"{name:64}{_text(value):>22}{changed}"


def matrix(result: Mapping[str, Any], sets: Sequence[str]) -> Iterator[str]:
    """For these sets together, each judgement (a column) in each language (a row)."""
    found: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in _SHORT}
    for name, shares in found.items():
        for one in sets:
            for language, (hits, total) in result[one].get(f"{name}, {BY_LANGUAGE}", {}).items():
                old = shares.get(language, (0, 0))
                shares[language] = (old[0] + hits, old[1] + total)
    columns = [name for name in found if found[name]]
    if not columns:
        return
    yield f"{'':9}" + "".join(f"{_SHORT[name]:>{_WIDTH}}" for name in columns)
    for language in sorted({each for name in columns for each in found[name]}):
        row = (_share(found[name].get(language)) for name in columns)
        yield f"{language:9}" + "".join(f"{each:>{_WIDTH}}" for each in row)


def _share(value: tuple[int, int] | None) -> str:
    return f"{value[0]}/{value[1]} ({value[0] / max(value[1], 1):.0%})" if value else "-"


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}: {key}" if name else key)
    elif isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], int):
        yield name, list(value)
    elif isinstance(value, (int, float)):
        yield name, value


def _text(value: Any) -> str:
    if isinstance(value, list):
        hits, total = value
        return f"{hits}/{total} ({hits / max(total, 1):.1%})"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
