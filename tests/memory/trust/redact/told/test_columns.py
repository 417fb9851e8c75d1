"""Secrets in columns and lists are found by their heading."""

from tests.support.findings import find_secrets


def found(text):
    return [text[f.start : f.end] for f in find_secrets(text)]


def test_a_column_of_a_markdown_table():
    """Every cell under the heading goes, the line below the heading and other columns stay."""
    text = "| site | password |\n|:-----|------:|\n| post | Quince-81 |\n| bank | plumjam |\n\nbye"
    assert found(text) == ["Quince-81", "plumjam"]


def test_a_column_of_a_list_with_commas():
    """A file of accounts is a table; plain words after a comma are rather a sentence."""
    gone = found("user,password,site\nkim,Driftwood8,post\nlee,unknown,bank\n")
    assert len(gone) == 1
    assert "Driftwood8" in gone[0]


def test_items_under_a_heading():
    """`name = value` under `passwords:`; the list ends at the first other line."""
    text = "pw list\n- router = Driftwood8\n- nas: Amber_44\nThat was Monday = fun"
    assert found(text) == ["Driftwood8", "Amber_44"]


def test_a_table_of_other_things_stays():
    """A heading that says more than the noun names no column."""
    assert found("| rule | password length |\n|---|---|\n| ours | 16 |\n| old | nine9 |\n") == []
