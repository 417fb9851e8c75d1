"""Many rows of one kind as one test: a row costs what it checks, not what a test costs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def rows(names: str, table: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, as one test: every row is tried, every failing row is named.

    For tables whose rows differ in nothing but their text. Fixtures are shared by all rows, so what
    a row changes must be undone by the test itself.
    """
    wanted = [name.strip() for name in names.split(",")]
    entries = [row if len(wanted) > 1 else (row,) for row in table]

    def fold(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every_row(**fixtures: Any) -> None:
            assert entries, "a table without rows tests nothing"
            failures = []
            for row in entries:
                try:
                    test(**dict(zip(wanted, row, strict=True)), **fixtures)
                except Exception as error:  # noqa: BLE001 - raised below, together
                    error.add_note(f"row: {row!r}")
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(entries)} rows", failures)

        signature = inspect.signature(test)
        left = [p for name, p in signature.parameters.items() if name not in wanted]
        every_row.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return every_row

    return fold
