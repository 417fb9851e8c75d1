"""docs/performance.md, from what `make bench` measured, and what the README quotes of it.

Pure but for `write_page`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE, README = ROOT / "docs" / "performance.md", ROOT / "README.md"
OTHER_ROUTE = "time added to another route, p50"
SKIPPED = "time added to a skipped chat, p50, four at a time"
RECALL = "time added to a chat with recall, p{share}, 10,000 memories"
MEMORY = "resident memory, store {store}"
QUOTED = {
    "time added to a chat without memory, four at a time": SKIPPED,
    "to a chat with recall": RECALL.format(share=50),
    "resident memory": MEMORY.format(store="embedded"),
}
"""Rows of the README, and the figures that they quote."""
HEAD = (
    "# Performance\n\n"
    "After this page you know what memory costs. `make bench` measured it in one run and wrote "
    "this page. A ratio is CPU of "
    "Recollect, all its\nprocesses and what they do after the answer included, over that of a bare "
    "aiohttp relay (of a bare\naiohttp handler for a search), in rounds that take turns before the "
    "same mock upstream. Ratios can be compared between\nmachines; times belong to this one: "
    "{machine}.\nOne *unit* is `sum(i * i % 7 for i in range(400_000))` in plain Python.\n"
)
REST = """
How these grow with memories, users, streams and workers: [scaling](scaling.md). Other measurements:
[figures](figures.md).
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the page."""

    what: str
    value: float
    unit: str
    most: float | None = None
    """The goal; None: there is none."""

    @property
    def shown(self) -> str:
        return f"{rounded(self.value)} {self.unit}"

    @property
    def goal(self) -> str:
        if self.most is None:
            return ""
        return f"≤ {self.most:g}{'' if self.value <= self.most else ', missed'}"

    def __str__(self) -> str:
        return f"{self.what:58} {self.shown:>12}  {self.goal}"


def rounded(value: float) -> str:
    """As many digits as such a measurement has."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 3 else f"{value:.2f}"


def figures(result: Mapping[str, Any]) -> list[Figure]:
    """Everything that has a goal, and what the README quotes."""
    return [*_ratios(result), *_added(result["cases"]), *_rest(result)]


def _ratios(result: Mapping[str, Any]) -> Iterator[Figure]:
    cases, events = result["cases"], result["events"]
    goals = (
        ("CPU of a request that is passed through", cases["pass-through"], 1.10),
        ("CPU of an event of a stream, passed through", events["pass-through"], 1.10),
        ("CPU of an event of a stream, chat", events["chat"], 1.10),
        ("CPU of a skipped chat, varied messages", cases["skipped chat"], 6),
        (
            "CPU of a chat of a user without memories",
            cases["chat of a user without memories"],
            8,
        ),
        (
            "CPU of a chat with recall, 1 user, vector cached",
            cases["recall, 1 user, vector cached"],
            12,
        ),
        ("CPU of a chat with recall, 1 user", cases["recall, 1 user"], 30),
        ("CPU of a chat with recall, 100 users", cases["recall, 100 users"], 40),
        ("CPU of a search by REST, vector cached", cases["search by REST, vector cached"], 4),
    )
    return (Figure(what, row["ratio"], "times", most) for what, row, most in goals)


def _added(cases: Mapping[str, Any]) -> Iterator[Figure]:
    recall = cases["recall, 100 users"]
    yield Figure(OTHER_ROUTE, cases["pass-through"]["added_p50_ms"], "ms")
    yield Figure(SKIPPED, cases["skipped chat"]["added_p50_ms"], "ms")
    goals = ((50, 5), (95, 9), (99, None))
    for share, most in goals:
        yield Figure(RECALL.format(share=share), recall[f"added_p{share}_ms"], "ms", most)


def _rest(result: Mapping[str, Any]) -> Iterator[Figure]:
    most = 350 if result["store"] == "embedded" else 250
    yield Figure(
        f"resident memory, store {result['store']}", sum(result["rss_mb"].values()), "MB", most
    )
    yield Figure("CPU when idle, share of a core", result["idle_percent"], "%", 0.3)
    yield Figure("ready after", result["ready_seconds"], "s", 1.5)


def page(result: Mapping[str, Any]) -> str:
    """The whole page."""
    told = [HEAD.format(machine=where(result["machine"]))]
    told += table(
        ("figure", "value", "command", "goal"),
        [(each.what, each.shown, "`make bench`", each.goal) for each in figures(result)],
    )
    told += [
        "",
        "Milliseconds of each kind of request; p50, p95 and p99 are what is added to the relay.",
        "",
    ]
    told += table(
        ("request", "outcome", "CPU, bare", "CPU, ours", "ratio", "p50", "p95", "p99"),
        [_times(name, row) for name, row in result["cases"].items()],
    )
    told += ["", "Resident memory by process:", ""]
    told += table(("process", "MB"), _processes(result["rss_mb"]))
    return "\n".join(told) + "\n" + REST


def where(of: Mapping[str, Any]) -> str:
    """The machine, the day and the commit of a result."""
    return (
        f"{of['cores']} shared cores, Python {of['python']}, unit {of['unit_ms']} ms, on "
        f"{of['date']} at commit {of['commit']}"
    )


def _times(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    added = (f"{row[f'added_p{share}_ms']:.2f}" for share in (50, 95, 99))
    cpu = (f"{row[f'{whose}_cpu_ms']:.3f}" for whose in ("bare", "ours"))
    told = ", ".join(sorted(filter(None, row["outcomes"])))
    return (name, told, *cpu, f"{row['ratio']:.2f}", *added)


def _processes(rss: Mapping[str, float]) -> list[tuple[str, str]]:
    """Without the ids, which are others at each run; the largest first."""
    names = sorted(rss, key=lambda name: -rss[name])
    return [(name.split(" ", 1)[1], f"{rss[name]:.0f}") for name in names]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of Markdown."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def quoting(readme: str, measured: Sequence[Figure]) -> str:
    """The README with these figures in its table."""
    known = {figure.what: figure.shown for figure in measured}
    for row, what in QUOTED.items():
        line = rf"(?m)^\| {re.escape(row)} \| .*? \| `make bench` \|$"
        readme = re.sub(line, f"| {row} | {known[what]} | `make bench` |", readme)
    return readme


def write_page(result: Mapping[str, Any]) -> Path:
    """Write the page and the README's figures; where the page is."""
    PAGE.write_text(page(result), "utf-8")
    README.write_text(quoting(README.read_text("utf-8"), figures(result)), "utf-8")
    return PAGE
