"""Messages between siblings: acted on before they are answered, lost for nobody who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.util import mesh as module
from recollect.memory.util.mesh import SiblingFailedError
from tests.support.siblings import listening, meshes


def _collecting(heard: list[Any]) -> Any:
    async def handler(values: Mapping[str, Any]) -> int:
        heard.append(values["said"])
        return len(heard)

    return handler


async def test_all_others_have_acted_when_it_returns(tmp_path: Path) -> None:
    """Each of them once, in order; not the one who tells."""
    every = meshes(tmp_path, 3)
    heard: list[list[Any]] = [[], [], []]
    for mesh, own in zip(every, heard, strict=True):
        mesh.on("news", _collecting(own))
    async with listening(every[0]), listening(every[1]), listening(every[2]):
        for number in range(3):
            await every[0].tell("news", said=number)
            assert heard == [[], [*range(number + 1)], [*range(number + 1)]]
        assert await every[1].ask(2, "news", said="x") == 4


async def test_whoever_is_not_there_is_not_waited_for(tmp_path: Path) -> None:
    """Telling goes on without it, also after it died; a question to it is an error."""
    one, two = meshes(tmp_path)
    await one.tell("news", said=1)
    with pytest.raises(SiblingFailedError, match="worker 2 does not run"):
        await one.ask(1, "news", said=1)
    async with listening(two, one):
        await one.tell("news", said=2)
    await one.tell("news", said=3)
    again = meshes(tmp_path)[1]
    heard: list[Any] = []
    again.on("news", _collecting(heard))
    async with listening(again, one):
        await one.tell("news", said=4)
    assert heard == [4]


async def test_what_a_sibling_could_not_do_is_told(tmp_path: Path) -> None:
    """As an error of state; the connection goes on, and topics that it does not know do nothing."""
    one, two = meshes(tmp_path)

    async def fail(_values: Mapping[str, Any]) -> None:
        raise StateError("the file is there still")

    two.on("forgetting", fail)
    async with listening(two, one):
        with pytest.raises(SiblingFailedError, match="worker 2: the file is there still"):
            await one.tell("forgetting", said=1)
        assert await one.ask(1, "unknown") is None


async def test_a_late_sibling_hears_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever tells does not wait for long; the message is heard before a later one is answered."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    one, two = meshes(tmp_path)
    go, heard = asyncio.Event(), list[Any]()

    async def slow(values: Mapping[str, Any]) -> None:
        await go.wait()
        heard.append(values["said"])

    two.on("news", slow)
    async with listening(two, one):
        with pytest.raises(SiblingFailedError, match="in time"):
            await one.tell("news", said=1)
        go.set()
        await one.tell("news", said=2)
        assert heard == [1, 2]


async def test_a_cancelled_question_leaves_no_answer_behind(tmp_path: Path) -> None:
    """The next question gets its own answer."""
    one, two = meshes(tmp_path)
    begun = asyncio.Event()

    async def echo(values: Mapping[str, Any]) -> Any:
        if values["said"] == "slow":
            begun.set()
            await asyncio.sleep(0.05)
        return values["said"]

    two.on("echo", echo)
    async with listening(two, one):
        asking = asyncio.ensure_future(one.ask(1, "echo", said="slow"))
        await begun.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert await one.ask(1, "echo", said="quick") == "quick"
