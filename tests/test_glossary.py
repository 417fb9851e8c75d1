"""The glossary is short, and its words are those of the code."""

import ast
import re
from pathlib import Path

from tests.support.syntax import parsed

ROOT = Path(__file__).parents[1]
MOST = 40
ROW = re.compile(r"^\| ([^|`]+) \| [^|]+ \| `(\w+)` \|$", flags=re.MULTILINE)


def glossary():
    """By word, the name in the code."""
    return dict(ROW.findall((ROOT / "docs/glossary.md").read_text("utf-8")))


def defined():
    """The names of modules, classes and functions of the product."""
    found = set()
    for package in ("proxy", "config", "filters", "memory"):
        for path in (ROOT / package).rglob("*.py"):
            found.add(path.stem)
            nodes = ast.walk(parsed(path.read_text("utf-8")))
            found |= {
                node.name
                for node in nodes
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return found


def test_every_word_is_defined_in_the_code():
    """Who renames a thing renames its word."""
    names = defined()
    assert {word: name for word, name in glossary().items() if name not in names} == {}


def test_a_newcomer_reads_it_at_once():
    """At most forty words, a line each; the pattern reads every row but the heading."""
    rows = (ROOT / "docs/glossary.md").read_text("utf-8").count("\n| ")
    assert len(glossary()) == rows - 1 <= MOST
