"""The crash matrix of the graph in a short form; `make crash-matrix` runs the whole of it."""

from pathlib import Path

import pytest

from tests.crash.graph_matrix import FAULTS, FILES, STEPS, cases, points, run_case
from tests.crash.matrix import Backend

RUNS = 4
SHORT = list(cases([FILES], runs=RUNS))


@pytest.mark.process
@pytest.mark.parametrize("case", SHORT, ids=[case.name for case in SHORT])
def test_the_graph_is_what_a_rebuild_makes(case, tmp_path: Path):
    """Whatever dies or fails at whichever step: no link is lost, and none is left over."""
    verdict = run_case(case, FILES, tmp_path)
    assert verdict.fine, verdict


def test_the_whole_form_has_of_everything():
    """Every kind of fault is among its runs, and the points reach every step of the way."""
    server = Backend("server", str, str, lambda: None)
    assert {case.fault for case in cases([FILES, server], runs=200)} == set(FAULTS)
    assert {(point.part, point.method) for point in points()} == set(STEPS)
