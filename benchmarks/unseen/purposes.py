"""What each sign of a secret told in prose brings on which set, and what the bound costs.

    python benchmarks/unseen/purposes.py [--data FOLDER]

Everything is read again with one sign taken away: a kind of purpose, a rule, a whole finder. Shown
is how many more secrets stay readable and how many decoys more are kept, on each own set and on
`secrets.dev`; then the same for other values of the bound. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from unseen import figures, sets  # noqa: E402 - the script runs without an installation

ROOM = "recollect.memory.trust.redact"
UNNAMED = import_module(f"{ROOM}.prose.unnamed")
REDACTOR = import_module(f"{ROOM}.redactor")
BOUNDS = (3.5, 4.0, 4.5, 5.0, 5.5)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    wanted = parser.parse_args()
    absent = sets.absent(wanted.data)
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    rows = {stem: sets.read(path) for stem, path in sets.own("secrets").items()}
    rows["secrets.dev"] = sets.rows(wanted.data, "secrets")
    found = {name: counted(of) for name, of in rows.items()}
    print(f"{'':34}" + "".join(f"{name:>22}" for name in rows))
    print(f"{'readable, decoys touched':34}" + "".join(_shown(found[name]) for name in rows))
    for title, changed in changes():
        with changed():
            now = {name: counted(of) for name, of in rows.items()}
        print(f"{title:34}" + "".join(_changed(now[name], found[name]) for name in rows))
    return 0


def counted(rows: Sequence[figures.Row]) -> tuple[int, int]:
    """Secrets of which a part stays readable, and decoys that lose something."""
    found = figures.secrets(rows)
    return found["secrets, readable"][0], found["decoys, redacted"][0]


def changes() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each sign's name, and what takes it away."""
    for worth, names in UNNAMED._TOLD:  # noqa: SLF001 - what is measured
        left = tuple(one for one in UNNAMED._TOLD if one != (worth, names))  # noqa: SLF001 - the same
        yield (
            f"without {', '.join(n.split('.')[1] for n in names)}",
            _patched(UNNAMED, "_TOLD", left),
        )
    yield "without _BESIDE", _patched(UNNAMED, "_BESIDE", 0.0)
    for name in ("_spoken", "_dialled", "seeds"):
        yield f"without {name}", _patched(UNNAMED, name, lambda *_: iter(()))
    for finder in ("find_random", "find_ibans"):
        left = tuple(one for one in REDACTOR._FINDERS if one.__name__ != finder)  # noqa: SLF001 - the same
        yield f"without {finder}", _patched(REDACTOR, "_FINDERS", left)
    for finder in ("find_unnamed", "find_named", "find_cards"):
        left = tuple(one for one in REDACTOR._TOLD if one.__name__ != finder)  # noqa: SLF001 - the same
        yield f"without {finder}", _patched(REDACTOR, "_TOLD", left)
    for bound in BOUNDS:
        yield f"bound {bound}", _patched(UNNAMED, "_ENOUGH", bound)


def _patched(module: Any, name: str, value: Any) -> Callable[[], Any]:
    @contextmanager
    def change() -> Iterator[None]:
        with patch.object(module, name, value):
            yield

    return change


def _shown(counts: tuple[int, int]) -> str:
    return f"{counts[0]:>14}, {counts[1]:>6}"


def _changed(now: tuple[int, int], before: tuple[int, int]) -> str:
    return f"{now[0] - before[0]:>+14}, {now[1] - before[1]:>+6}"


if __name__ == "__main__":
    sys.exit(main())
