"""Where database and Redis are, and that no password is shown."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.database.options import without_password
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.state import RedisOptions
from tests.support.folding import rows


def database(url: object) -> DatabaseOptions:
    return DatabaseOptions.model_validate({"url": url})


@rows(
    "kind, url",
    [
        ("sqlite", None),
        ("sqlite", "recollect.db"),
        ("sqlite", "/var/lib/recollect.db"),
        ("sqlite", "sqlite:///recollect.db"),
        ("sqlite", "sqlite:////var/lib/recollect.db"),
        ("sqlite", "C:\\data\\recollect.db"),
        ("inmemory", ":memory:"),
        ("inmemory", "sqlite:///:memory:"),
        ("postgres", "postgresql://user:secret@host:5432/db?sslmode=require"),
        ("postgres", "postgres:///db?host=/run/postgresql"),
    ],
)
def test_the_url_says_what_it_is(kind, url):
    """In the usual forms."""
    assert database(url).kind == kind


@rows(
    "options, url, told",
    [
        (DatabaseOptions, "redis://:secret@host", "redis.url"),
        (DatabaseOptions, "mysql://u:secret@host/db", "postgresql://"),
        (DatabaseOptions, "sqlite://", "expected"),
        (DatabaseOptions, "sqlite:///", "expected"),
        (DatabaseOptions, "sqlite:secret.db", "expected"),
        (DatabaseOptions, " ", "expected"),
        (DatabaseOptions, "postgresql://u:secret@host:port/db", "port"),
        (RedisOptions, "secret.db", "redis://"),
        (RedisOptions, "postgresql://u:secret@host/db", "redis://"),
        (RedisOptions, "redis://u:secret@host:99999", "port"),
    ],
)
def test_a_wrong_url_names_the_key(options, url, told):
    """The error is at `url`, says what is expected and does not repeat what may be a password."""
    with pytest.raises(ValidationError) as refused:
        options.model_validate({"url": url})
    [problem] = refused.value.errors()
    assert problem["loc"] == ("url",)
    assert told in problem["msg"]
    assert "secret" not in problem["msg"]
    assert "secret" not in str(refused.value)


def test_files_are_absolute(tmp_path, monkeypatch):
    """Relative paths are relative to where we run, `~` is the home directory."""
    monkeypatch.chdir(tmp_path)
    for url in ("x.db", "sqlite:///x.db", f"sqlite:///{tmp_path}/x.db", tmp_path / "x.db"):
        assert database(url).file == tmp_path / "x.db"
    assert database("sqlite:///~/x.db").file == Path("~/x.db").expanduser()
    assert database("sqlite:///x.db").placed(Path("/y.db")).file == tmp_path / "x.db"
    assert database(None).placed(tmp_path / "y.db").file == tmp_path / "y.db"


@rows("url", ["postgresql://host/db", ":memory:"])
def test_only_files_are_placed(url):
    """Whatever else it is has no file, and stays what it is."""
    placed = database(url).placed(Path("/x.db"))
    assert (placed.address, placed.file) == (url, None)


@rows(
    "url, shown",
    [
        ("/var/recollect.db", "/var/recollect.db"),
        ("redis://host:6379/1", "redis://host:6379/1"),
        ("redis://:secret@host", "redis://:***@host"),
        ("rediss://user:se%40cret@host:1", "rediss://user:***@host:1"),
        ("postgresql://u@host/db", "postgresql://u@host/db"),
        ("postgresql://u:secret@h/db?password=secret&x=1", "postgresql://u:***@h/db"),
        ("postgresql://u:secret/secret@h/db", "postgresql://***"),
        ("redis://h/1?password=secret@secret", "redis://***"),
        ("redis://u:secret@secret@h", "redis://u:***@h"),
    ],
)
def test_passwords_are_taken_out(url, shown):
    """What is shown to people says where it is and who asks, no more."""
    assert without_password(url) == shown


@rows("url", ["postgresql://u:secret@host/db", "redis://u:secret@host/db"])
def test_options_show_no_password(url):
    """Neither printed nor dumped."""
    kind = RedisOptions if url.startswith("redis") else DatabaseOptions
    options = kind.model_validate({"url": url})
    assert options.shown == url.replace("secret", "***")
    assert options.address == url
    for text in (repr(options), str(options.model_dump()), options.model_dump_json()):
        assert "secret" not in text


async def test_a_file_must_be_named():
    """Without a data directory somebody has to say where."""
    with pytest.raises(InvalidInputError, match=r"database\.url"):
        await open_database(DatabaseOptions())
