"""No file grows beyond reading, and no two things have one name."""

import ast
from pathlib import Path

from tests.support.syntax import parsed

ROOT = Path(__file__).parents[1]
PACKAGES = ("proxy", "config", "filters", "memory")
MAX_LINES = 500
MAX_COLLABORATORS = 6


def modules():
    """Every module that has something to test."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.stem not in {"__init__", "options"}:
                yield path.relative_to(ROOT)


def test_no_file_is_too_long():
    """A file that nobody reads to its end has more than one subject."""
    folders = (*PACKAGES, "tests", "tools", "benchmarks")
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        # What benchmarks install for comparison is not ours.
        if ".peers" not in path.parts
        if (lines := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert not long


def crowded(text):
    """Classes whose constructors take too many parameters; the clock is there for tests."""
    found = []
    for node in ast.walk(parsed(text)):
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                taken = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]
                names = {each.arg for each in taken} - {"self", "clock"}
                found += [node.name] * (len(names) > MAX_COLLABORATORS)
    return found


def test_constructors_take_a_handful():
    """More than six collaborators are two classes, or a thing that has no name yet."""
    texts = {path.as_posix(): (ROOT / path).read_text("utf-8") for path in modules()}
    assert {path: names for path, text in texts.items() if (names := crowded(text))} == {}


def public_classes():
    """Where each public class of the product is defined."""
    found = {}
    for path in modules():
        for node in parsed((ROOT / path).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.as_posix())
    return found


def test_public_classes_have_names_of_their_own():
    """One name for one thing; the two databases are the same idea for two servers."""
    shared = {name: places for name, places in public_classes().items() if len(places) > 1}
    assert set(shared) == {"Database"}
