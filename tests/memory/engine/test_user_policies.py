"""Rules of users in several processes."""

from recollect.memory.database.user_rules import SqlUserRules
from recollect.memory.engine.options import EngineOptions
from recollect.memory.engine.user_policies import UserPolicies
from recollect.memory.model.scope import Scope
from recollect.memory.recall import Withholding
from tests.support.sharing import log_over
from tests.support.state import in_memory_scripts

ADA = Scope(tenant="t", user_id="ada")
BOB = Scope(tenant="t", user_id="bob")
RULES = [{"to": ["cloud"], "send": "none"}]


async def test_other_processes_are_told():
    """Another one's rules count, and end, with the next line that it reads, and only hers."""
    scripts = in_memory_scripts()
    logs = [log_over(scripts) for _ in range(2)]
    kept, options = SqlUserRules(scripts), EngineOptions()
    here, there = (UserPolicies(kept, Withholding([], None), options, log) for log in logs)
    await logs[1].read()
    await there.set(BOB, RULES)
    await here.set(ADA, RULES)
    assert there.of(ADA) == []
    await logs[1].read()
    assert there.of(ADA) == there.of(BOB) == RULES
    await here.set(ADA, [])
    await logs[1].read()
    assert (there.of(ADA), there.of(BOB)) == ([], RULES)
