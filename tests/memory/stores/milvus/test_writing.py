"""What is written is flushed in time, and written in steps that can be repeated."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from tests.memory.stores.contract import memory


class TestFlushing:
    @pytest.fixture
    def calls(self, monkeypatch):
        """The names of the calls a store makes."""
        seen = []

        def watch(store):
            call = store._connection.call

            async def watched(method, **arguments):
                seen.append(method)
                return await call(method, **arguments)

            monkeypatch.setattr(store._connection, "call", watched)
            return seen

        return watch

    async def test_flushes_when_enough_rows_wait(self, open_at, lite_address, calls):
        """The put that fills the measure flushes; those before it do not."""
        store = await open_at(lite_address, flush_every=3)
        seen = calls(store)
        scope = Scope(tenant="t", user_id="u")
        await store.put([memory(scope), memory(scope)])
        assert "flush" not in seen
        await store.put([memory(scope)])
        assert seen.count("flush") == 1

    async def test_maintenance_flushes_what_is_left_once(self, open_at, lite_address, calls):
        """When idle the rest is flushed, and then nothing more."""
        store = await open_at(lite_address)
        seen = calls(store)
        await store.put([memory(Scope(tenant="t", user_id="u"))])
        await store.maintain()
        await store.maintain()
        assert seen.count("flush") == 1

    async def test_with_other_writers_a_deletion_is_flushed_at_once(
        self, open_at, lite_address, calls
    ):
        """None of them knows it, and inserting the id again would cancel one that is not."""
        store = await open_at(lite_address)
        one = memory(Scope(tenant="t", user_id="u"))
        await store.put([one])
        seen = calls(store)
        await store.delete("t", [one.item.id])
        assert "flush" not in seen
        store._writer.alone = False
        await store.delete("t", [one.item.id])
        assert seen.count("flush") == 1

    async def test_failed_flush_fails_no_put(self, open_at, lite_address, monkeypatch, caplog):
        """Rows are durable before the flush: its failure is a warning, and it is tried again."""
        store = await open_at(lite_address, flush_every=1)
        call = store._connection.call
        broken = True

        async def sometimes(method, **arguments):
            if broken and method == "flush":
                raise StoreError("no space")
            return await call(method, **arguments)

        monkeypatch.setattr(store._connection, "call", sometimes)
        scope = Scope(tenant="t", user_id="u")
        await store.put([memory(scope)])
        assert "no space" in caplog.text
        with pytest.raises(StoreError, match="no space"):
            await store.maintain()
        broken = False
        await store.maintain()
        assert store._writer.unflushed == 0
        assert len(await store.list(scope, limit=None)) == 1
