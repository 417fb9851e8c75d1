"""The crash matrix in a short form; `make crash-matrix` runs the whole of it."""

from dataclasses import replace

import pytest

from tests.crash.faults import DISK, FAULTS
from tests.crash.matrix import (
    AT_SERVER,
    AT_SERVER_BY_TWO,
    FILE,
    FILE_OF_TWO,
    Matrix,
    at_server,
    cases,
    faults_of,
)
from tests.crash.works import WORKS
from tests.support.budget import examples

WHOLE = 200
REFUSED = dict.fromkeys(FAULTS, 0)
"""Writes that were refused, by the fault."""


def some_of(places, sample, seed=5):
    """Cases as parameters, with their names."""
    found = cases(places, runs=min(WHOLE, examples(sample)), seed=seed)
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in found])


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    return Matrix(tmp_path_factory.mktemp("crash"))


@some_of([FILE], 12)
def test_nothing_is_lost_doubled_or_stuck_in_a_file(case, matrix):
    """Whatever dies or fails at whichever commit: all is as if nothing had happened."""
    verdict = matrix.run(case)
    REFUSED[case.fault] += verdict.refused
    assert verdict.fine, verdict


@some_of([FILE_OF_TWO], 2)
def test_two_workers_lose_double_and_hold_up_nothing(case, matrix):
    """The same for two processes that share a file, also if their parent dies with them."""
    verdict = matrix.run(case)
    assert verdict.fine, verdict


@some_of([AT_SERVER, AT_SERVER_BY_TWO], 4)
def test_nothing_is_lost_on_a_server(case, own_postgres, matrix):
    """The same on a real PostgreSQL, for one process and for two, also if it is killed."""
    places = {place.name: place for place in at_server(own_postgres)}
    verdict = matrix.run(replace(case, place=places[case.place.name]))
    assert verdict.fine, verdict


def test_refusals_happened():
    """Where the disk takes nothing some writes were refused; a kill refuses none."""
    if not any(REFUSED.values()):
        pytest.skip("no run was made")
    assert any(REFUSED[fault] for fault in DISK)
    assert not REFUSED["kill"]


def test_the_whole_form_has_of_everything():
    """Every work meets every fault that can befall it, wherever it keeps things."""
    places = [FILE, FILE_OF_TWO, AT_SERVER, AT_SERVER_BY_TWO]
    made = {(case.place.name, case.work, case.fault) for case in cases(places, runs=2 * WHOLE)}
    assert made == {
        (place.name, work, fault)
        for place in places
        for work in WORKS
        for fault in faults_of(place)
    }
