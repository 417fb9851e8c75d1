"""The crash matrices in a short form; `make crash-matrix` runs the whole of them."""

import os
from pathlib import Path

import pytest

from tests.crash import graph_matrix, upkeep_matrix
from tests.crash.failpoints import STEPS, every_point
from tests.crash.matrix import FAULTS, WRITE_FAULTS, Backend, cases, embedded, paired, run_case
from tests.crash.shared import MILVUS, PGVECTOR, POSTGRES, shared, with_files
from tests.support.budget import examples

REFUSED = dict.fromkeys(FAULTS, 0)
"""Writes that were refused, by the fault."""
WHOLE = 200


def named(found):
    """As parameters, with their names."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in found])


BOTH = [embedded(), Backend(POSTGRES, str, str, lambda: None)]
SHORT = [*cases(BOTH, runs=min(WHOLE, examples(12)))]
OF_UPKEEP = [*upkeep_matrix.cases(BOTH, runs=min(WHOLE, examples(3)))]
OF_LINKS = [*graph_matrix.cases([graph_matrix.FILES], runs=min(WHOLE, examples(2)))]
# A kill with the death of the parent, and one without it.
OF_PAIRS = [*cases([paired()], runs=1), *cases([paired()], runs=examples(1), first=1)]
ON_SERVERS = [
    *cases(
        [Backend(name, str, str, lambda: None, files=False) for name in (PGVECTOR, MILVUS)],
        runs=8,
        seed=7,
    )
]


@pytest.fixture(scope="module")
def backends(own_postgres):
    def restart():
        own_postgres.kill()
        own_postgres.start()

    there = with_files(own_postgres, restart)
    return {backend.name: backend for backend in (embedded(), there, paired())}


@named(SHORT)
def test_nothing_is_lost_doubled_or_stuck(case, backends, tmp_path: Path):
    """Whatever dies or fails at whichever step: each turn is learned, once, and every job ends."""
    verdict = run_case(case, backends[case.backend], tmp_path)
    REFUSED[case.fault] += verdict.refused
    assert verdict.fine, verdict


@named(OF_UPKEEP)
def test_upkeep_leaves_what_an_undisturbed_run_leaves(case, backends, tmp_path: Path):
    """Whatever dies or fails at whichever step: no memory is lost, doubled or half changed."""
    verdict = upkeep_matrix.run_case(case, backends[case.backend], tmp_path)
    assert verdict.fine, verdict


@named(OF_LINKS)
def test_the_graph_is_what_a_rebuild_makes(case, tmp_path: Path):
    """Whatever dies or fails at whichever step: no link is lost, and none is left over."""
    verdict = graph_matrix.run_case(case, graph_matrix.FILES, tmp_path)
    assert verdict.fine, verdict


@named(OF_PAIRS)
def test_two_workers_lose_double_and_hold_up_nothing(case, backends, tmp_path: Path):
    """The same for two processes that share the files, also if their parent dies with them."""
    verdict = run_case(case, backends[case.backend], tmp_path)
    assert verdict.fine, verdict


# Beside other tests some of its runs do not end in time, which is not understood yet.
@pytest.mark.skipif("TEST_SERVERS" not in os.environ, reason="alone only: `make test-servers`")
@pytest.mark.server
@named(ON_SERVERS)
def test_nothing_is_lost_on_servers(case, own_postgres, server_address, tmp_path: Path):
    """The same where nothing is in files: on real servers of PostgreSQL and Milvus."""

    def restart():
        own_postgres.kill()
        own_postgres.start()

    on_servers = shared(own_postgres, server_address, restart)
    [backend] = [each for each in on_servers if each.name == case.backend]
    verdict = run_case(case, backend, tmp_path)
    assert verdict.fine, verdict


def test_refusals_happened():
    """Where writes are to be refused some were; a kill refuses none."""
    if not any(REFUSED.values()):
        pytest.skip("no run was made")
    assert any(REFUSED[fault] > 0 for fault in WRITE_FAULTS)
    assert not REFUSED["kill"]


def test_the_whole_forms_have_of_everything():
    """Every kind of fault is among the runs, and the points reach every step of the way."""
    for made, faults, points, steps in (
        (cases(BOTH, runs=WHOLE), FAULTS, every_point(), STEPS),
        (
            upkeep_matrix.cases(BOTH, runs=WHOLE),
            FAULTS,
            upkeep_matrix.points(),
            upkeep_matrix.STEPS,
        ),
        (
            graph_matrix.cases([graph_matrix.FILES, BOTH[1]], runs=WHOLE),
            graph_matrix.FAULTS,
            graph_matrix.points(),
            graph_matrix.STEPS,
        ),
    ):
        assert {case.fault for case in made} == set(faults)
        assert {(point.part, point.method) for point in points} == set(steps)
