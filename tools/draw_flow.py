"""Draw docs/flow.svg, the picture of the README: what happens to one request.

    python tools/draw_flow.py [--check]

The picture is text, so a change can be reviewed. --check writes nothing and exits with 1 if the
file is out of date.
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "flow.svg"
WIDTH, HEIGHT = 900, 280
BOXES = {
    # name: x, y, width, height, title, line below it
    "client": (10, 40, 150, 64, "your program", "one URL changed"),
    "recollect": (310, 20, 290, 104, "Recollect", "one process beside one agent, or a gateway"),
    "upstream": (750, 40, 140, 64, "model server", "OpenAI-compatible"),
    "recall": (310, 190, 130, 70, "recall", "150 ms at most"),
    "learn": (470, 190, 130, 70, "learn", "in the background"),
}
ARROWS = (
    # from, to, label, x and y of the label
    ((160, 62), (310, 62), "request", 235, 54),
    ((310, 88), (160, 88), "answer, byte for byte", 235, 106),
    ((600, 62), (750, 62), "+ one message", 675, 54),
    ((750, 88), (600, 88), "stream", 675, 106),
    ((375, 190), (375, 124), "memories", 340, 162),
    ((535, 124), (535, 190), "turns", 560, 162),
    ((470, 225), (440, 225), "", 0, 0),
)
STYLE = """
  svg { background: #ffffff }
  rect { fill: #f6f8fa; stroke: #57606a; }
  rect.ours { fill: #ddf4ff; stroke: #0969da }
  text { font-family: system-ui, sans-serif; text-anchor: middle; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .line { font-size: 12px; fill: #57606a }
  path { stroke: #57606a; fill: none; marker-end: url(#head) }
"""
HEAD = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
 aria-label="A program, Recollect and a model server">"""
MARKER = """\
<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
<path d="M0,0 L8,4 L0,8 z" style="fill:#57606a;stroke:none"/></marker></defs>"""


def drawn() -> str:
    """The whole picture as SVG text."""
    parts = [HEAD, f"<style>{STYLE}</style>", MARKER]
    for name, (x, y, width, height, title, line) in BOXES.items():
        kind = ' class="ours"' if name in {"recollect", "recall", "learn"} else ""
        middle = x + width / 2
        parts += [
            f'<rect{kind} rx="8" x="{x}" y="{y}" width="{width}" height="{height}"/>',
            f'<text class="title" x="{middle}" y="{y + height / 2 - 2}">{escape(title)}</text>',
            f'<text class="line" x="{middle}" y="{y + height / 2 + 18}">{escape(line)}</text>',
        ]
    for (x1, y1), (x2, y2), label, x, y in ARROWS:
        parts.append(f'<path d="M{x1},{y1} L{x2},{y2}"/>')
        if label:
            parts.append(f'<text class="line" x="{x}" y="{y}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    """Write the picture, or say whether it is current."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        current = TARGET.exists() and TARGET.read_text("utf-8") == drawn()
        print("docs/flow.svg is current" if current else "docs/flow.svg: run tools/draw_flow.py")
        return 0 if current else 1
    TARGET.write_text(drawn(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
