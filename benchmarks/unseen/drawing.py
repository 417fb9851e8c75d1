"""Line charts as SVG. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]
_WIDTH, _HEIGHT, _EDGE, _LEGEND = 460, 340, 60, 190
_TICKS = 5
_COLOURS = ("#1b6ca8", "#c1440e", "#2e8b57", "#7b4fa3", "#8a6d00", "#444444", "#b03060", "#008080")


@dataclass(frozen=True)
class Chart:
    """Lines by name, with the names of the axes."""

    title: str
    across: str
    up: str
    lines: Mapping[str, Sequence[Point]]


def beside(*charts: Chart) -> str:
    """The charts in one picture, from left to right."""
    each = _WIDTH + _LEGEND
    parts = [part for at, chart in enumerate(charts) for part in _chart(chart, at * each)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{each * len(charts)}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def _chart(chart: Chart, left: int) -> Iterator[str]:
    points = [point for line in chart.lines.values() for point in line]
    most = [max((point[axis] for point in points), default=1.0) * 1.05 or 1.0 for axis in (0, 1)]
    yield _text(left + _EDGE, 20, chart.title, "font-weight='bold'")
    yield from _axes(chart, left, most)
    for number, (name, line) in enumerate(chart.lines.items()):
        colour = _COLOURS[number // 2 % len(_COLOURS)] if _paired(chart) else _colour(number)
        dashes = ' stroke-dasharray="4 3"' if _paired(chart) and number % 2 else ""
        places = " ".join("{:.1f},{:.1f}".format(*_place(point, left, most)) for point in line)
        stroke = f'stroke="{colour}" stroke-width="2"{dashes}'
        yield f'<polyline points="{places}" fill="none" {stroke}/>'
        for point in line:
            x, y = _place(point, left, most)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
        yield _text(left + _WIDTH + 4, 44 + 16 * number, name, f'fill="{colour}"')


def _paired(chart: Chart) -> bool:
    """Whether every second line is the baseline of the one before."""
    return any(", " in name for name in chart.lines)


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _axes(chart: Chart, left: int, most: Sequence[float]) -> Iterator[str]:
    corner = _place((0, 0), left, most)
    for tick in range(_TICKS + 1):
        x, _ = _place((most[0] * tick / _TICKS, 0), left, most)
        _, y = _place((0, most[1] * tick / _TICKS), left, most)
        yield _text(x - 10, corner[1] + 16, _figure(most[0] * tick / _TICKS))
        yield _text(left + 22, y + 4, _figure(most[1] * tick / _TICKS))
        yield f'<path d="M{corner[0]} {y:.1f}H{left + _WIDTH - 10}" stroke="#dddddd"/>'
    yield _text(left + _WIDTH / 2 - 60, _HEIGHT - 12, chart.across)
    yield _text(0, 0, chart.up, f'transform="translate({left + 14} {_HEIGHT - 90}) rotate(-90)"')


def _place(point: Point, left: int, most: Sequence[float]) -> Point:
    across = (_WIDTH - _EDGE - 10) * point[0] / most[0]
    up = (_HEIGHT - 90) * point[1] / most[1]
    return left + _EDGE + across, _HEIGHT - 50 - up


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(text)}</text>'
