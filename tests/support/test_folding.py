"""The helpers of the tests do what the tests rely on."""

import pytest

from tests.support.folding import rows


def test_every_row_is_tried_and_all_that_fail_are_named():
    """One failure does not hide the next, and fixtures go through."""
    tried = []

    @rows("a, b", [(1, 1), (1, 2), (3, 4)])
    def check(a, b, fixture):
        tried.append((a, b, fixture))
        assert a == b

    with pytest.raises(ExceptionGroup, match="2 of 3 rows") as failure:
        check(fixture="f")
    assert tried == [(1, 1, "f"), (1, 2, "f"), (3, 4, "f")]
    assert [e.__notes__ for e in failure.value.exceptions] == [["row: (1, 2)"], ["row: (3, 4)"]]


def test_a_table_without_rows_is_no_test():
    """A table that was emptied by mistake fails."""
    with pytest.raises(AssertionError, match="without rows"):
        rows("a", [])(lambda a: None)()


async def test_a_test_that_awaits_is_awaited_for_every_row():
    """Its failures are those of the coroutine, not of calling it."""
    tried = []

    @rows("a", [1, 2, 3])
    async def check(a):
        tried.append(a)
        assert a == 1

    with pytest.raises(ExceptionGroup, match="2 of 3 rows"):
        await check()
    assert tried == [1, 2, 3]
