"""Writes the table of docs/backends.md from `memory/util/providers.toml`.

The request to each provider is recorded by tests/memory/llms/test_providers.py.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from recollect.memory.util.providers import Provider, providers

PAGE = Path(__file__).resolve().parent.parent / "docs" / "backends.md"
_MARK = re.compile(r"(<!-- providers: .*? -->\n).*?(<!-- end of providers -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with the table as it should be."""
    if not _MARK.search(text):
        raise ValueError("the page has no place for the table")
    return _MARK.sub(lambda match: f"{match[1]}\n{table()}\n{match[2]}", text)


def table() -> str:
    """A line for each provider."""
    head = ("provider", "address", "key", "JSON", "usual model", "embeddings")
    lines = [_line(head), "|---" * len(head) + "|"]
    lines += [_line(_cells(one)) for one in providers().values()]
    return "\n".join(lines) + "\n"


def _cells(one: Provider) -> tuple[str, ...]:
    where = [f"`{one.base_url}`"] if one.base_url else []
    where += [f"`{one.address}`"] if one.address else []
    found = one.embeddings
    return (
        f"`{one.name}`",
        " or ".join(where),
        _key(one),
        one.json,
        f"`{one.model}`" if one.model else "none",
        f"`{found['model']}`, {found['dim']}" if found else "",
    )


def _key(one: Provider) -> str:
    """The variables of its key, and how it is sent if not as others."""
    named = " or ".join(f"`{key}`" for key in one.keys) or "none"
    return named if one.header == "bearer" else f"{named}, sent as `{one.header}`"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Write the page; with ``--check`` only say whether it is current."""
    now = PAGE.read_text("utf-8")
    wanted = page(now)
    if "--check" in arguments:
        if now != wanted:
            print("backends.md is out of date: run `make docs`", file=sys.stderr)
        return int(now != wanted)
    PAGE.write_text(wanted, "utf-8")
    print("wrote docs/backends.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
