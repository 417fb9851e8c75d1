"""Tenants whose credential the model server has accepted."""

import os
import stat

import pytest

from recollect.proxy.access.accepted import FILE, Accepted


@pytest.fixture(autouse=True)
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_the_model_server_decides():
    """An answered chat lets a tenant in, a refused one puts it out; other failures do neither."""
    accepted = Accepted()
    for status in (400, 401, 404, 429, 500):
        accepted.note("t", status)
        assert "t" not in accepted
    accepted.note("t", 200)
    for status in (400, 404, 429, 500, 503):
        accepted.note("t", status)
        assert "t" in accepted
    for status in (401, 403):
        accepted.note("t", 200)
        accepted.note("t", status)
        assert "t" not in accepted


def test_the_next_start_knows_them(tmp_path):
    """What was taken back is not known again."""
    accepted = Accepted(tmp_path)
    for tenant in ("a", "b", "a"):
        accepted.note(tenant, 200)
    accepted.note("a", 401)
    later = Accepted(tmp_path)
    assert ("a" in later, "b" in later, 1 in later) == (False, True, False)
    assert (tmp_path / FILE).read_text() == "b\n"


def test_a_folder_that_cannot_be_written_costs_only_the_next_start(tmp_path, caplog):
    """This process knows them all the same, and says what is wrong."""
    accepted = Accepted(tmp_path / "missing")
    accepted.note("a", 200)
    assert "a" in accepted
    assert FILE in caplog.text


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_on_the_machine_can_read_it(tmp_path):
    """From the first tenant on, and after one was taken out."""
    accepted = Accepted(tmp_path)
    accepted.note("a", 200)
    assert mode_of(tmp_path / FILE) == 0o600
    accepted.note("b", 200)
    accepted.note("a", 401)
    assert mode_of(tmp_path / FILE) == 0o600


def test_of_several_workers_each_knows_what_another_was_told(tmp_path):
    """Let in by one they are let in by all, and put out by one, put out by all."""
    one, two = (Accepted(tmp_path, shared=True) for _ in range(2))
    one.note("a", 200)
    assert ("a" in two, "b" in two) == (True, False)
    two.note("b", 200)
    two.note("a", 401)
    assert ("a" in one, "b" in one) == (False, True)
