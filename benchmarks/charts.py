"""Charts as SVG text, with logarithmic axes: what was measured, and what follows from it. Pure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 440, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 40, 48
COLUMNS = 2
COLOURS = ("#0969da", "#bc4c00", "#1a7f37")
STYLE = """
  text { font-family: system-ui, sans-serif; fill: #1f2328; font-size: 11px }
  .title { font-size: 13px; font-weight: 600 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  path { fill: none; stroke-width: 2 }
  .computed { stroke-dasharray: 5 4 }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """One value; both are above zero."""

    x: float
    y: float
    measured: bool = True


@dataclass(frozen=True, slots=True)
class Series:
    """One curve."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over the same axes, which have these names."""

    title: str
    x: str
    y: str
    series: Sequence[Series]


def drawn(charts: Sequence[Chart]) -> str:
    """All charts in rows of two. Dots are measured, rings are computed."""
    rows = math.ceil(len(charts) / COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"',
        f' aria-label="{escape("; ".join(chart.title for chart in charts))}">',
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for number, chart in enumerate(charts):
        x, y = number % COLUMNS * WIDTH, number // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x},{y})">', *_chart(chart), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _chart(chart: Chart) -> Iterator[str]:
    points = [point for series in chart.series for point in series.points]
    across = _Axis.of([p.x for p in points], LEFT, WIDTH - RIGHT)
    up = _Axis.of([p.y for p in points], HEIGHT - BOTTOM, TOP)
    yield f'<text class="title" x="{LEFT}" y="18">{escape(chart.title)}</text>'
    for value in across.ticks():
        x = across.at(value)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield _text(x, HEIGHT - BOTTOM + 15, "middle", shown(value))
    for value in up.ticks():
        y = up.at(value)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield _text(LEFT - 6, y + 4, "end", shown(value))
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "middle", chart.x)
    yield _text(LEFT, 33, "start", chart.y)
    for number, series in enumerate(chart.series):
        yield from _series(series, COLOURS[number], across, up)
        # Most curves rise to the right.
        yield _text(LEFT + 8, TOP + 14 + 14 * number, "start", series.name, COLOURS[number])


def _series(series: Series, colour: str, across: _Axis, up: _Axis) -> Iterator[str]:
    places = [(across.at(p.x), up.at(p.y), p.measured) for p in series.points]
    for (x1, y1, first), (x2, y2, second) in itertools.pairwise(places):
        kind = "" if first and second else ' class="computed"'
        yield f'<path{kind} stroke="{colour}" d="M{x1},{y1} L{x2},{y2}"/>'
    for x, y, measured in places:
        fill = colour if measured else "#ffffff"
        yield f'<circle cx="{x}" cy="{y}" r="3.5" fill="{fill}" stroke="{colour}"/>'


def _text(x: float, y: float, anchor: str, text: str, colour: str = "") -> str:
    style = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


@dataclass(frozen=True, slots=True)
class _Axis:
    low: int
    """Powers of ten, at both ends."""
    high: int
    start: float
    end: float

    @classmethod
    def of(cls, values: Sequence[float], start: float, end: float) -> _Axis:
        low = math.floor(math.log10(min(values)) + 1e-9)
        high = max(math.ceil(math.log10(max(values)) - 1e-9), low + 1)
        return cls(low, high, start, end)

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> Iterator[float]:
        return (10.0**power for power in range(self.low, self.high + 1))


def shown(value: float) -> str:
    """With separators, and no more digits than tell something."""
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.2g}"
