"""`recollect tokens`."""

import pytest

from recollect.proxy.access.token_file import TokenFile
from recollect.proxy.access.tokens import BadTokenError
from recollect.proxy.cli import main
from tests.support.folding import rows


@pytest.fixture
def tokens(tmp_path, monkeypatch, capsys):
    """Runs the command; its status and what it shows."""
    monkeypatch.setenv("RECOLLECT_DATA_DIR", str(tmp_path))

    def run(*arguments):
        status = main(["tokens", *arguments])
        shown, run.told = capsys.readouterr()
        return status, shown.strip()

    run.file = TokenFile(tmp_path / "tokens.json")
    return run


def test_a_token_is_shown_once_and_opens(tokens):
    """Standard output has the token and nothing else; the list does not have it."""
    status, text = tokens("create", "ops", "--right", "admin", "--any-tenant")
    assert status == 0
    token = tokens.file.check(text)
    assert (token.name, token.right.word, token.tenants) == ("ops", "admin", ("*",))
    status, listed = tokens("list")
    assert (status, tokens.told) == (0, "")
    assert "ops" in listed
    assert token.id in listed
    assert text not in listed


def test_rotating_leaves_time_to_change_over(tokens):
    """Both work for a while; with no hours to keep, the old one ends."""
    old = tokens("create", "ops")[1]
    status, new = tokens("rotate", "ops")
    assert status == 0
    assert tokens.file.check(old).name == tokens.file.check(new).name == "ops"
    newest = tokens("rotate", "ops", "--keep-hours", "0")[1]
    for text in (old, new):
        with pytest.raises(BadTokenError, match="expired"):
            tokens.file.check(text)
    assert tokens.file.check(newest).name == "ops"


def test_revoking_ends_it_at_once(tokens):
    """By name, with all that a rotation left, or by id."""
    texts = [tokens("create", "a")[1], tokens("rotate", "a")[1], tokens("create", "b")[1]]
    assert tokens("revoke", "a")[0] == 0
    assert tokens("revoke", tokens.file.check(texts[2]).id)[0] == 0
    for text in texts:
        with pytest.raises(BadTokenError, match="revoked"):
            tokens.file.check(text)
    assert tokens("list") == (0, "")
    assert "there are no admin tokens" in tokens.told
    assert tokens("list", "--all")[1].count("revoked") == 3


@rows(
    "arguments, status",
    [
        (("create", "ops"), 2),
        (("create", "a b"), 2),
        (("create", "x", "--days", "-1"), 2),
        (("create", "x", "--tenant", " "), 2),
        (("rotate", "nobody"), 1),
        (("revoke", "nobody"), 1),
    ],
)
def test_a_wrong_call_changes_nothing(tokens, arguments, status):
    """The file is as it was."""
    tokens("create", "ops")
    before = tokens.file.path.read_text()
    assert tokens(*arguments) == (status, "")
    assert tokens.file.path.read_text() == before
