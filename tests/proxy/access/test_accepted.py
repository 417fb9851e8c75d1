"""Tenants whose credential the model server has accepted."""

from recollect.memory.database.accepted import SqlAcceptedTenants
from recollect.memory.engine.accepted import AcceptedTenants
from recollect.proxy.access.accepted import Accepted
from tests.support.state import in_memory_scripts


def test_the_model_server_decides():
    """An answered chat lets a tenant in, a refused one puts it out; other failures do neither."""
    accepted = Accepted(AcceptedTenants(SqlAcceptedTenants(in_memory_scripts())))
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


def test_where_no_credential_makes_a_tenant_none_is_accepted():
    """Outside of gateway mode an answer says nothing about rights."""
    accepted = Accepted()
    accepted.note("t", 200)
    assert "t" not in accepted
