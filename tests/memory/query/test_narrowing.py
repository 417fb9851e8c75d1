"""Filters in a language that cannot say all of them."""

from __future__ import annotations

from recollect.memory.model.filters import EVERYTHING, AllOf, AnyOf, Not
from recollect.memory.query import parse
from recollect.memory.query.narrowing import Narrowed, narrowed
from tests.support.folding import rows


class FewWords:
    """A language that can only compare the type."""

    def never(self):
        return "never"

    def every(self, parts):
        return "(" + "&".join(parts) + ")"

    def some(self, parts):
        return "(" + "|".join(parts) + ")"

    def condition(self, found, *, negated):
        if found.field.name != "type":
            return Narrowed(None, exact=False)
        return Narrowed(f"{'!' if negated else ''}{found.operator}", exact=True)


A, OTHER = parse({"type": ["semantic"]}), parse({"tag": "work"})
NOT_A = parse({"type": {"nin": ["semantic"]}})


@rows(
    "found, expected",
    [
        (A, ("in", True)),
        (NOT_A, ("!in", True)),
        (Not(NOT_A), ("in", True)),
        (AllOf((A, A)), ("(in&in)", True)),
        (Not(AllOf((A, A))), ("(!in|!in)", True)),
        (Not(AnyOf((A, A))), ("(!in&!in)", True)),
        (EVERYTHING, (None, True)),
        (Not(EVERYTHING), ("never", True)),
        # What cannot be said is left out where less is asked, and gives up where more would be.
        (OTHER, (None, False)),
        (AllOf((A, OTHER)), ("(in)", False)),
        (AnyOf((A, OTHER)), (None, False)),
        (Not(AnyOf((A, OTHER))), ("(!in)", False)),
        (Not(AllOf((A, OTHER))), (None, False)),
    ],
)
def test_it_admits_at_least_what_the_filter_does(found, expected):
    """And it says whether it admits nothing else."""
    assert narrowed(found, FewWords()) == expected
