"""The rules about blocks that need a state; the rest is in tests/memory/api/test_blocks.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory.blocks import BlockKeeper, rules
from recollect.memory.model.blocks import Author, Block
from recollect.memory.model.errors import ConflictError, InvalidInputError
from recollect.memory.model.types import Scope
from recollect.memory.records.invalidation import InvalidationBus
from recollect.memory.state import State
from tests.memory.state.samples import ALICE
from tests.support.state import in_memory_state
from tests.support.withholding import no_policy


async def anything(_before: str, _after: str, _scope: Scope) -> str | None:
    """A door that is open."""
    return None


def keeper_of(state: State, bus: InvalidationBus | None = None) -> BlockKeeper:
    """One process on a state."""
    return BlockKeeper(
        state,
        bus or InvalidationBus(),
        count=lambda text: len(text.split()),
        redact=lambda text: text,
        refuse=anything,
        withholding=no_policy(),
    )


async def define(keeper: BlockKeeper, label: str, scope: Scope = ALICE, **fields: Any) -> Block:
    usual = {"value": "", "description": None, "limit": None, "read_only": None}
    return await keeper.define(scope, label, **(usual | fields))


async def append(keeper: BlockKeeper, text: str, scope: Scope = ALICE) -> None:
    await keeper.edit(
        scope,
        "plan",
        lambda value: f"{value} {text}",
        field="text",
        author=Author.PERSON,
        version=None,
    )


async def test_an_edit_is_made_on_what_is_there() -> None:
    """However old the blocks are that this process gives to chats."""
    state = in_memory_state()
    ours, theirs = keeper_of(state), keeper_of(state)
    await define(ours, "plan")
    await ours.seen(ALICE)
    await append(theirs, "theirs")
    await append(ours, "ours")
    assert [each.block.value for each in await ours.seen(ALICE)] == [" theirs ours"]


async def test_a_scope_has_a_bounded_number_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are read for a chat; those that it sees of a wider scope do not count."""
    monkeypatch.setattr(rules, "MAX_BLOCKS", 2)
    keeper = keeper_of(in_memory_state())
    for scope in (ALICE, replace(ALICE, agent_id="coder")):
        await define(keeper, "one", scope)
        await define(keeper, "two", scope)
        with pytest.raises(InvalidInputError, match="at most 2 blocks"):
            await define(keeper, "three", scope)


async def test_whoever_is_always_too_late_is_told() -> None:
    """After some tries, and nothing is lost of what the others wrote."""
    state = in_memory_state()
    keeper, other = keeper_of(state), keeper_of(state)
    await define(keeper, "plan")
    tries = 0

    async def too_late(block: Block) -> bool:
        nonlocal tries
        tries += 1
        await append(other, str(tries))
        return await type(state.blocks).change(state.blocks, block)  # type: ignore[arg-type]

    keeper._changed = too_late  # type: ignore[method-assign]
    with pytest.raises(ConflictError, match="try again"):
        await append(keeper, "late")
    assert (await keeper.get(ALICE, "plan")).block.value == " 1 2 3 4 5"
