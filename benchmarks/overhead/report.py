"""The table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from closed_loop import paired_ratio
from contestants import BARE, DIRECT, RECALL
from load import median

Rows = dict[str, dict[str, Any]]


def rows_of(result: Mapping[str, Any]) -> Rows:
    """One row per contestant; added figures are those of direct calls at the same rate taken off.

    CPU in ms per request and µs per event; the rest of the times in ms; memory in MB.
    """
    return {name: _row(name, result) for name in result["cpu_ms"]["1 KB"]}


def _row(name: str, result: Mapping[str, Any]) -> dict[str, Any]:
    cpu, events, alone = result["cpu_ms"], result["event_us"], result["alone"]
    row: dict[str, Any] = {
        "cpu_1kb": median(cpu["1 KB"][name]),
        "cpu_64kb": median(cpu["64 KB"][name]),
        "ratio": paired_ratio(cpu["1 KB"][name], cpu["1 KB"][BARE]),
        "ratio_64kb": paired_ratio(cpu["64 KB"][name], cpu["64 KB"][BARE]),
        "event_us": median(events[name]),
        "event_ratio": paired_ratio(events[name], events[BARE]),
        "first_byte": alone[name]["first_byte_p50"],
        "added_first_byte": alone[name]["first_byte_p50"] - alone[DIRECT]["first_byte_p50"],
        "gap_p99": result["gap_p99_ms"][name],
        "rss_mb": result["rss_mb"][name],
    }
    return row | _open(name, result)


def _open(name: str, result: Mapping[str, Any]) -> dict[str, Any]:
    for rate, seen in result["open_loop"].items():
        if name in seen and (name != DIRECT or rate == str(result["rate"])):
            base = seen[DIRECT]
            added = {f"added_{p}": seen[name][p] - base[p] for p in ("p50", "p95", "p99")}
            lost = {key: seen[name][key] for key in ("calls", "failed", "dropped", "injected")}
            return {**added, **lost, "rate": int(rate)}
    return {}


_COLUMNS = (
    # key, heading, width, decimals
    ("added_p50", "+p50 ms", 8, 2),
    ("added_p95", "+p95 ms", 8, 2),
    ("added_p99", "+p99 ms", 8, 2),
    ("rate", "at /s", 6, 0),
    ("failed", "failed", 7, 0),
    ("dropped", "dropped", 8, 0),
    ("cpu_1kb", "CPU ms 1KB", 11, 3),
    ("ratio", "x bare", 7, 2),
    ("cpu_64kb", "64KB", 8, 3),
    ("ratio_64kb", "x bare", 7, 2),
    ("event_us", "us/event", 9, 1),
    ("event_ratio", "x bare", 7, 2),
    ("first_byte", "TTFB ms", 8, 2),
    ("added_first_byte", "+TTFB", 7, 2),
    ("gap_p99", "gap p99", 8, 1),
    ("rss_mb", "RSS MB", 7, 0),
)


def show(rows: Rows, mem0: Mapping[str, float] | None) -> None:
    """Print all. A dash is what could not be measured."""
    print(f"\n{'':20}" + "".join(f"{heading:>{width}}" for _, heading, width, _ in _COLUMNS))
    for name, row in rows.items():
        cells = (_cell(row.get(key), width, places) for key, _, width, places in _COLUMNS)
        print(f"{name:20}" + "".join(cells))
    print("\n+ is what is added to direct calls; CPU of 'direct' is the mock's own.")
    if calls := rows[RECALL].get("calls"):
        print(f"{rows[RECALL]['injected']:.0f} of {calls:.0f} open-loop recalls brought memories.")
    if mem0:
        print(
            f"A bare mem0 search, no HTTP and no embedding: {mem0['cpu_ms']:.1f} ms CPU, "
            f"p50 {mem0['p50_ms']:.1f}, p95 {mem0['p95_ms']:.1f} ms."
        )


def _cell(value: float | None, width: int, places: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{places}f}"
