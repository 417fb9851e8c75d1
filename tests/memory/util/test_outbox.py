"""Messages to siblings that nobody waits for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.util import mesh as mesh_module
from recollect.memory.util import outbox as module
from recollect.memory.util.outbox import Outbox
from tests.support.siblings import listening, meshes


async def test_they_arrive_in_their_order(tmp_path: Path) -> None:
    """At every other one, many at once, and not at the sender."""
    every = meshes(tmp_path, 3)
    heard: list[list[Any]] = [[], [], []]
    boxes = [Outbox(mesh, "news", own.append) for mesh, own in zip(every, heard, strict=True)]
    for number in range(3 * module.AT_A_TIME):
        boxes[0].put(number)
    async with asyncio.timeout(60), listening(every[1], every[0]), listening(every[2]):
        running = asyncio.ensure_future(boxes[0].run())
        while any(len(own) < 3 * module.AT_A_TIME for own in heard[1:]):
            await asyncio.sleep(0.01)
    running.cancel()
    assert heard == [[], [*range(3 * module.AT_A_TIME)], [*range(3 * module.AT_A_TIME)]]


async def test_what_is_too_much_is_dropped_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for room."""
    monkeypatch.setattr(module, "MOST_WAITING", 1)
    box = Outbox(meshes(tmp_path)[0], "news", lambda _: None)
    box.put(1)
    box.put(2)
    assert "news: a message to the other workers was dropped" in caplog.text


async def test_a_silent_sibling_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The next messages are sent all the same."""
    monkeypatch.setattr(mesh_module, "ANSWER_SECONDS", 0.05)
    one, two = meshes(tmp_path)
    stuck = asyncio.Event()

    async def never(_values: Any) -> None:
        await stuck.wait()

    two.on("news", never)
    box = Outbox(one, "news", lambda _: None)
    box.put(1)
    running = asyncio.ensure_future(box.run())
    async with asyncio.timeout(60), listening(two, one):
        while "hears late" not in caplog.text:
            await asyncio.sleep(0.01)
        assert not running.done()
    running.cancel()
