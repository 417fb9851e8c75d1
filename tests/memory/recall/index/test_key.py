"""Which index answers for which scope."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.types import Scope
from recollect.memory.recall.index.key import IndexKey, tenant_key
from tests.memory.stores.memories import HOSTILE

NAMES = st.sampled_from([None, "a", "b"])
SCOPES = st.tuples(st.sampled_from(["t", "u"]), NAMES, NAMES, NAMES).filter(
    lambda parts: any(parts[1:])
)
HOSTILE_NAMES = st.sampled_from([None, *HOSTILE, "-", "=", "=-", "%2F", "a/-", "None"])


def scope(parts):
    tenant, user, agent, run = parts
    return Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)


@given(SCOPES, SCOPES)
def test_an_index_holds_all_that_its_askers_may_see(asking, owner):
    """Whatever a scope admits is in the index that answers for it, and nothing wider is."""
    asking, owner = scope(asking), scope(owner)
    owner_ref = IndexKey.of(asking)
    if asking.admits(owner):
        assert owner_ref in IndexKey.holding(owner)
    for holder in IndexKey.holding(owner):
        assert holder.scope.admits(owner)
    assert (owner_ref in IndexKey.holding(owner)) == owner_ref.scope.admits(owner)


@given(*[st.tuples(*[HOSTILE_NAMES] * 4)] * 2)
def test_keys_are_unambiguous(one, other):
    """Two indexes never have one key, whatever the ids hold."""
    tenant = "t" if one[0] is None else one[0]
    other_tenant = "t" if other[0] is None else other[0]
    first, second = IndexKey(tenant, *one[1:]), IndexKey(other_tenant, *other[1:])
    assert (first.name == second.name) == (first == second)
    assert first.name.isascii()
    assert (tenant_key(tenant) == tenant_key(other_tenant)) == (tenant == other_tenant)
    assert first.name != tenant_key(other_tenant)
