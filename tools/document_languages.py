"""Writes the tables of docs/languages.md: the fields of a language file, and what is shipped.

The sections' dataclasses and the files are the truth; a test fails when the page says otherwise.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from recollect.memory.language import packs
from recollect.memory.language.fields import Kind
from recollect.memory.language.read import SECTIONS
from recollect.memory.language.vocabulary import terms_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "languages.md"
TABLES = ("languages", "fields")
WRITTEN = {
    Kind.TERMS: "terms",
    Kind.ROWS: "lines",
    Kind.NAMED: "terms by name",
    Kind.FLAG: "true or false",
}


def page(text: str) -> str:
    """The page with its tables as they should be."""
    written = {"languages": languages_table(), "fields": fields_table()}
    for name in TABLES:
        mark = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not mark.search(text):
            raise ValueError(f"the page has no place for the table {name}")
        table = written[name]
        text = mark.sub(lambda found, table=table: f"{found[1]}\n{table}\n{found[2]}", text)
    return text


def languages_table() -> str:
    """A line for each shipped language, with the sections that it has."""
    lines = [f"| file | language | {' | '.join(SECTIONS)} |", "|---" * (len(SECTIONS) + 2) + "|"]
    for code, pack in packs().items():
        has = [
            "yes" if any(terms for _, terms in terms_of(pack, (section,))) else ""
            for section in SECTIONS
        ]
        lines.append(f"| `{code}.toml` | {pack.name} | {' | '.join(has)} |")
    return "\n".join(lines) + "\n"


def fields_table() -> str:
    """A table for each section, with its fields."""
    return "\n".join(line for name in SECTIONS for line in _section(name))


def _section(name: str) -> Iterator[str]:
    table = getattr(packs()["en"], name)
    about = (type(table).__doc__ or "").strip().split("\n")[0]
    yield from (f"### `[{name}]`", "", about, "", "| field | holds | meaning |", "|---|---|---|")
    for spec in fields(table):
        size = spec.metadata.get("size")
        held = WRITTEN[spec.metadata["kind"]] if size is None else f"{size} lines"
        yield f"| `{spec.name}` | {held} | {spec.metadata['doc'].replace('|', chr(92) + '|')} |"
    yield ""


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
