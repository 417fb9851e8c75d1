"""The crash matrix of upkeep in a short form; `make crash-matrix` runs the whole of it."""

from pathlib import Path

import pytest

from tests.crash.matrix import FAULTS, Backend, embedded
from tests.crash.upkeep_matrix import STEPS, cases, points, run_case
from tests.support.redis_server import RedisServer

RUNS = 6


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def backends(redis):
    shared = Backend("redis", lambda _: redis.url, lambda f: str(f / "memories.db"), redis.restart)
    return {backend.name: backend for backend in (embedded(), shared)}


SHORT = list(cases([embedded(), Backend("redis", str, str, lambda: None)], runs=RUNS))


@pytest.mark.process
@pytest.mark.parametrize("case", SHORT, ids=[case.name for case in SHORT])
def test_upkeep_leaves_what_an_undisturbed_run_leaves(case, backends, tmp_path: Path):
    """Whatever dies or fails at whichever step: no memory is lost, doubled or half changed."""
    verdict = run_case(case, backends[case.backend], tmp_path)
    assert verdict.fine, verdict


def test_the_whole_form_has_of_everything():
    """Every kind of fault is among its runs, and the points reach every step of the way."""
    whole = list(cases([embedded(), Backend("redis", str, str, lambda: None)], runs=200))
    assert {case.fault for case in whole} == set(FAULTS)
    assert {(point.part, point.method) for point in points()} == set(STEPS)
