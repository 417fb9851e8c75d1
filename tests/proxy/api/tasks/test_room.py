"""How much room the files of tasks may take."""

import pytest

from recollect.memory.model.owner import Owner
from recollect.memory.model.tasks import Task, TaskKind, UsedRoom
from recollect.memory.model.types import utc_now
from recollect.proxy.api.tasks import room as module
from recollect.proxy.api.tasks.room import SpoolFullError, TaskRoom
from tests.support.folding import rows

K = 1024


@pytest.fixture
def room(tmp_path, monkeypatch):
    """8 KiB of a tenant, 16 KiB of all, a disk with 15 KiB of which 10 are kept free."""
    made = TaskRoom(tmp_path)
    monkeypatch.setattr(module, "TENANT_BYTES", 8 * K)
    made.disk = 15 * K
    monkeypatch.setattr(module, "RESERVE_BYTES", 10 * K)
    monkeypatch.setattr(module, "free_bytes", lambda _: made.disk)
    return made


def task(size=0, tenant="t", *, expected=0, **ids):
    now = utc_now()
    return Task(
        id="a", kind=TaskKind.IMPORT, scope=Owner(tenant).owner_ref(**ids), created_at=now,
        updated_at=now, size=size, expected=expected,
    )  # fmt: skip


@rows(
    "new, used, told",
    [
        (task(2 * K), UsedRoom(0, 6 * K, 6 * K, 0), ""),
        (
            task(3 * K),
            UsedRoom(0, 6 * K, 6 * K, 0),
            r"8192 bytes in a tenant",
        ),
        (task(1, expected=3 * K), UsedRoom(0, 6 * K, 6 * K, 0), "8192 bytes in a tenant"),
        (task(4 * K, user_id="ada"), UsedRoom(0, 0, 0, 0), ""),
        (task(4 * K, user_id="ada"), UsedRoom(1, 1, 1, 0), "4096 bytes for a user"),
        (task(4 * K), UsedRoom(1, 1, 1, 0), ""),
        (task(4 * K), UsedRoom(0, 0, 12 * K, 0), ""),
        (task(4 * K), UsedRoom(0, 0, 12 * K + 1, 0), "16384 bytes in all"),
        (task(5 * K), UsedRoom(0, 0, 0, 0), ""),
        (task(6 * K), UsedRoom(0, 0, 0, 0), "the disk under data_dir is full"),
        (task(6 * K), UsedRoom(0, 0, 0, K), ""),
        (task(1, expected=7 * K), UsedRoom(0, 0, 0, K), "the disk under data_dir is full"),
    ],
)
def test_a_file_fits_or_is_refused(room, new, used, told):
    """A user has half of a tenant's share, all have two; what is to come counts, the rest stays."""
    fits = room.fits()
    if not told:
        fits(new, used)
        return
    with pytest.raises(SpoolFullError, match=told):
        fits(new, used)
