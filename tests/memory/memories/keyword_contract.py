"""What a store must do that keeps index terms."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.model.types import MemoryStatus, Scope

from .memories import ANY_STATUS, Tenancy, ids, memory

TERMS = (
    *("10000", "v2.3", "snake_case", "_", "c++", "東京", "हिन्दी", "e\u0301", "İ", "ß", "😀"),
    *("0x61", "UPPER", "x" * 500, "it's", 'q"uote', "\\"),
)


class KeywordContract(Tenancy):
    """For stores opened with `words` as their analyzer."""

    async def test_memories_with_the_words_are_found(self, store, alice):
        """What has more and rarer of the terms comes first; what has none does not come."""
        texts = {
            "both": "tea in hawaii",
            "rare": "flights to hawaii",
            "common": "tea with milk",
            "again": "tea with cake and more to make it long",
            "none": "plays the piano",
        }
        assert store.keywords
        await store.put([memory(alice, text, id=f"{alice.tenant}{n}") for n, text in texts.items()])
        hits = await store.search_keywords(alice, ["hawaii", "tea", "hawaii"], limit=9)
        found = [hit.item.id.removeprefix(alice.tenant) for hit in hits]
        assert found[0] == "both"
        assert set(found) == {"both", "rare", "common", "again"}
        assert found.index("common") < found.index("again")
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
        assert hits[0].item.text == "tea in hawaii"

    async def test_limit_is_kept(self, store, alice):
        """The best of them, no more than asked for; nothing asked for is nothing found."""
        await store.put([memory(alice, "tea " * n) for n in range(1, 6)])
        assert len(await store.search_keywords(alice, ["tea"], limit=2)) == 2
        assert await store.search_keywords(alice, ["tea"], limit=0) == []
        assert await store.search_keywords(alice, [], limit=9) == []
        assert await store.search_keywords(alice, ["coffee"], limit=9) == []
        assert await store.search_keywords(alice, ["tea"], limit=9, statuses=set()) == []

    async def test_terms_are_compared_whole(self, store, alice):
        """A term is one token, whatever it is made of, and no part or case of it matches."""
        kept = {term: memory(alice, f"before {term} after") for term in TERMS}
        near = {
            other
            for term in TERMS
            for other in (term[:-1], term.lower() + "x", term.swapcase(), "61", "snake", "upper")
            if other.split() == [other] and other not in TERMS
        }
        await store.put([*kept.values(), *(memory(alice, f"only {other}") for other in near)])
        wrong = [
            term
            for term, one in kept.items()
            if ids(await store.search_keywords(alice, [term], limit=99)) != {one.item.id}
        ]
        assert not wrong

    async def test_scope_and_status_are_hard_predicates(self, store, tenant):
        """For every scope and status exactly what it admits is found, with words as with vectors."""
        scopes = [
            Scope(tenant=owner, user_id=user, agent_id=agent)
            for owner in (tenant, f"{tenant}-other", f'{tenant}" or tenant != "')
            for user, agent in (("u1", None), ("u2", "a1"), (None, "a1"), ('"||user_id!="', None))
        ]
        stored = [memory(scope, status=status) for scope in scopes for status in MemoryStatus]
        await store.put(stored)
        for scope in scopes:
            for statuses in ({MemoryStatus.ACTIVE}, ANY_STATUS):
                admitted = {
                    kept.item.id
                    for kept in stored
                    if scope.admits(kept.item.scope) and kept.item.status in statuses
                }
                found = await store.search_keywords(scope, ["tea"], limit=99, statuses=statuses)
                assert ids(found) == admitted, scope

    async def test_hostile_terms_are_terms(self, store, alice):
        """A term that looks like a filter finds nobody else's memories."""
        other = replace(alice, user_id="other")
        await store.put([memory(other, "tea secret")])
        for term in ('" or user_id != "x', "%", "*", "tea OR secret", "TEA", "{}", "\n", ""):
            assert await store.search_keywords(alice, [term], limit=9) == []
            assert await store.search_keywords(other, [term], limit=9) == []

    async def test_changes_are_seen(self, store, alice):
        """What was replaced, deleted or given away is found by its words of now, if at all."""
        changed, gone, given = (memory(alice, "tea") for _ in range(3))
        other = replace(alice, user_id="other")
        await store.put([changed, gone, given])
        await store.put([memory(alice, "coffee", id=changed.item.id)])
        await store.put([memory(other, "tea", id=given.item.id)])
        await store.delete(alice.tenant, [gone.item.id])
        for _ in range(2):
            assert await store.search_keywords(alice, ["tea"], limit=9) == []
            assert ids(await store.search_keywords(alice, ["coffee"], limit=9)) == {changed.item.id}
            assert ids(await store.search_keywords(other, ["tea"], limit=9)) == {given.item.id}

    async def test_texts_of_any_length_are_found(self, store, alice):
        """A text without terms is kept; one with too many is found by those at its beginning."""
        empty = memory(alice, " ")
        long = memory(alice, "first " + "日本 " * 9_000)
        await store.put([empty, long])
        assert ids(await store.search_keywords(alice, ["first"], limit=9)) == {long.item.id}
        assert ids(await store.list(alice, limit=None)) == ids([empty, long])
        many = [f"t{n}" for n in range(50_000)]
        assert ids(await store.search_keywords(alice, ["first", *many], limit=9)) == {long.item.id}
