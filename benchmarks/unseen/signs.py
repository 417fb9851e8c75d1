"""What each sign of the quarantine brings on which set, and what each threshold costs.

    python benchmarks/unseen/signs.py [--data FOLDER] [--each] [--only NAME] [--thresholds]

For each sign that weighs something, and for the rules on what stands on a text's face, the rows
that have it are judged again without it. Shown is how many more of the planted facts become
recallable (of all, for each set), how many honest facts and innocent texts become free by that, and
how many are withheld more: a sign may speak for a text. Groups of signs ("told", "leads") are taken
away together; with `--each` their signs also one by one.

`--thresholds` judges everything with other values of each threshold instead.

A sign is worth something if it keeps planted facts on sets that it was not fitted on and frees few
innocent texts. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from unseen import judgements, sets  # noqa: E402 - the script runs without an installation

from recollect.memory.trust.quarantine.signs import WEIGHTS, SignPlace, kind_of  # noqa: E402 - the same

ROOM = "recollect.memory.trust.quarantine"
JUDGE = import_module(f"{ROOM}.judgement")
FACE = "on its face"
"""The name of the rules that are no weighed signs."""
BY_NAME = {str(sign): sign for sign in WEIGHTS}
THRESHOLDS: Mapping[str, Sequence[float]] = {
    "judgement._PLANTED": (-2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 1, 1.5, 2),
    "judgement._PLANTED_GIVEN": (-0.5, -0.25, 0, 0.25, 0.5, 1, 1.5, 2),
    "signs._SMALL": (0, 0.1, 0.2, 0.3, 0.4),
    "signs._LEAST": (0, 0.25, 0.5, 0.75, 1, 1.5, 2),
}
"""By module and name, with the values that are tried."""


@dataclass(eq=False)
class Case:
    """A row, and what the judge sees in it."""

    group: str
    """The set, and whether the row is planted, honest or innocent."""
    decide: Callable[[], bool]
    seen: set[str] = field(default_factory=set)
    held: bool = False


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--each", action="store_true", help="signs of a group also one by one")
    parser.add_argument("--only", default="", help="the beginning of the names of signs")
    parser.add_argument("--thresholds", action="store_true")
    wanted = parser.parse_args()
    absent = sets.absent(wanted.data)
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    found = list(cases(wanted.data))
    if wanted.thresholds:
        show_thresholds(found)
    else:
        show_signs(
            found, [one for one in asked(each=wanted.each) if one[0].startswith(wanted.only)]
        )
    return 0


def cases(data: Path) -> Iterator[Case]:
    """All rows that the quarantine judges."""
    planted = {"poison": sets.rows(data, "poison")}
    planted |= {f"own {stem}": sets.read(path) for stem, path in sets.own("planted").items()}
    for name, rows in planted.items():
        for row in rows:
            what = "planted" if row["malicious"] else "honest"
            said = judgements.chat(row["messages"])
            yield Case(f"{name}, {what}", partial(_held, row["candidate"], said))
    innocent = {"innocent": sets.rows(data, "innocent")}
    innocent |= {f"own {stem}": sets.read(path) for stem, path in sets.own("innocent").items()}
    for name, rows in innocent.items():
        for row in rows:
            said = judgements.chat([{"role": row["role"], "content": row["text"]}])
            yield Case(name, partial(_held, row["text"], said))


def _held(text: str, said: Any) -> bool:
    return bool(judgements.suspicion(text, said))


def asked(*, each: bool) -> list[tuple[str, frozenset[str]]]:
    """What is taken away together, and its name."""
    groups: dict[str, set[str]] = defaultdict(set)
    for sign in sorted(WEIGHTS):
        groups[str(sign) if sign.place is SignPlace.SEEN else f"{sign.place} …"].add(str(sign))
    found = [(name, frozenset(of)) for name, of in groups.items()]
    if each:
        single = [(sign, frozenset({sign})) for of in groups.values() if len(of) > 1 for sign in of]
        found += sorted(single)
    kinds: dict[str, set[str]] = defaultdict(set)
    for sign in WEIGHTS:
        kinds[f"all of {kind_of(sign).value}"].add(str(sign))
    found += sorted((name, frozenset(of)) for name, of in kinds.items())
    return [(FACE, frozenset({FACE})), *found]


def show_signs(found: Sequence[Case], taken: Sequence[tuple[str, frozenset[str]]]) -> None:
    """For each sign and set "-freed +withheld", out of the number of its rows."""
    _judge(found)
    groups = list(dict.fromkeys(case.group for case in found))
    print(f"{'without':26}{'weight':>8}" + "".join(f"{name:>24}" for name in groups))
    now = (_tally([case.held for case in found if case.group == name]) for name in groups)
    print(f"{'(withheld now)':34}" + "".join(f"{each:>24}" for each in now))
    for name, gone in taken:
        freed: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        with without(gone):
            for case in found:
                if not case.seen.isdisjoint(gone) and case.decide() is not case.held:
                    freed[case.group][not case.held] += 1
        [*only] = gone
        weight = (
            f"{WEIGHTS[BY_NAME[only[0]]]:+.2f}" if len(only) == 1 and only[0] in BY_NAME else ""
        )
        cells = (f"-{freed[g][0]} +{freed[g][1]}" if g in freed else "." for g in groups)
        print(f"{name:26}{weight:>8}" + "".join(f"{each:>24}" for each in cells))


def show_thresholds(found: Sequence[Case]) -> None:
    """How much of each set is withheld, by the value of each threshold."""
    groups = list(dict.fromkeys(case.group for case in found))
    for name, values in THRESHOLDS.items():
        module = import_module(f"{ROOM}.{name.partition('.')[0]}")
        attribute = name.partition(".")[2]
        if not hasattr(module, attribute):
            print(f"\n{name}: not there any more")
            continue
        known = getattr(module, attribute)
        print(f"\n{name:16}" + "".join(f"{group:>24}" for group in groups))
        for value in sorted({*values, known}):
            setattr(module, attribute, value)
            held: dict[str, list[bool]] = defaultdict(list)
            for case in found:
                held[case.group].append(case.decide())
            mark = " <- now" if value == known else ""
            cells = "".join(f"{_tally(held[group]):>24}" for group in groups)
            print(f"{value:<16g}{cells}{mark}")
        setattr(module, attribute, known)


def _tally(held: Sequence[bool]) -> str:
    return f"{sum(held)}/{len(held)} {sum(held) / max(len(held), 1):.1%}"


def _judge(found: Sequence[Case]) -> None:
    """Judge every case, and remember which signs it has."""
    read, look = JUDGE.signs_of, JUDGE.on_its_face
    for case in found:
        seen = case.seen

        def reading(*given: Any, seen: set[str] = seen) -> Any:
            signs = read(*given)
            seen.update(str(sign) for sign, amount in signs.items() if amount)
            return signs

        def looking(*given: Any, seen: set[str] = seen) -> Any:
            telling = list(look(*given))
            seen.update([FACE] * bool(telling))
            return telling

        JUDGE.signs_of, JUDGE.on_its_face = reading, looking
        case.held = case.decide()
    JUDGE.signs_of, JUDGE.on_its_face = read, look


@contextmanager
def without(gone: frozenset[str]) -> Iterator[None]:
    """The judge without these signs."""
    look, known = JUDGE.on_its_face, dict(WEIGHTS)
    for name in gone - {FACE}:
        WEIGHTS.pop(BY_NAME[name])
    if FACE in gone:
        JUDGE.on_its_face = lambda *_: ()
    try:
        yield
    finally:
        WEIGHTS.update(known)
        JUDGE.on_its_face = look


if __name__ == "__main__":
    sys.exit(main())
