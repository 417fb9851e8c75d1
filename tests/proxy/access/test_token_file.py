"""The file of the admin tokens."""

import stat
from datetime import UTC, datetime

import pytest

from recollect.proxy.access.rights import Right
from recollect.proxy.access.token_file import TokenFile, TokenFileError
from recollect.proxy.access.tokens import BadTokenError, make
from tests.support.folding import rows

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOKEN, TEXT = make("ops", Right.WRITE, ["acme"], now=NOW)


@pytest.fixture
def file(tmp_path):
    return TokenFile(tmp_path / "new" / "tokens.json")


def test_a_running_server_sees_changes_at_once(file):
    """A new token opens, a removed one does not, without a restart."""
    server = TokenFile(file.path)
    with pytest.raises(BadTokenError):
        server.check(TEXT)
    file.write([TOKEN])
    assert server.check(TEXT) == TOKEN
    file.write([])
    with pytest.raises(BadTokenError):
        server.check(TEXT)
    file.write([TOKEN])
    file.path.unlink()
    with pytest.raises(BadTokenError):
        server.check(TEXT)


def test_only_the_owner_reads_it(file):
    """Hashes are no secrets, but nobody else's business; no other file is left."""
    file.write([TOKEN])
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert [path.name for path in file.path.parent.iterdir()] == ["tokens.json"]


@rows(
    "text",
    [
        "",
        "{",
        "[]",
        '{"format": 2, "tokens": []}',
        '{"format": 1}',
        '{"format": 1, "tokens": [{}]}',
    ],
)
def test_a_damaged_file_opens_nothing(file, text, caplog):
    """Who reads it is told what is wrong; the server says so once and lets nobody in."""
    caplog.clear()
    file.write([TOKEN])
    server = TokenFile(file.path)
    assert server.check(TEXT) == TOKEN
    file.path.write_text(text)
    with pytest.raises(TokenFileError, match=r"tokens\.json"):
        TokenFile(file.path).read()
    for _ in range(3):
        with pytest.raises(BadTokenError):
            server.check(TEXT)
    assert caplog.text.count("admin tokens are refused") == 1
