"""Where state and history are, and that no password is shown."""

import logging
from pathlib import Path

import pytest
from pydantic import ValidationError

from recollect.memory.model.errors import InvalidInputError, StateError
from recollect.memory.model.types import Spent
from recollect.memory.state import HistoryOptions, StateOptions, open_history, open_state
from recollect.memory.state.options import check_url, file_of, without_password
from tests.memory.state.contract import ALICE, NOON, job, turn
from tests.support.folding import rows
from tests.support.ports import free_port


@rows(
    "backend, url",
    [
        ("sqlite", None),
        ("sqlite", "state.db"),
        ("sqlite", "/var/lib/state.db"),
        ("sqlite", "sqlite:///state.db"),
        ("sqlite", "sqlite:////var/lib/state.db"),
        ("sqlite", "C:\\data\\state.db"),
        ("inmemory", None),
        ("redis", "redis://host"),
        ("redis", "rediss://user:p%40ss@host:6380/2"),
        ("redis", "unix:///run/redis.sock"),
        ("redis", "REDIS://host"),
        ("postgres", "postgresql://user:secret@host:5432/db?sslmode=require"),
        ("postgres", "postgres:///db?host=/run/postgresql"),
    ],
)
def test_urls_of_their_backend(backend, url):
    """Each backend takes the usual forms."""
    assert check_url(backend, url) == url


@rows(
    "backend, url",
    [
        ("sqlite", "redis://:secret@host"),
        ("sqlite", "postgresql://u:secret@host/db"),
        ("sqlite", "mysql://u:secret@host/db"),
        ("sqlite", "sqlite://"),
        ("sqlite", "sqlite:///"),
        ("sqlite", "sqlite:secret.db"),
        ("sqlite", ":memory:"),
        ("sqlite", " "),
        ("inmemory", "secret.db"),
        ("redis", None),
        ("redis", "secret.db"),
        ("redis", "postgresql://u:secret@host/db"),
        ("redis", "redis://u:secret@host:port"),
        ("redis", "redis://u:secret@host:99999"),
        ("postgres", None),
        ("postgres", "redis://:secret@host"),
        ("postgres", "host=h password=secret"),
    ],
)
def test_a_wrong_combination_names_the_key(backend, url):
    """The error is at `url` and does not repeat what may be a password."""
    with pytest.raises(ValueError) as raised:
        check_url(backend, url)
    assert "secret" not in str(raised.value)
    options = HistoryOptions if backend == "postgres" else StateOptions
    with pytest.raises(ValidationError) as refused:
        options(backend=backend, url=url)  # type: ignore[arg-type]
    [problem] = refused.value.errors()
    assert problem["loc"] == ("url",)
    assert "secret" not in problem["msg"]
    assert "secret" not in str(refused.value)


def test_files_are_absolute(tmp_path, monkeypatch):
    """Relative paths are relative to where we run, `~` is the home directory."""
    monkeypatch.chdir(tmp_path)
    assert file_of("x.db") == file_of("sqlite:///x.db") == tmp_path / "x.db"
    assert file_of(f"sqlite:///{tmp_path}/x.db") == tmp_path / "x.db"
    assert file_of("sqlite:///~/x.db") == Path("~/x.db").expanduser()
    assert StateOptions(url="sqlite:///x.db").placed(Path("/y.db")).file == tmp_path / "x.db"
    assert StateOptions(url=tmp_path / "x.db").file == tmp_path / "x.db"
    assert StateOptions().placed(tmp_path / "y.db").file == tmp_path / "y.db"


def test_only_files_are_placed():
    """The other backends keep their address, or that they have none."""
    redis = StateOptions(backend="redis", url="redis://host")
    assert redis.placed(Path("/x.db")).address == "redis://host"
    assert redis.file is None
    assert StateOptions(backend="inmemory").placed(Path("/x.db")).address is None


@rows(
    "url, shown",
    [
        ("/var/state.db", "/var/state.db"),
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


def test_options_show_no_password():
    """Neither printed nor dumped."""
    options = HistoryOptions(backend="postgres", url="postgresql://u:secret@host/db")
    assert options.shown == "postgresql://u:***@host/db"
    assert options.address == "postgresql://u:secret@host/db"
    for text in (repr(options), str(options.model_dump()), options.model_dump_json()):
        assert "secret" not in text


async def test_a_file_must_be_named():
    """Without a data directory somebody has to say where."""
    with pytest.raises(InvalidInputError, match=r"state\.url"):
        await open_state(StateOptions())
    with pytest.raises(InvalidInputError, match=r"history\.url"):
        await open_history(HistoryOptions())


@pytest.mark.parametrize("backend", ["sqlite", "inmemory"])
async def test_all_parts_are_opened_and_closed(tmp_path, backend):
    """One call opens everything that is state, one closes it; nobody else shares it."""
    url = tmp_path / "x.db" if backend == "sqlite" else None
    state = await open_state(StateOptions(backend=backend, url=url))  # type: ignore[arg-type]
    assert (await state.conversations.record(turn("a"))).seq == 1
    assert await state.jobs.put(job("j"))
    assert await state.tombstones.epoch(ALICE) == (0,)
    assert await state.ledger.spent("local", NOON.date()) == Spent()
    assert (state.peers, state.peers, state.missing) == (None, None, None)
    assert not state.shared
    await state.close()


async def test_redis_is_opened_with_all_that_is_shared(caplog):
    """A server that is away is no error, and its password is in no log."""
    url = f"redis://user:secret@127.0.0.1:{free_port()}/0"
    with caplog.at_level(logging.DEBUG):
        state = await open_state(StateOptions(backend="redis", url=url, prefix="test"))
        assert state.shared
        assert state.peers is not None
        assert state.peers is not None
        with pytest.raises(StateError) as raised:
            await state.jobs.counts()
        await state.close()
    assert "secret" not in caplog.text
    assert "secret" not in str(raised.value)
