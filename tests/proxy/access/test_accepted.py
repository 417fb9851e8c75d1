"""Tenants whose credential the model server has accepted."""

from recollect.proxy.access.accepted import FILE, Accepted


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
