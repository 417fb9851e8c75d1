"""The crash matrix in a short form; `make crash-matrix` runs the whole of it."""

import os
from collections import defaultdict
from pathlib import Path

import pytest

from tests.crash.failpoints import STEPS, every_point
from tests.crash.matrix import FAULTS, WRITE_FAULTS, Backend, cases, embedded, paired, run_case
from tests.crash.shared import MILVUS, PGVECTOR, shared
from tests.support.redis_server import RedisServer

RUNS = 28
REFUSED: defaultdict[str, list[int]] = defaultdict(list)
"""Writes that were refused in each run, by the fault."""


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def backends(redis):
    shared = Backend("redis", lambda _: redis.url, lambda f: str(f / "memories.db"), redis.restart)
    return {backend.name: backend for backend in (embedded(), shared)}


SHORT = list(
    cases(
        [embedded(), Backend("redis", str, str, lambda: None)],
        runs=RUNS,
    )
)


@pytest.mark.parametrize("case", SHORT, ids=[case.name for case in SHORT])
def test_nothing_is_lost_doubled_or_stuck(case, backends, tmp_path: Path):
    """Whatever dies or fails at whichever step: each turn is learned, once, and every job ends."""
    verdict = run_case(case, backends[case.backend], tmp_path)
    REFUSED[case.fault].append(verdict.refused)
    assert verdict.fine, verdict


ON_SERVERS = list(
    cases(
        [Backend(name, str, str, lambda: None, files=False) for name in (PGVECTOR, MILVUS)],
        runs=8,
        seed=7,
    )
)


@pytest.fixture(scope="module")
def on_servers(redis, postgres, server_address):
    return {each.name: each for each in shared(redis.url, postgres, server_address, redis.restart)}


# Beside other tests some of its runs do not end in time, which is not understood yet.
@pytest.mark.skipif("TEST_SERVERS" not in os.environ, reason="alone only: `make test-servers`")
@pytest.mark.server
@pytest.mark.parametrize("case", ON_SERVERS, ids=[case.name for case in ON_SERVERS])
def test_nothing_is_lost_on_servers(case, on_servers, tmp_path: Path):
    """The same where nothing is in files: on real servers of Redis, PostgreSQL and Milvus."""
    verdict = run_case(case, on_servers[case.backend], tmp_path)
    assert verdict.fine, verdict


def test_refusals_happened():
    """Where writes are to be refused some were: not every point is followed by one."""
    if sum(map(len, REFUSED.values())) < len(SHORT):
        pytest.skip("only some of the runs were made")
    assert all(sum(REFUSED[fault]) > 0 for fault in WRITE_FAULTS)
    assert not sum(REFUSED["kill"])


def test_the_short_form_has_of_everything():
    """Every kind of fault is among the runs, and the points reach every step of the way."""
    assert {case.fault for case in SHORT} == set(FAULTS)
    assert {(point.part, point.method) for point in every_point()} == set(STEPS)


PAIRED = [*cases([paired()], runs=1), *cases([paired()], runs=2, first=1)]
"""A kill with the death of the parent, one without it, and a disk that takes nothing."""


@pytest.mark.parametrize("case", PAIRED, ids=[case.name for case in PAIRED])
def test_two_workers_lose_double_and_hold_up_nothing(case, tmp_path: Path):
    """The same for two processes that share the files, also if their parent dies with them."""
    verdict = run_case(case, paired(), tmp_path)
    assert verdict.fine, verdict
