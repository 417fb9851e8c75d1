"""Writes the tables of docs/languages.md: the sections of a language file, and what is shipped.

The sections' dataclasses and the files are the truth; a test fails when the page says otherwise.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from recollect.memory.language import packs
from recollect.memory.language.pack_reader import SECTIONS
from recollect.memory.language.vocabulary import terms_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "languages.md"
TABLES = ("languages", "sections")


def page(text: str) -> str:
    """The page with its tables as they should be."""
    written = {"languages": languages_table(), "sections": sections_table()}
    for name in TABLES:
        mark = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not mark.search(text):
            raise ValueError(f"the page has no place for the table {name}")
        table = written[name]
        text = mark.sub(lambda found, table=table: f"{found[1]}\n{table}\n{found[2]}", text)
    return text


def languages_table() -> str:
    """A line for each set of sections, with the shipped files that have it."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for code, pack in packs().items():
        has = (name for name in SECTIONS if any(terms for _, terms in terms_of(pack, (name,))))
        alike.setdefault(tuple(has), []).append(f"`{code}` {pack.name}")
    lines = ["| shipped | sections |", "|---|---|"]
    for has, named in sorted(alike.items(), key=lambda one: -len(one[0])):
        told = "all" if len(has) == len(SECTIONS) else ", ".join(has)
        lines.append(f"| {', '.join(named)} | {told} |")
    return "\n".join(lines) + "\n"


def sections_table() -> str:
    """A line for each section; `recollect packs check` names the fields of one."""
    lines = ["| section | what it holds |", "|---|---|"]
    for name in SECTIONS:
        about = (type(getattr(packs()["en"], name)).__doc__ or "").strip().split("\n")[0]
        lines.append(f"| `[{name}]` | {about} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page; with --check only say whether it is current."""
    before = PAGE.read_text("utf-8")
    after = page(before)
    if "--check" in sys.argv:
        print("" if after == before else f"{PAGE.name} is out of date: run `make docs`")
        return 0 if after == before else 1
    if after != before:
        PAGE.write_text(after, "utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
