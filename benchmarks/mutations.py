"""Does the suite still catch what it caught? Breaks the product in small ways, one at a time.

    python benchmarks/mutations.py --base REV [--count 50] [--seed N]

For each mutation (a flipped comparison, a changed number, `and` for `or`, a value that is not
returned) the tests of its room run in a copy of this tree and in a copy of REV's. Only tests that
differ between the two are run in both; what no test of the base noticed proves nothing and is drawn
again. Prints a line for each mutation and the sum, writes benchmarks/results/mutations.json, and
exits with 1 if the base caught one that now survives.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "mutations.json"
ROOMS = {
    "memory/trust/redact": ["tests/memory/trust/redact"],
    "memory/learn/reconcile": ["tests/memory/learn/reconcile"],
    "memory/language/dates": ["tests/memory/language/dates"],
    "memory/state/sqlite": ["tests/memory/state/sqlite", "tests/crash"],
    "memory/learn/apply.py": ["tests/memory/learn", "tests/crash", "tests/e2e/test_crashes.py"],
    "memory/jobs/worker.py": ["tests/crash", "tests/e2e/test_crashes.py", "tests/memory"],
    "filters/capture": ["tests/filters/capture", "tests/e2e"],
    "proxy/transport/relay.py": ["tests/transparency", "tests/e2e"],
}
"""What is broken, and the tests that look at it: the rooms whose tests were folded or merged."""
FLIPS = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
TIMEOUT_SECONDS = 900


@dataclass
class Mutation:
    """One broken place, and who noticed."""

    path: str
    line: int
    before: str
    after: str
    base: bool = False
    """The tests of the base failed."""
    now: bool = False
    """The tests of this tree fail."""


def mutations(path: Path) -> Iterator[tuple[Mutation, str]]:
    """Every mutation of a file, with the file's text after it."""
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        changed = _changed(node)
        if changed is None or node.lineno != node.end_lineno:
            continue
        line = lines[node.lineno - 1].encode()
        start, end = node.col_offset, node.end_col_offset
        before, after = line[start:end].decode(), ast.unparse(changed)
        if before == after:
            continue
        broken = [*lines]
        broken[node.lineno - 1] = (line[:start] + after.encode() + line[end:]).decode()
        name = path.relative_to(ROOT).as_posix()
        yield Mutation(name, node.lineno, before, after), "".join(broken)


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


def caught(tree: Path, mutation: Mutation, text: str, tests: list[str]) -> bool:
    """Whether the tests of a tree fail with this file in it."""
    file = tree / mutation.path
    whole = file.read_text("utf-8")
    file.write_text(text, "utf-8")
    environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    try:
        done = subprocess.run(
            [*command, *[test for test in tests if (tree / test).exists()]],
            cwd=tree, env=environ, capture_output=True, check=False, timeout=TIMEOUT_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(whole, "utf-8")
    return done.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--base", required=True, help="the commit whose suite is compared")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", action="append", help="only these, by the keys of ROOMS")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    rooms = options.room or list(ROOMS)
    drawn = []
    for room in rooms:
        place = ROOT / room
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        found = [(*each, ROOMS[room]) for file in files for each in mutations(file)]
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
        for mutation, text, tests in drawn:
            if sum(each.base for each in results) >= options.count:
                break
            mutation.base = caught(trees["base"], mutation, text, tests)
            mutation.now = mutation.base and caught(trees["now"], mutation, text, tests)
            results.append(mutation)
            said = {(True, True): "caught", (True, False): "SURVIVES NOW"}
            verdict = said.get((mutation.base, mutation.now), "never caught")
            place = f"{mutation.path}:{mutation.line}"
            print(f"{verdict:13} {place}: {mutation.before!r} -> {mutation.after!r}", flush=True)
    lost = [each for each in results if each.base and not each.now]
    print(f"{sum(each.base for each in results)} caught by the base, {len(lost)} survive now")
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps([asdict(each) for each in results], indent=1) + "\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
