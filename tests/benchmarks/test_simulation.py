"""The simulation of replicas against what queueing theory knows exactly."""

from __future__ import annotations

import pytest

from benchmarks.scale.run import page
from benchmarks.scale.simulation import Costs, Plan, closed, opened

FREE = {
    "client": 0.0, "replica": 0.0, "cold": 0.0, "postgres": 0.0, "cold_read": 0.0,
    "worker": 0.0,
}  # fmt: skip


def costs(**given):
    return Costs(**(FREE | given))


def test_one_server_waits_as_an_m_m_1():
    """At half load a request takes twice its work on average."""
    seen = opened(Plan(replicas=1, workers=0), costs(replica=0.01), rate=50, seconds=700)
    assert sum(seen.waits) / len(seen.waits) == pytest.approx(0.02, rel=0.1)
    assert seen.shares["replica"] == pytest.approx(0.5, rel=0.05)


def test_replicas_with_cores_of_their_own_are_in_proportion():
    """Three carry three times as much as one, if nothing that they share is full."""
    rates = [
        len(closed(Plan(replicas=n, workers=0), costs(replica=0.01), clients=30, seconds=15).waits)
        for n in (1, 3)
    ]
    assert rates[1] / rates[0] == pytest.approx(3, rel=0.1)


def test_what_is_shared_bends_the_curve():
    """One database bounds all replicas, and is what is busiest."""
    plan = Plan(replicas=50, workers=0, store_cores=1)
    seen = closed(plan, costs(replica=0.001, postgres=0.02), clients=200, seconds=8)
    assert len(seen.waits) / 8 == pytest.approx(100, rel=0.1)
    assert seen.shares["postgres"] == pytest.approx(1, abs=0.02)


def test_the_page_is_made_of_what_was_found():
    """Every place of the template is filled."""
    row = {
        "users": 1000, "replicas": 1, "spread": 20.0, "bends at": "replica", "by user": 21.0,
        "bends at by user": "replica",
    }  # fmt: skip
    spent = {**FREE, "worker": 0.1, "postgres": 0.01}
    found = {"unit_ms": 20.0, "costs": spent}
    text = page(found, [], [row])
    assert "| 1,000 | 1 | 20 | replica | 21 | replica |" in text
    assert "{" not in text
