"""What all stores of working blocks must do."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.blocks import KEPT_VERSIONS, Author, Block
from recollect.memory.model.owner import covers
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.attachments import scopes
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, NOON, OTHER_ALICE


def block(label: str = "plan", *, scope: Scope = ALICE, **fields: Any) -> Block:
    """A new block, written by a person at noon."""
    given_fields = {"id": uuid.uuid4().hex, "value": "one {two} \u00e9\n", "limit": 500} | fields
    return Block(
        scope=scope,
        label=label,
        description="what is next",
        read_only=False,
        version=1,
        author=Author.PERSON,
        created_at=NOON,
        updated_at=NOON,
        **given_fields,
    )


def next_of(before: Block, value: str) -> Block:
    """The version that a model makes of it a minute later."""
    later = before.updated_at + timedelta(minutes=1)
    return replace(
        before, value=value, version=before.version + 1, author=Author.MODEL, updated_at=later
    )


class BlocksContract:
    """Subclasses provide the fixture `blocks`."""

    async def test_a_block_is_read_as_it_was_written(self, blocks):
        """With all of its fields, by its scope, its id and its owner."""
        made = block()
        assert not await blocks.exist("local")
        assert await blocks.create(made)
        assert await blocks.exist("local")
        assert not await blocks.exist("other")
        assert await blocks.for_scope(ALICE) == [made]
        assert await blocks.named("local", [made.id, "none"]) == [made]
        assert await blocks.named("local", []) == []
        assert await blocks.named("other", [made.id]) == []
        assert await blocks.of_owner(ALICE) == await blocks.of_owner("local") == [made]
        assert await blocks.versions("local", made.id) == []

    async def test_a_label_is_once_in_a_scope(self, blocks):
        """Other scopes and tenants may use it too."""
        made = block()
        assert await blocks.create(made)
        assert not await blocks.create(block())
        for scope in (ALICE_WORK, BOB, OTHER_ALICE):
            assert await blocks.create(block(scope=scope))
        assert await blocks.for_scope(ALICE) == [made]

    async def test_a_change_keeps_the_version_before_it(self, blocks):
        """Newest first; an unknown block and a wrong version change nothing."""
        first = block()
        assert await blocks.create(first)
        second = next_of(first, "two")
        third = next_of(second, "three")
        assert not await blocks.change(third)
        assert await blocks.change(second)
        assert await blocks.change(third)
        assert not await blocks.change(next_of(first, "late"))
        assert not await blocks.change(next_of(block("other"), "none"))
        assert await blocks.named("local", [first.id]) == [third]
        assert await blocks.versions("local", first.id) == [second, first]

    async def test_of_two_who_change_a_version_one_is_refused(self, blocks):
        """What the other one wrote is never lost."""
        first = block()
        assert await blocks.create(first)
        tried = [next_of(first, str(number)) for number in range(10)]
        done = await asyncio.gather(*(blocks.change(each) for each in tried))
        assert done.count(True) == 1
        [now] = await blocks.named("local", [first.id])
        assert now == tried[done.index(True)]

    async def test_only_the_newest_versions_are_kept(self, blocks):
        """A block that is written for years does not fill the state."""
        now = block()
        assert await blocks.create(now)
        for number in range(KEPT_VERSIONS + 5):
            now = next_of(now, str(number))
            assert await blocks.change(now)
        kept = await blocks.versions("local", now.id)
        assert [each.version for each in kept] == list(
            range(now.version - 1, now.version - 1 - KEPT_VERSIONS, -1)
        )

    async def test_a_block_that_is_told_anew_keeps_nothing_of_before(self, blocks):
        """Nor do its earlier versions; whoever read it before writes nothing back."""
        first = block()
        second = next_of(first, "two")
        other = block("other")
        assert await blocks.create(first)
        assert await blocks.create(other)
        assert await blocks.change(second)
        told = next_of(second, "left")
        await blocks.retell(told, [replace(first, value="", description="")])
        [now] = await blocks.named("local", [first.id])
        assert (now.value, now.version, now.description) == ("left", 3, first.description)
        [kept] = await blocks.versions("local", first.id)
        assert (kept.value, kept.description, kept.version) == ("", "", 1)
        assert not await blocks.change(next_of(second, "two again"))
        assert await blocks.named("local", [other.id]) == [other]

    async def test_a_deleted_block_is_gone_with_its_versions(self, blocks):
        """Its label may be used again; blocks of other tenants stay."""
        first = block()
        assert await blocks.create(first)
        assert await blocks.change(next_of(first, "two"))
        assert await blocks.delete("other", [first.id]) == 0
        assert await blocks.delete("local", [first.id, "none"]) == 1
        assert await blocks.delete("local", []) == 0
        assert await blocks.for_scope(ALICE) == await blocks.of_owner("local") == []
        assert not await blocks.exist("local")
        assert await blocks.versions("local", first.id) == []
        assert await blocks.create(block())

    @ANY_BACKEND
    @given(data=st.data())
    async def test_a_scope_sees_the_blocks_of_what_admits_it(self, blocks, data):
        """All of those and nothing else, for any scopes of two tenants."""
        tenants = [uuid.uuid4().hex for _ in range(2)]
        made: list[Block] = []
        for scope in data.draw(
            st.lists(st.sampled_from(tenants).flatmap(scopes), max_size=8, unique=True)
        ):
            made.append(block(scope=scope))
            assert await blocks.create(made[-1])
        for tenant in tenants:
            asking = data.draw(scopes(tenant))
            meant = [each for each in made if each.scope.admits(asking)]
            assert _ids(await blocks.for_scope(asking)) == _ids(meant)
            owned = [each for each in made if covers(asking, each.scope)]
            assert _ids(await blocks.of_owner(asking)) == _ids(owned)


def _ids(blocks: list[Block]) -> list[str]:
    return sorted(each.id for each in blocks)
