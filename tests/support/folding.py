"""Many rows of one kind as one test: a row costs what it checks, not what a test costs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

Test = Callable[..., Any]


def rows(names: str, table: Iterable[Any]) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, as one test: every row is tried, every failing row is named.

    For tables whose rows differ in nothing but their text. Fixtures are shared by all rows, so what
    a row changes must be undone by the test itself.
    """
    wanted = [name.strip() for name in names.split(",")]
    entries = [row if len(wanted) > 1 else (row,) for row in table]

    def fold(test: Test) -> Test:
        @functools.wraps(test)
        def every_row(*owner: Any, **fixtures: Any) -> None:
            with _gathering(entries) as attempts:
                for row, attempt in attempts:
                    with attempt:
                        test(*owner, **dict(zip(wanted, row, strict=True)), **fixtures)

        @functools.wraps(test)
        async def every_awaited_row(*owner: Any, **fixtures: Any) -> None:
            with _gathering(entries) as attempts:
                for row, attempt in attempts:
                    with attempt:
                        await test(*owner, **dict(zip(wanted, row, strict=True)), **fixtures)

        folded: Any = every_awaited_row if inspect.iscoroutinefunction(test) else every_row
        signature = inspect.signature(test)
        left = [p for name, p in signature.parameters.items() if name not in wanted]
        folded.__signature__ = signature.replace(parameters=left)
        return folded  # type: ignore[no-any-return]

    return fold


@contextmanager
def _gathering(
    entries: Sequence[Any],
) -> Iterator[Iterator[tuple[Any, AbstractContextManager[None]]]]:
    """Each row with a context that keeps its error; raises all of them at the end."""
    assert entries, "a table without rows tests nothing"
    failures: list[Exception] = []

    @contextmanager
    def attempt(row: Any) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised below, together
            error.add_note(f"row: {row!r}")
            failures.append(error)

    yield ((row, attempt(row)) for row in entries)
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {len(entries)} rows", failures)
