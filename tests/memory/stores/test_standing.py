"""A folder that is copied is copied whole, by whom nobody disturbs."""

from __future__ import annotations

import pytest

from recollect.memory.maintenance.backup import back_up, plan_backup
from recollect.memory.maintenance.backup_files import BackupError
from recollect.memory.maintenance.repair import look_at
from recollect.memory.maintenance.restoring import restore
from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores import InMemoryStoreOptions, open_store
from recollect.memory.stores.standing import standing_still
from tests.support.composing import settings

from .memories import DIM, memory

ALICE = Scope(tenant="t", user_id="alice")


@pytest.fixture(params=["qdrant", "chroma"])
def kept(request, tmp_path):
    """Settings with a store that is a folder without snapshots."""
    return settings(tmp_path, store__backend=request.param)


def _nothing(_more):
    """Progress that nobody looks at."""


async def _texts(options):
    store = await open_store(options, embedder_id="fake", dim=DIM)
    try:
        return sorted(item.text for item in await store.list(ALICE, limit=None))
    finally:
        await store.close()


async def _fill(options):
    store = await open_store(options, embedder_id="fake", dim=DIM)
    await store.put([memory(ALICE, str(number)) for number in range(3)])
    return store


async def test_a_folder_is_backed_up_and_restored(kept, tmp_path):
    """Every memory is where the restored configuration looks for it."""
    await (await _fill(kept.store)).close()
    assert "memories.db" in plan_backup(kept, kept.data_dir).parts
    note = back_up(kept, kept.data_dir, tmp_path / "backup", "1", _nothing)
    assert note.store == kept.store.backend
    kept.data_dir.rename(tmp_path / "old")
    restore(kept, kept.data_dir, tmp_path / "backup", _nothing)
    assert await _texts(kept.store) == ["0", "1", "2"]


async def test_a_folder_in_use_is_not_copied(kept, tmp_path):
    """A copy of files that change would be none; nothing of it is left."""
    store = await _fill(kept.store)
    with pytest.raises(StoreError, match="stop Recollect"):
        back_up(kept, kept.data_dir, tmp_path / "backup", "1", _nothing)
    assert not (tmp_path / "backup").exists()
    await store.close()


async def test_a_backup_of_another_kind_of_store_is_refused(kept, tmp_path):
    """Its files would be where nobody reads them: the setting is named."""
    await (await _fill(kept.store)).close()
    back_up(kept, kept.data_dir, tmp_path / "backup", "1", _nothing)
    other = settings(tmp_path / "elsewhere", store__backend="milvus")
    with pytest.raises(BackupError, match=rf"{kept.store.backend}.*store\.backend"):
        restore(other, other.data_dir, tmp_path / "backup", _nothing)


async def test_a_sound_folder_is_not_called_damaged(kept):
    """What repair cannot examine it does not offer to move out of the way."""
    await (await _fill(kept.store)).close()
    found = look_at(kept, "store")
    assert found.damage is None
    assert kept.store.backend in found.seen


def test_what_is_no_folder_has_none():
    """The error says what it is."""
    with pytest.raises(StoreError, match="in memory"):
        standing_still(InMemoryStoreOptions())
