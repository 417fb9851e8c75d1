"""What somebody may see who asks in a scope."""

import itertools

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


def test_separate_agents_see_what_is_theirs():
    """The scope itself."""
    scope = Scope(tenant="t", user_id="ada", agent_id="chef")
    assert SightOptions(agents="separate").sight(scope) is scope
    assert SightOptions().sight(scope) == Sight.of(scope)
