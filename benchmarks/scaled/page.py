"""docs/scaling.md and its charts, from what was measured. Pure but for `write_page`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from charts import Chart, Point, Series, drawn, shown
from performance import Figure, rounded, table, where

from recollect.filters import RequestRecallOptions
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES

DOCS = Path(__file__).resolve().parents[2] / "docs"
_SIMULATED = re.compile(r"<!-- scale: .*<!-- end of scale -->", re.DOTALL)
_STORES = re.compile(r"<!-- stores: .*<!-- end of stores -->", re.DOTALL)
_STORES_HEAD = (
    "<!-- stores: kept by `make bench-scaling` -->\n\n## A recall, by store\n\n"
    "`benchmarks/scaling.py --stores`: {machine}. Milliseconds of CPU, the store's included,\nonce "
    "the index has followed; vectors are generated, the graph is off.\n"
)
MOST_MEMORIES = 100_000
MOST_USERS = 1_000_000
MOST_STREAMS = 5000
MOST_WORKERS = 8
Rule = Callable[[float], float]

HEAD = (
    "# Scaling\n\n"
    "After this page you know what to run for your load. `make bench-scaling` measured it in one "
    "run: {machine}.\n"
    "Dots are measured, rings and italics computed from them. The cost of a recall is CPU, the "
    "store's included, without\nthe embedding of the question.\n\n"
    "![What a request costs as there are more memories, users, streams and workers](scaling.svg)\n"
)
RULES = (
    "- **Memories.** Up to {most} memories a user has an index in memory; one larger than measured "
    "is on the line\n  through the last two. Beyond, the store searches, in proportion to the "
    "memories.\n"
    "- **Users.** The index of a user with {memories} memories takes {kilobytes} KB, so the "
    "{own} MB that a process keeps\n  hold {fit} of them. When more users than that ask in "
    "turn, every recall reads its user from the store again.\n  "
    "A million users who ask in turn would need {gigabytes} GB of index to be warm.\n  The store "
    "is taken to read one user as fast however many there are.\n"
    "- **Workers.** Up to {measured} measured. More are in proportion as long as each has a core "
    "and the process that owns\n  the embedded parts keeps up.\n"
)


_OUTGROWN = (
    "One user outgrows this machine where a recall takes longer than `recall.deadline_ms` "
    "({deadline}): at about\n{most} memories. Give projects users of their own, or take faster "
    "cores.\n"
)


def points(rows: Mapping[str, Any], key: str) -> list[Point]:
    """The measured ones; sizes are the keys."""
    return [Point(int(size), row[key]) for size, row in rows.items()]


def extended(known: Sequence[Point], at: Sequence[float], rule: Rule) -> list[Point]:
    """With what the rule says beyond the last one."""
    return [*known, *(Point(x, rule(x), measured=False) for x in at if x > known[-1].x)]


def linear(known: Sequence[Point]) -> Rule:
    """On the line through the last two: what is read or compared one by one."""
    first, last = known[-2:]
    slope = max(0.0, (last.y - first.y) / (last.x - first.x))
    return lambda x: last.y + slope * (x - last.x)


def proportional(known: Sequence[Point]) -> Rule:
    """On the line through nothing and the last one."""
    last = known[-1]
    return lambda x: last.y * x / last.x


def computed(at: Sequence[float], rule: Rule) -> list[Point]:
    """Nothing of it is measured."""
    return [Point(x, rule(x), measured=False) for x in at]


def charts(result: Mapping[str, Any]) -> list[Chart]:
    """The four pictures of the page."""
    return [_memories(result), _users(result), _streams(result), _workers(result)]


def _memories(result: Mapping[str, Any]) -> Chart:
    told = result["memories"]
    warm, first, searched = (
        points(told["warm"], "cpu_ms"),
        points(told["first"], "cpu_ms"),
        points(told["searched"], "cpu_ms"),
    )
    most = told["indexed_up_to"]
    series = [
        Series("warm", extended(warm, (most,), linear(warm))),
        Series("first recall of a user", extended(first, (most,), linear(first))),
    ]
    if searched:
        far = extended(searched, (MOST_MEMORIES,), proportional(searched))
        series.append(Series("too many for an index: the store searches", far))
    return Chart("A recall, by memories of the user", "memories of the user", "ms of CPU", series)


def _users(result: Mapping[str, Any]) -> Chart:
    told = result["users"]
    rows = told["users"]
    known, last = points(rows, "cpu_ms"), list(rows.values())[-1]
    warm, cold = known[min(1, len(known) - 1)].y, last["cpu_ms"]
    fit = told["own_cache_mb"] / each_mb(result)
    at = [10.0**power for power in range(7)]
    rest = extended(known, at, lambda _: cold)
    own = computed([*at[:3], fit, fit * 1.01, *at[3:]], lambda x: warm if x <= fit else cold)
    series = [
        Series(f"index of {told['cache_mb']} MB", rest),
        Series(f"index of {told['own_cache_mb']} MB, the default", own),
    ]
    each = each_mb(result)
    held = computed([*at[:3], fit, *at[3:]], lambda x: min(x, fit) * each)
    series.append(Series(f"MB of the index of {told['own_cache_mb']} MB", held))
    title = f"A recall, by users of {told['memories']} memories who ask in turn"
    return Chart(title, "users", "ms of CPU; MB", series)


def _streams(result: Mapping[str, Any]) -> Chart:
    rows = result["streams"]["streams"]
    core = points(rows, "core")
    held = points({size: row for size, row in rows.items() if row["mb"] > 1}, "mb")
    at = (MOST_STREAMS,)
    series = [Series("cores, an event a second each", extended(core, at, proportional(core)))]
    if held:
        series.append(Series("MB of memory", extended(held, at, proportional(held))))
    return Chart("Open streams", "streams", "cores; MB", series)


def _workers(result: Mapping[str, Any]) -> Chart:
    rate = points(result["workers"]["workers"], "per_second")
    rates = extended(rate, range(2, MOST_WORKERS + 1), proportional(rate))
    return Chart("Recalls per second", "workers, a core each", "recalls/s", [Series("", rates)])


def each_mb(result: Mapping[str, Any]) -> float:
    """What the index of one user takes."""
    rows = list(result["users"]["users"].values())
    return rows[-1]["index_mb"] / rows[-1]["indexes"]


def rules(result: Mapping[str, Any]) -> str:
    """What the computed values follow from."""
    users, workers = result["users"], result["workers"]
    each = each_mb(result)
    fit = users["own_cache_mb"] / each
    most = result["memories"]["indexed_up_to"]
    measured = max(map(int, workers["workers"]))
    return RULES.format(
        most=f"{most:,}",
        memories=users["memories"],
        kilobytes=rounded(each * 1024),
        own=users["own_cache_mb"],
        fit=f"{fit:,.0f}",
        gigabytes=f"{each * MOST_USERS / 1024:,.0f}",
        measured=measured,
    )


def page(result: Mapping[str, Any]) -> str:
    """The whole page, with the values of the charts as tables."""
    told = [HEAD.format(machine=where(result["machine"])), rules(result)]
    told += table(("goal", "value", "command", ""), list(_goals(result["memories"])))
    told.append("")
    for chart in charts(result):
        told += [f"## {chart.title}", "", *_rows(chart), ""]
    return "\n".join(told)


def _goals(told: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    goals = (
        ("warm recall, 1,000 memories, p50", told["warm"].get("1000"), 0.6),
        ("warm recall, 20,000 memories, p50", told["warm"].get("20000"), 3),
        ("first recall of a user with 1,000 memories, p50", told["first"].get("1000"), 40),
    )
    for what, row, most in goals:
        if row:
            figure = Figure(what, row["p50_ms"], "ms", most)
            yield (figure.what, figure.shown, "`make bench-scaling`", figure.goal)


def _rows(chart: Chart) -> list[str]:
    """A column for each curve: what was measured, and the last computed ones, in italics."""
    points = [point for series in chart.series for point in series.points]
    last = max(point.x for point in points)
    sizes = sorted({point.x for point in points if point.measured or point.x == last})
    head = [chart.x, *(series.name or chart.y for series in chart.series)]
    return table(head, [[shown(size), *(_at(s, size) for s in chart.series)] for size in sizes])


def _at(series: Series, size: float) -> str:
    found = [point for point in series.points if point.x == size]
    if not found:
        return ""
    text = shown(found[0].y)
    return text if found[0].measured else f"*{text}*"


def write_page(result: Mapping[str, Any]) -> Path:
    """Write the charts, then the page; where the page is."""
    (DOCS / "scaling.svg").write_text(drawn(charts(result)), "utf-8")
    path = DOCS / "scaling.md"
    before = path.read_text("utf-8") if path.exists() else ""
    # The simulated part was written once, that of the stores is written apart.
    kept = [found[0] for part in (_STORES, _SIMULATED) if (found := part.search(before))]
    path.write_text("\n".join([page(result), *(f"{part}\n" for part in kept)]), "utf-8")
    return path


def write_stores(result: Mapping[str, Any]) -> Path:
    """Write the part of the page that is about the stores; where the page is."""
    path = DOCS / "scaling.md"
    before = path.read_text("utf-8")
    part = stores(result)
    if _STORES.search(before):
        after = _STORES.sub(lambda _: part, before)
    else:
        at = before.index("<!-- scale: ")
        after = f"{before[:at]}{part}\n\n{before[at:]}"
    path.write_text(after, "utf-8")
    return path


def stores(result: Mapping[str, Any]) -> str:
    """A column for each store, a row for each size."""
    told = result["stores"]
    sizes = dict.fromkeys(
        (which, size) for rows in told.values() for which in rows for size in rows[which]
    )
    named = {"user": "{:,}", "others": "beside others, {:,} in all"}
    body = [
        [
            named[which].format(int(size)),
            *(_cpu(rows[which].get(size)) for rows in told.values()),
        ]
        for which, size in sizes
    ]
    head = _STORES_HEAD.format(machine=where(result["machine"]))
    rows = table(("memories of one user", *told), body)
    return "\n".join([head, *rows, "", *_outgrown(told), "<!-- end of stores -->"])


def _outgrown(told: Mapping[str, Any]) -> list[str]:
    """Where a recall is late, in proportion to the largest user that was measured."""
    deadline = RequestRecallOptions().deadline_ms
    most = []
    for name, rows in told.items():
        largest = proportional(points(rows["user"], "cpu_ms"))
        size = max(map(int, rows["user"]))
        if size > MAX_MEMORIES:
            most.append(f"{round(deadline / largest(1), -3):,.0f} ({name})")
    if not most:
        return []
    return [_OUTGROWN.format(deadline=deadline, most=" or ".join(most))]


def _cpu(row: Mapping[str, float] | None) -> str:
    return shown(row["cpu_ms"]) if row else ""
