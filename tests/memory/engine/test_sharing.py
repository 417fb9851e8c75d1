"""Two memories on one folder in one process. The folders are real, so most need a process."""

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect.memory import AsyncMemory, ConfigError, Memory, StoreError
from recollect.memory.api import portal
from recollect.memory.engine import sharing
from tests.memory.api.client_parts import keep, texts
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS

GIVEN = {"embedder": {"backend": "fake"}}
pytestmark = pytest.mark.process


def kept(memory, text):
    return memory.add(text, user_id="alice", infer=False)["results"]


def known(memory):
    return sorted(one["memory"] for one in memory.get_all(user_id="alice")["results"])


BEFORE = set()
"""What tests of other files hold open in this process."""


@pytest.fixture(autouse=True)
def others():
    gc.collect()
    BEFORE.clear()
    BEFORE.update(threading.enumerate(), sharing._OPEN, portal._PORTALS)


def gone():
    """Wait until every memory that was collected has ended, and its thread with it."""
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "recollect-memory" and thread not in BEFORE:
            thread.join(HANG_SECONDS)
    assert not {*sharing._OPEN} - BEFORE
    assert not {*portal._PORTALS} - BEFORE


@rows("order", [(0, 1), (1, 0)])
def test_both_work_and_are_closed_in_any_order(tmp_path, order):
    """They see each other's memories; the one that is left goes on; a closed one says so."""
    path = tmp_path / str(order)
    both = [Memory(GIVEN, path=path), Memory(GIVEN, path=str(path))]
    for number, memory in enumerate(both):
        assert kept(memory, f"tea {number}")
        assert len(known(both[1 - number])) == number + 1
    first, second = (both[number] for number in order)
    first.close()
    first.close()
    with pytest.raises(RuntimeError, match="memory is closed"):
        first.get_all(user_id="alice")
    assert known(second) == ["tea 0", "tea 1"]
    second.close()
    gone()
    with Memory(GIVEN, path=path) as again:
        assert known(again) == ["tea 0", "tea 1"]


def test_one_that_nobody_closes(tmp_path):
    """As when a cell runs again: while the old memory is there, and after it was collected."""
    for number in range(2):
        memory = Memory(GIVEN, path=tmp_path)
        kept(memory, f"tea {number}")
    assert len(known(memory)) == 2
    memory.close()
    gone()
    with Memory({**GIVEN, "recall": {"limit": 3}}, path=tmp_path) as memory:
        kept(memory, "tea")
    memory = Memory(GIVEN, path=tmp_path)
    del memory
    gone()


def test_other_options_are_refused_by_name(tmp_path):
    """The error says that it is this process, which options, and what to do; no value is in it."""
    llm = {"base_url": "http://x.invalid/v1", "api_key": "sk-hidden"}
    with Memory(GIVEN, path=tmp_path) as memory:
        with pytest.raises(ConfigError) as refused:
            Memory({**GIVEN, "llm": llm, "recall": {"limit": 3}}, path=tmp_path)
        told = str(refused.value)
        assert "this process" in told
        assert "recall.limit" in told
        assert "llm.api_key" in told
        assert "close" in told
        assert "sk-hidden" not in told
        assert kept(memory, "tea")
    gone()


def test_many_threads_open_and_close(tmp_path):
    """At the same time; each works while it is open, and nothing is left at the end."""

    def use(number):
        with Memory(GIVEN, path=tmp_path) as memory:
            return kept(memory, f"tea {number}")[0]["event"]

    count = examples(12)
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(use, range(count))) == ["ADD"] * count
    gone()
    with Memory(GIVEN, path=tmp_path) as memory:
        assert len(known(memory)) == count


async def test_asynchronous_ones_share_too(tmp_path):
    """On one event loop; views keep the engine open, and the last close ends it."""
    one, two = await asyncio.gather(*(AsyncMemory.open(GIVEN, path=tmp_path) for _ in range(2)))
    await keep(one, "tea")
    await one.close()
    with pytest.raises(RuntimeError, match="memory is closed"):
        await one.search("tea", user_id="alice")
    view = two.for_tenant("local")
    del two
    gc.collect()
    assert await texts(view) == ["tea"]
    del view
    gc.collect()
    await sharing._abandoned.join()
    for _ in range(3):
        await asyncio.sleep(0)
    await sharing._abandoned.join()
    assert not sharing._OPEN


async def test_another_event_loop_is_told(tmp_path):
    """An engine belongs to its loop: the error says so, and the first goes on."""
    async with await AsyncMemory.open(GIVEN, path=tmp_path) as memory:
        with pytest.raises(StoreError, match="in this process already, in another event loop"):
            await asyncio.to_thread(Memory, GIVEN, path=tmp_path)
        assert await keep(memory, "tea")
    assert not sharing._OPEN
    assert not portal._PORTALS


async def test_a_failed_opening_leaves_nothing(tmp_path):
    """The next one tries anew."""
    for _ in range(2):
        with pytest.raises(ConfigError, match="llm"):
            await AsyncMemory.open({**GIVEN, "llm": 3}, path=tmp_path)
        wrong = {"embedder": {"backend": "local", "model_dir": tmp_path / "none"}}
        with pytest.raises(Exception, match="model_dir"):
            await AsyncMemory.open(wrong, path=tmp_path)
    assert not sharing._OPEN
    async with await AsyncMemory.open(GIVEN, path=tmp_path) as memory:
        assert await keep(memory, "tea")
