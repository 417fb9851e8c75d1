"""Writes the table of docs/access.md: the right that each route of the memory API needs.

The operations are the truth; a test fails when the page says otherwise.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from recollect.proxy.access.rights import Right
from recollect.proxy.api.tables import ALL

PAGE = Path(__file__).resolve().parent.parent / "docs" / "access.md"
_MARK = re.compile(r"(<!-- rights: .*? -->\n).*?(<!-- end of rights -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with the table as it should be."""
    if not _MARK.search(text):
        raise ValueError("the page has no place for the table")
    return _MARK.sub(lambda found: f"{found[1]}\n{rights_table()}\n{found[2]}", text)


def rights_table() -> str:
    """A line for each route, in the order of the API's own document."""
    lines = ["| route | right | what it does |", "|---|---|---|"]
    for operation in ALL:
        needed = "none" if operation.right is Right.NONE else operation.right.word
        route = f"`{operation.method} {operation.path}`"
        lines.append(f"| {route} | {needed} | {operation.summary} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page; with --check, only say whether it is as it should be."""
    text = PAGE.read_text("utf-8")
    written = page(text)
    if "--check" in sys.argv:
        if written != text:
            print(f"{PAGE.name} is out of date: run `make docs`")
        return int(written != text)
    PAGE.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
