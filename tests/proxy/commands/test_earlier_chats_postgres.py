"""`recollect import` on PostgreSQL: what holds on the files holds there."""

import pytest

from tests.support.postgres_server import empty_database

from .test_earlier_chats import (
    test_a_budget_on_the_files,
    test_an_export_of_ours_keeps_that_no_model_reads_it,
    test_on_the_files,
    test_what_is_refused_leaves_nothing,
    test_what_was_forgotten_stays_forgotten,
)

__all__ = [
    "test_a_budget_on_the_files",
    "test_an_export_of_ours_keeps_that_no_model_reads_it",
    "test_on_the_files",
    "test_what_is_refused_leaves_nothing",
    "test_what_was_forgotten_stays_forgotten",
]
pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
async def on_postgres(environ, postgres):
    """A database that nobody has used."""
    async with empty_database(postgres) as url:
        environ.setenv("RECOLLECT_DATABASE__URL", url)
        yield
