"""What somebody may see who asks in a scope."""

import itertools

import pytest
from pydantic import ValidationError

from recollect.memory.model.sight import Sight, SightOptions
from recollect.memory.model.types import Scope
from tests.support.folding import rows

SCOPES = [
    Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)
    for tenant, user, agent, run in itertools.product(
        ("t", "s"), ("ada", "bob", None), ("chef", "tutor", None), ("r", "q", None)
    )
    if user or agent or run
]


@rows("scope", SCOPES)
def test_a_sight_is_the_scope_and_what_the_agents_user_told_no_agent(scope):
    """Nothing else is added, and without a user or an agent nothing at all."""
    seen = {other for other in SCOPES if Sight.of(scope).admits(other)}
    own = {other for other in SCOPES if scope.admits(other)}
    assert own <= seen
    for other in seen - own:
        assert scope.user_id
        assert scope.agent_id
        assert (other.tenant, other.user_id, other.agent_id) == (scope.tenant, scope.user_id, None)
        assert scope.run_id in (None, other.run_id)


def test_an_agent_sees_its_user():
    """The allergy that was told without an agent."""
    chef = Scope(tenant="t", user_id="ada", agent_id="chef")
    assert Sight.of(chef).admits(Scope(tenant="t", user_id="ada"))
    assert not Sight.of(chef).admits(Scope(tenant="t", user_id="ada", agent_id="tutor"))


def test_a_sight_keeps_the_place():
    """The ids, the partition and the key of the index are those of the scope."""
    scope = Scope(tenant="t", user_id="ada", agent_id="chef", run_id="r")
    sight = Sight.of(scope)
    assert (sight.ids(), sight.partition) == (scope.ids(), scope.partition)
    assert sight != scope


def test_separate_agents_see_what_is_theirs():
    """The scope itself."""
    scope = Scope(tenant="t", user_id="ada", agent_id="chef")
    assert SightOptions(agents="separate").sight(scope) is scope
    assert SightOptions().sight(scope) == Sight.of(scope)


def test_nothing_else_can_be_chosen():
    """A wrong word is refused by name."""
    with pytest.raises(ValidationError, match="agents"):
        SightOptions(agents="both")
