"""What all attachments must do."""

from __future__ import annotations

import uuid
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.owner import covers
from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, NOON, OTHER_ALICE

MEMORY, BLOCK = ShareKind.MEMORY, ShareKind.BLOCK

_IDS = [None, "a", "b/{c} é"]
_NAMED = [ids for ids in product(_IDS, repeat=3) if any(ids)]


def shared(
    item_id: str,
    to: Scope,
    *,
    owner: Scope = ALICE,
    kind: ShareKind = MEMORY,
    rights: ShareRights = ShareRights.READ,
) -> Attachment:
    """An attachment that was made at noon."""
    return Attachment(
        kind=kind, item_id=item_id, owner=owner, to=to, rights=rights, created_at=NOON
    )


def scopes(tenant: str) -> st.SearchStrategy[Scope]:
    """Any of a few scopes of a tenant, so that many meet."""
    return st.sampled_from(_NAMED).map(
        lambda ids: Scope(tenant=tenant, user_id=ids[0], agent_id=ids[1], run_id=ids[2])
    )


class AttachmentsContract:
    """Subclasses provide the fixture `attachments`."""

    async def test_what_is_attached_is_seen_as_it_was_written(self, attachments):
        """With the owner, the rights and the time; a scope without any sees nothing."""
        made = shared("m {1} é", BOB, owner=ALICE_WORK, rights=ShareRights.WRITE)
        assert await attachments.for_scope(BOB, MEMORY) == []
        assert not await attachments.exist("local")
        await attachments.attach(made)
        assert await attachments.exist("local")
        assert not await attachments.exist("other")
        assert await attachments.for_scope(BOB, MEMORY) == [made]
        assert await attachments.of_items("local", MEMORY, ["m {1} é", "none"]) == [made]
        assert await attachments.for_scope(BOB, BLOCK) == []
        assert await attachments.for_scope(ALICE, MEMORY) == []

    async def test_a_second_attachment_takes_the_place(self, attachments):
        """The rights are the last ones given; other scopes keep theirs."""
        await attachments.attach(shared("m", BOB))
        await attachments.attach(shared("m", ALICE_WORK))
        await attachments.attach(shared("m", BOB, rights=ShareRights.WRITE))
        [found] = await attachments.for_scope(BOB, MEMORY)
        assert found.rights is ShareRights.WRITE
        assert len(await attachments.of_items("local", MEMORY, ["m"])) == 2

    async def test_what_is_detached_is_seen_no_more(self, attachments):
        """Only by that scope, and only once."""
        await attachments.attach(shared("m", BOB))
        await attachments.attach(shared("m", ALICE_WORK))
        assert await attachments.detach(MEMORY, "m", BOB)
        assert not await attachments.detach(MEMORY, "m", BOB)
        assert not await attachments.detach(BLOCK, "m", ALICE_WORK)
        assert await attachments.for_scope(BOB, MEMORY) == []
        assert await attachments.for_scope(ALICE_WORK, MEMORY) == [shared("m", ALICE_WORK)]

    async def test_erasing_an_owner_removes_both_ways(self, attachments):
        """What it gave, also to others, and what it was given; nothing of anybody else."""
        carol = Scope(tenant="local", user_id="carol")
        given_away, received = shared("m", BOB), shared("n", ALICE_WORK, owner=BOB)
        strange = shared("m", BOB, owner=carol, kind=BLOCK)
        for each in (given_away, received, strange):
            await attachments.attach(each)
        assert {each.item_id for each in await attachments.of_owner(ALICE)} == {"m", "n"}
        assert await attachments.erase(OTHER_ALICE) == 0
        assert await attachments.erase(ALICE, BLOCK) == 0
        assert await attachments.erase(ALICE) == 2
        assert await attachments.erase(ALICE) == 0
        assert await attachments.of_owner("local") == [strange]
        assert await attachments.erase("local") == 1
        assert await attachments.of_owner("local") == []

    async def test_erasing_an_item_removes_all_of_its_attachments(self, attachments):
        """And none of another kind or tenant with the same id."""
        other = shared("m", Scope(tenant="other", user_id="bob"), owner=OTHER_ALICE)
        block = shared("m", BOB, kind=BLOCK)
        for each in (shared("m", BOB), shared("m", ALICE_WORK), block, other):
            await attachments.attach(each)
        assert await attachments.erase_items("local", MEMORY, ["m", "none"]) == 2
        assert await attachments.erase_items("local", MEMORY, []) == 0
        assert await attachments.of_owner("local") == [block]
        assert await attachments.of_owner("other") == [other]

    @ANY_BACKEND
    @given(data=st.data())
    async def test_a_scope_sees_what_is_attached_to_what_admits_it(self, attachments, data):
        """All of that and nothing else, for any scopes of two tenants."""
        tenants = [uuid.uuid4().hex for _ in range(2)]
        of_any = st.sampled_from(tenants).flatmap(
            lambda tenant: st.tuples(
                st.sampled_from(["m", "n"]), st.sampled_from(ShareKind), scopes(tenant),
                scopes(tenant),
            )
        )  # fmt: skip
        made: dict[object, Attachment] = {}
        for item_id, kind, owner, to in data.draw(st.lists(of_any, max_size=12)):
            each = shared(item_id, to, owner=owner, kind=kind)
            made[item_id, kind, to] = each
            await attachments.attach(each)
        for tenant in tenants:
            asking = data.draw(scopes(tenant))
            for kind in ShareKind:
                seen = await attachments.for_scope(asking, kind)
                meant = [a for a in made.values() if a.kind is kind and a.to.admits(asking)]
                assert _sorted(seen) == _sorted(meant)
            concerned = [
                a for a in made.values() if covers(asking, a.owner) or covers(asking, a.to)
            ]
            assert _sorted(await attachments.of_owner(asking)) == _sorted(concerned)

    def test_nothing_is_attached_across_tenants(self):
        """Such an attachment cannot even be made."""
        with pytest.raises(ForbiddenError, match="tenants"):
            Attachment(
                kind=MEMORY, item_id="m", owner=ALICE, to=OTHER_ALICE, rights=ShareRights.READ,
                created_at=NOON + timedelta(seconds=1),
            )  # fmt: skip


def _sorted(attachments: list[Attachment]) -> list[str]:
    return sorted(map(repr, attachments))
