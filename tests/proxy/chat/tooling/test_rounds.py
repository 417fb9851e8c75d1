"""What one answer of a model holds, and what several of them add up to."""

from __future__ import annotations

from typing import Any

from recollect.proxy.chat.tooling.rounds import OurNames, added_up
from tests.support.folding import rows


@rows(
    "first, second, total",
    [
        (None, None, None),
        (None, {"a": 1}, {"a": 1}),
        ({"a": 1}, None, {"a": 1}),
        ({"a": 1, "d": {"x": 2}}, {"a": 2, "d": {"x": 3}, "b": 4}, {"a": 3, "d": {"x": 5}, "b": 4}),
        ({"a": None, "t": "x"}, {"a": 0.5, "t": "y"}, {"a": 0.5, "t": "y"}),
        ({"a": True}, {"a": True}, {"a": True}),
    ],
)
def test_tokens_are_added_up(first: Any, second: Any, total: Any) -> None:
    """Field by field, in whatever depth; what is no number is the later one's."""
    assert added_up(first, second) == total


def test_a_name_is_ours_however_a_model_writes_it() -> None:
    """In another case, with a space or the namespace of functions; a longer one is another's."""
    names = OurNames(["fact_search"])
    for name in ("fact_search", "Fact_Search", " fact_search", "functions.fact_search"):
        assert name in names
    for other in ("fact_searcher", "my.fact_search", "", None, 3):
        assert other not in names
