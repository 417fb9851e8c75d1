import asyncio
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.memory import Memory, MemoryOptions
from recollect.memory.api.portal import Portal
from recollect.memory.embedders import FakeEmbedderOptions, LocalEmbedderOptions
from recollect.memory.model.errors import EmbeddingError
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]
OPTIONS = MemoryOptions(embedder=FakeEmbedderOptions())


def ours():
    return [t for t in threading.enumerate() if t.name == "recollect-memory"]


@pytest.fixture
def memory():
    with Memory(OPTIONS) as memory:
        yield memory


def keep(memory, text, user="alice"):
    return memory.add(text, user_id=user, infer=False)["results"][0]["id"]


async def test_inside_a_running_loop():
    """A program with a loop of its own, such as a notebook, can open, use and close it."""
    memory = Memory(OPTIONS)
    name = keep(memory, "tea")
    assert memory.get(name)["memory"] == "tea"
    memory.close()
    assert ours() == []


def test_from_many_threads(memory):
    """Twenty threads at once lose nothing."""
    with ThreadPoolExecutor(20) as pool:
        names = list(pool.map(lambda n: keep(memory, f"tea {n}", f"user-{n % 4}"), range(100)))
    assert len(set(names)) == 100
    found = [memory.get_all(user_id=f"user-{n}")["results"] for n in range(4)]
    assert [len(items) for items in found] == [25] * 4


def test_no_thread_is_left():
    """After close the loop's thread and those of its parts are gone."""
    before = set(threading.enumerate())
    memory = Memory(MemoryOptions(embedder=FakeEmbedderOptions()))
    assert len(ours()) == 1
    memory.close()
    assert set(threading.enumerate()) <= before


def test_failing_to_open_leaves_no_thread(tmp_path):
    """A part that cannot be built is an error here, and nothing stays behind."""
    with pytest.raises(EmbeddingError):
        Memory(MemoryOptions(embedder=LocalEmbedderOptions(model_dir=tmp_path)))
    assert ours() == []


def test_closed_means_closed():
    """Closing again is no error, calling is."""
    memory = Memory(OPTIONS)
    memory.close()
    memory.close()
    with pytest.raises(RuntimeError, match="closed"):
        memory.get("m")
    with Memory(OPTIONS) as memory:
        memory.close()


def test_its_own_thread_is_refused(memory):
    """From the loop's own thread a call would wait for itself: it is an error instead."""

    async def inside():
        with pytest.raises(RuntimeError, match="own loop"):
            memory.get("m")
        with pytest.raises(RuntimeError, match="own loop"):
            memory.close()

    memory._portal.call(inside())
    assert memory.get("m") is None


def test_closing_cancels_what_still_runs():
    """A call that hangs in another thread ends when the portal closes; it does not hang on."""
    portal = Portal()
    running = threading.Event()

    async def hang():
        running.set()
        await asyncio.Event().wait()

    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(portal.call, hang())
        assert running.wait(HANG_SECONDS)
        portal.close()
        assert call.exception(HANG_SECONDS) is not None


def test_calls_and_closing_at_once():
    """Whoever calls while another closes gets an answer or an error, never silence."""

    async def work():
        await asyncio.sleep(0)
        return 1

    for _ in range(20):
        portal = Portal()
        with ThreadPoolExecutor(4) as pool:
            calls = [pool.submit(portal.call, work()) for _ in range(8)]
            portal.close()
            for call in calls:
                assert call.exception(HANG_SECONDS) is not None or call.result() == 1


@pytest.mark.process
def test_a_script_ends_with_and_without_close():
    """As a context manager and forgotten, with warnings as errors and nothing on the error stream."""
    code = (
        "from recollect.memory import Memory, MemoryOptions\n"
        "from recollect.memory.embedders import FakeEmbedderOptions\n"
        "options = MemoryOptions(embedder=FakeEmbedderOptions())\n"
        "with Memory(options) as m:\n"
        "    print(m.add('tea', user_id='a', infer=False)['results'][0]['event'])\n"
        "m = Memory(options)\n"
        "m.add('tea', user_id='a', infer=False)\n"
        "print(len(m.get_all(user_id='a')['results']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=True,
        cwd=ROOT,
    )
    # On a busy machine asyncio's debug mode tells of every callback that took a tenth of a second.
    told = [line for line in done.stderr.splitlines() if not line.endswith(" seconds")]
    assert (done.stdout.split(), told) == (["ADD", "1"], [])
