"""Write the counts of this checkout into the file, with the reason why they changed.

    python -m tests.cost.write --reason "recall reads the user's wishes too"

Numbers that differ by no more than 3 % stay as they are, so that a small rise today and another one
tomorrow are not two small ones. `--all` writes them too.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from .counted import Counts
from .file import FILE, HERE, WRITTEN, Change, Reason, Written, differences, parse, render
from .measure import Cost, measured


def merged(old: Written, new: Mapping[str, Cost], changes: list[Change]) -> dict[str, Cost]:
    """The new costs; numbers of `old` that did not change stay."""
    changed = {(change.kind, change.count) for change in changes}
    found = {}
    for kind, cost in new.items():
        before = old.costs.get(kind)
        kept = cost.counts if before is None else before.counts
        counts = {
            name: getattr(cost.counts if (kind, name) in changed else kept, name)
            for name in Counts.names()
        }
        found[kind] = Cost(cost.outcome, Counts(**counts))
    return found


def rewritten(
    old: Written,
    new: Mapping[str, Cost],
    reason: str,
    *,
    python: str = HERE,
    tolerance: float = WRITTEN,
) -> Written:
    """The file with the new costs and the reason; the same if nothing changed."""
    moved = python != old.python
    # Compared as if they were of one version: all numbers become those of the new one.
    changes = differences(old, new, python=old.python, tolerance=0 if moved else tolerance)
    if not changes and not moved:
        return old
    because = Reason(reason, tuple(map(str, changes)) if old.costs else ())
    return Written(python, merged(old, new, changes), [because])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reason", required=True, help="why requests cost that; a sentence")
    parser.add_argument("--all", action="store_true", help="small differences too")
    arguments = parser.parse_args()
    old = parse(FILE.read_text("utf-8")) if FILE.exists() else Written(HERE, {})
    tolerance = 0 if arguments.all else WRITTEN
    new = rewritten(old, measured(), arguments.reason, tolerance=tolerance)
    if new is old:
        print(f"{FILE.name} says what requests cost already")
        return
    FILE.write_text(render(new), "utf-8")
    print("\n".join([f"written to {FILE}:", *new.reasons[0].changed]))


if __name__ == "__main__":
    main()
