"""Does the suite still catch what it caught? Breaks the product in small ways, one at a time.

    python -m benchmarks.mutations --base REV [--count 50] [--seed N] [--quick]
                                   [--room memory/state [--tests tests/memory/state]]

A mutation (a flipped comparison, `and` for `or`, a value that is not returned) is drawn in a file
of this tree. It breaks REV's tree where the same line stands in the function of the same name,
whatever file that is in; a line that is not there is left out. The tests of the room (`--tests`, or
those of the same name) run in copies of both trees, in this one first the test that failed there.
What no test of the base noticed proves nothing and is drawn again. Prints a line for each mutation
and the sum, writes benchmarks/results/mutations.json, and exits with 1 if the base caught one that
now survives.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "mutations.json"
CLIENT_PARTS = ["about_user", "changes", "client", "client_changing", "client_direct"]
CLIENT_PARTS += ["client_nasty", "removing", "searching"]
CLIENT_TESTS = [f"tests/memory/api/test_{name}.py" for name in CLIENT_PARTS]
ROOMS = {
    "memory/trust/redact": ["tests/memory/trust/redact"],
    "memory/learn/reconcile": ["tests/memory/learn/reconcile"],
    "memory/language/dates": ["tests/memory/language"],
    "memory/database/sqlite": ["tests/memory/state/sqlite", "tests/crash"],
    "memory/learn/apply.py": ["tests/memory/learn", "tests/crash", "tests/e2e/test_crashes.py"],
    "memory/jobs/worker.py": ["tests/crash", "tests/e2e/test_crashes.py", "tests/memory"],
    "filters/capture": ["tests/filters/capture", "tests/e2e"],
    "filters/rewrite": ["tests/filters/rewrite"],
    "memory/recall/ranking.py": ["tests/memory/recall"],
    "memory/recall/selection.py": ["tests/memory/recall"],
    "memory/recall/pinned.py": ["tests/memory/recall"],
    "memory/statements": ["tests/memory/statements"],
    "memory/transfer": ["tests/memory/transfer"],
    "memory/api/client.py": CLIENT_TESTS,
    "memory/api/calls": CLIENT_TESTS,
    "memory/api/removing.py": CLIENT_TESTS,
    "memory/api/searching.py": CLIENT_TESTS,
    "proxy/access/buckets.py": [
        "tests/proxy/access/test_buckets.py",
        "tests/proxy/access/test_limits.py",
    ],
    "proxy/access/identity.py": ["tests/proxy/access/test_identity.py"],
    "proxy/transport/relay.py": ["tests/transparency", "tests/e2e"],
}
"""What is broken, and the tests that look at it: folders where a base has other files in them."""
PRODUCT = ("memory", "filters", "proxy", "config")
FLIPS = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
TIMEOUT_SECONDS = 300
NO_TEST = (4, 5)
"""pytest's statuses for a test that is not there, and for none at all."""


@dataclass
class Mutation:
    """One broken place, and who noticed."""

    path: str
    line: int
    column: int
    before: str
    after: str
    base: str = ""
    """The test of the base that failed."""
    now: str = ""
    """The test of this tree that fails."""


