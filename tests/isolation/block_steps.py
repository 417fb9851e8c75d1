"""Steps with working blocks, as their owners take them and as others try to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.memory import AsyncMemory
from recollect.memory.model.errors import ForbiddenError, NotFoundError, ScopeError, VersionError
from recollect.memory.model.visible_scope import VisibleScope

from .api_steps import own_text, scopes
from .people import COMMON
from .witness import ensure

if TYPE_CHECKING:
    from .steps import Step
    from .world import World

MINE, OURS = "mine", "ours"
_REFUSED = (ForbiddenError, NotFoundError, ScopeError, VersionError)


async def write(world: World, step: Step) -> None:
    """A block of one's own; of a scope that others see into, one that says what everybody says."""
    caller, _ = scopes(world, step)
    seen = any(each != caller and caller.admits(each) for each in world.people.scopes)
    text, label = (COMMON, OURS) if seen else (own_text(world, step), MINE)
    blocks, ids = world.api(caller).blocks, caller.ids()
    await _call(world, step, blocks.define(label, value=text, limit=100, **ids))
    if step.number % 2:
        await _call(world, step, blocks.rewrite(label, text, author="model", **ids))
    elif step.number % 5 == 0:
        await _call(world, step, blocks.delete(label, **ids))


async def look(world: World, step: Step) -> None:
    """Whatever one's scope sees of blocks, in each way there is."""
    caller, _ = scopes(world, step)
    blocks, ids = world.api(caller).blocks, caller.ids()
    for found in (blocks.list(**ids), blocks.compile(**ids), blocks.metadata(**ids)):
        await _call(world, step, found)
    for label in (MINE, OURS):
        await _call(world, step, blocks.history(label, **ids))


async def take(world: World, step: Step) -> None:
    """Somebody with a credential of one user, and ids of another: nothing is read or written."""
    caller, other = scopes(world, step)
    if caller.user_id is None or other.user_id in {caller.user_id, None}:
        return
    engine = world.engine
    thief = AsyncMemory(engine, tenant=caller.tenant, only_user=caller.user_id).blocks
    owner = AsyncMemory(engine, tenant=caller.tenant).blocks
    theirs, mine = other.ids(), caller.ids()
    before = await owner.list(**theirs)
    tries = (
        thief.get(MINE, **theirs),
        thief.define(MINE, value="overwritten", **theirs),
        thief.rewrite(MINE, "overwritten", **theirs),
        thief.delete(MINE, **theirs),
        thief.attach(MINE, mine, rights="write", **theirs),
        thief.attach(MINE, theirs, **mine),
    )
    for asked in tries:
        ensure(not await _call(world, step, asked), f"{caller} may do that to {other}")
    ensure(await owner.list(**theirs) == before, f"{caller} changed the blocks of {other}")


async def _call(world: World, step: Step, asked: Any) -> bool:
    """Whether it was done; what comes back is heard."""
    caller, _ = scopes(world, step)
    try:
        answer = await asked
    except _REFUSED as error:
        world.refused["blocks"] += 1
        world.ears.hear(VisibleScope.of(caller), error)
        return False
    world.done["blocks"] += 1
    world.ears.hear(VisibleScope.of(caller), answer)
    return True
