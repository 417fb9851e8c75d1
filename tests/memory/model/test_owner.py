"""Whose memories a caller acts on."""

import pytest

from recollect.memory.model.errors import ForbiddenError, ScopeError
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import Scope
from tests.support.folding import rows

ACME = Owner("acme")
BOB = Owner("acme", "bob")


def test_a_tenant_names_anybody_of_its_own():
    """With ids it is that scope, without any the whole tenant, where that is allowed."""
    assert ACME.scope("ada", "a") == Scope(tenant="acme", user_id="ada", agent_id="a")
    assert ACME.owner_ref() == ACME.whole_tenant() == "acme"
    assert ACME.owner_ref(run_id="r") == Scope(tenant="acme", run_id="r")
    with pytest.raises(ScopeError):
        ACME.scope()


def test_a_user_is_always_that_user():
    """Whatever ids are given or left out, the scope has the user."""
    assert BOB.scope() == BOB.owner_ref() == BOB.scope("bob") == Scope(tenant="acme", user_id="bob")
    assert BOB.owner_ref(run_id="r") == Scope(tenant="acme", user_id="bob", run_id="r")


@rows("other", ["ada", "", "Bob", "bob "])
def test_a_user_names_nobody_else(other):
    """Not even with a name that looks the same; nor the tenant."""
    for asked in (BOB.scope, BOB.owner_ref):
        with pytest.raises(ForbiddenError) as caught:
            asked(other)
        assert caught.value.field == "user_id"
    with pytest.raises(ForbiddenError):
        BOB.whole_tenant()