def mutations(file: Path) -> Iterator[Mutation]:
    """Every mutation of a file of this tree."""
    text = file.read_text("utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        changed = _changed(node)
        if changed is None or node.lineno != node.end_lineno:
            continue
        before = lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
        after = ast.unparse(changed)
        if before != after:
            name = file.relative_to(ROOT).as_posix()
            yield Mutation(name, node.lineno, node.col_offset, before, after)


def functions(text: str) -> dict[int, str]:
    """The qualified name of the innermost function around each line of a module."""
    names: dict[int, str] = {}

    def enter(node: ast.AST, above: str) -> None:
        for inner in ast.iter_child_nodes(node):
            name = above
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{above}.{inner.name}"
                if not isinstance(inner, ast.ClassDef):
                    names.update(dict.fromkeys(range(inner.lineno, inner.end_lineno + 1), name))
            enter(inner, name)

    enter(ast.parse(text), "")
    return names


def indent(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip())


Place = tuple[str, int, str, int]
"""A file, a line of it, the qualified name of the function around that line, and its indent."""


def places(tree: Path) -> dict[tuple[str, str], list[Place]]:
    """Where each line of each function stands, by the function's own name and the line's text."""
    found: dict[tuple[str, str], list[Place]] = {}
    for file in (each for room in PRODUCT for each in (tree / room).rglob("*.py")):
        text = file.read_text("utf-8")
        lines = text.splitlines()
        for number, name in functions(text).items():
            key = name.rpartition(".")[2], lines[number - 1].strip()
            place = file.relative_to(tree).as_posix(), number, name, indent(lines[number - 1])
            found.setdefault(key, []).append(place)
    return found


def counterpart(mutation: Mutation, base: dict[tuple[str, str], list[Place]]) -> Mutation | None:
    """The same mutation in the base, or None where its line is not there exactly once."""
    text = (ROOT / mutation.path).read_text("utf-8")
    name, line = functions(text).get(mutation.line, ""), text.splitlines()[mutation.line - 1]
    found = base.get((name.rpartition(".")[2], line.strip()), [])
    found = [each for each in found if each[2] == name] or found
    if len(found) != 1:
        return None
    path, number, _, indented = found[0]
    column = mutation.column - indent(line) + indented  # a method may have become a function
    return Mutation(path, number, column, mutation.before, mutation.after)


def _changed(node: ast.AST) -> ast.AST | None:
    match node:
        case ast.Compare(left, [operator], right) if type(operator) in FLIPS:
            return ast.Compare(left, [FLIPS[type(operator)]()], right)
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            return ast.BoolOp(other, values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            return ast.Return(ast.Constant(None))
        case ast.BinOp(left, ast.Add(), right):
            return ast.BinOp(left, ast.Sub(), right)
    return None


def broken(text: str, mutation: Mutation) -> str:
    """A module's text with the mutation in it."""
    lines = text.splitlines(keepends=True)
    line = lines[mutation.line - 1].encode()
    start = mutation.column
    rest = line[start + len(mutation.before.encode()) :]
    lines[mutation.line - 1] = (line[:start] + mutation.after.encode() + rest).decode()
    return "".join(lines)


def caught(tree: Path, mutation: Mutation, tests: list[str], first: str = "") -> str:
    """The test of a tree that fails with this mutation in it; `first` is tried first."""
    file = tree / mutation.path
    whole = file.read_text("utf-8")
    file.write_text(broken(whole, mutation), "utf-8")
    try:
        again = first if (tree / first.partition("::")[0]).is_file() else ""
        return (fails(tree, [again]) if again else "") or fails(tree, tests)
    finally:
        file.write_text(whole, "utf-8")


def fails(tree: Path, tests: list[str]) -> str:
    """The first test that fails, of those that this tree has; empty if none does."""
    environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    there = [each for each in tests if "/" not in each or (tree / each.partition("::")[0]).exists()]
    if not any("/" in each for each in there):
        return ""
    try:
        done = subprocess.run(
            [*command, *there],
            cwd=tree, env=environ, capture_output=True, check=False, timeout=TIMEOUT_SECONDS,
            text=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "a test that hangs"
    if done.returncode in (0, *NO_TEST):
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else "collecting"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--base", required=True, help="the commit whose suite is compared")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", action="append", help="only these files and folders")
    parser.add_argument("--tests", action="append", help="instead of the tests of the room's name")
    parser.add_argument("--quick", action="store_true", help="no tests that start a process")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    rooms = options.room or list(ROOMS)
    marks = ["-m", "not process"] if options.quick else []
    drawn = []
    for room in rooms:
        place = ROOT / room
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        tests = options.tests or ROOMS.get(room, [f"tests/{room.removesuffix('.py')}"])
        found = [(each, [*marks, *tests]) for file in files for each in mutations(file)]
        drawn += chance.sample(found, min(len(found), 2 + 2 * options.count // len(rooms)))
    chance.shuffle(drawn)
    results: list[Mutation] = []
    with tempfile.TemporaryDirectory(prefix="recollect-mutations-") as folder:
        trees = {name: Path(folder) / name for name in ("base", "now")}
        for name, tree in trees.items():
            revision = options.base if name == "base" else "HEAD"
            git = ["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(tree)]
            subprocess.run(git, check=True)
            subprocess.run(["git", "checkout", "--quiet", revision], cwd=tree, check=True)
        for path in {path for _, tests in drawn for path in tests if "/" in path}:
            if not any((tree / path.partition("::")[0]).exists() for tree in trees.values()):
                parser.error(f"neither tree has {path}")
        lines = places(trees["base"])
        for mutation, tests in drawn:
            if sum(bool(each.base) for each in results) >= options.count:
                break
            there = counterpart(mutation, lines)
            if there is None:
                continue
            mutation.base = caught(trees["base"], there, tests)
            if mutation.base:
                mutation.now = caught(trees["now"], mutation, tests, mutation.base)
            results.append(mutation)
            said = {(True, True): "caught", (True, False): "SURVIVES NOW"}
            verdict = said.get((bool(mutation.base), bool(mutation.now)), "never caught")
            place = f"{mutation.path}:{mutation.line}"
            test = f" ({mutation.base})" if mutation.base and not mutation.now else ""
            print(
                f"{verdict:13} {place}: {mutation.before!r} -> {mutation.after!r}{test}", flush=True
            )
    lost = [each for each in results if each.base and not each.now]
    print(f"{sum(bool(each.base) for each in results)} caught by the base, {len(lost)} survive now")
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps([asdict(each) for each in results], indent=1) + "\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
