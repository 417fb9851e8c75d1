"""What the seed documents ask for, line by line: each line is shown, or says why it is not."""

from collections import Counter

from tests.seeds.table import STATUSES, documents, unshown

DOCUMENTS = documents()
ROWS = [row for rows in DOCUMENTS.values() for row in rows]
MOST_PARTLY = 5


def test_what_shows_a_line_is_there():
    """Who renames or removes a test that a line rests on renames it here, or finds another."""
    assert [(row.document, row.says, *lost) for row in ROWS if (lost := [*unshown(row)])] == []


def test_every_line_has_a_verdict():
    """It holds and is shown, or the row says why not. Nothing is missing."""
    assert [row for row in ROWS if row.status not in STATUSES] == []
    assert [row for row in ROWS if row.status == "holds" and not row.shown] == []
    assert [row for row in ROWS if row.status != "holds" and not row.why] == []


def test_few_lines_are_only_partly_there():
    """At most five in all documents together."""
    partly = [(row.document, row.says) for row in ROWS if row.status == "partly"]
    assert len(partly) <= MOST_PARTLY, partly


def test_no_line_is_counted_twice():
    """A document's table has each line once, under the section that asks for it."""
    for document, rows in DOCUMENTS.items():
        said = Counter((row.section, row.says) for row in rows)
        assert [line for line, times in said.items() if times > 1] == [], document
        assert all(row.section and row.says for row in rows)
