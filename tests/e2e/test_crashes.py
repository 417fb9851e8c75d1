"""What was told before a product dies is known after it: `kill -9`, SIGTERM, in the middle of a stream.

Each story is told up to a restart, waits for it, and goes on; all of them share one product, which
is killed, killed again, and stopped.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.asking import ASKED, FACT, TOLD, api, flush, heard, memories, messages_of, say
from tests.support.fence import parted
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import FOREVER_SECONDS, until

pytestmark = pytest.mark.process


class Stage:
    """The product and its servers."""

    def __init__(self, folder: Path, models_dir: Path, model: ScriptedModel, learner: Any) -> None:
        self.model = model
        self.product = Product(
            folder / "data",
            upstream__base_url=model.base_url,
            learn__llm__base_url=learner.base_url,
            learn__llm__model="scripted",
            learn__every_turns=100,
            embedder__model_dir=models_dir,
            recall__compress__after_tokens=0,
        )

    def sent(self) -> str:
        """The last request to the model that chats."""
        return json.dumps(self.model.requests[-1]["messages"], ensure_ascii=False)


def told_and_learned(user: str, *, stream: bool) -> Callable[[Stage], AsyncIterator[None]]:
    """The turn was captured before its last byte: it is learned afterwards, and recalled after that."""

    async def story(stage: Stage) -> AsyncIterator[None]:
        text, headers = await say(stage.product, TOLD, user=user, stream=stream)
        assert text
        assert headers["x-recollect-memory"] in {"empty", "skipped"}
        yield
        await flush(stage.product, user_id=user)
        assert await memories(stage.product, user) == [FACT]
        yield
        _, headers = await say(stage.product, ASKED, user=user, stream=stream)
        assert (headers["x-recollect-memory"], headers["x-recollect-count"]) == ("injected", "1")
        [(role, text)] = messages_of(stage.model.requests[-1])
        block, question = parted(text)
        assert (role, question, FACT in block) == ("user", ASKED, True)
        _, headers = await say(stage.product, ASKED, user=f"not {user}", stream=stream)
        assert headers["x-recollect-memory"] == "empty"

    return story


async def said_alone(stage: Stage) -> AsyncIterator[None]:
    """Without any learning: the turn was on disk."""
    await say(stage.product, TOLD, user="dave")
    yield
    _, headers = await say(stage.product, ASKED, user="dave")
    assert headers["x-recollect-memory"] == "injected"
    assert "4711" in stage.sent()


async def in_the_middle(stage: Stage) -> AsyncIterator[None]:
    """A stream that dies with the process harms nothing: the next process serves and learns."""
    asked = asyncio.Event()

    async def never(_body: Any) -> str:
        asked.set()
        await asyncio.sleep(FOREVER_SECONDS)
        return ""

    stage.model.replies = [never, "I see."]
    telling = asyncio.ensure_future(say(stage.product, TOLD, user="eve", stream=True))
    await asked.wait()
    yield
    with suppress(Exception):
        await telling
    await say(stage.product, TOLD, user="eve", stream=True)
    await flush(stage.product, user_id="eve")
    _, headers = await say(stage.product, ASKED, user="eve")
    assert headers["x-recollect-memory"] == "injected"


TURNS = 20
IDLE = "It was a long and quiet day in the old house by the river. " * 3
SECRET = f"My boat is called Marigold and lies in Setúbal. {IDLE}"


def grown(turns: int, question: str = "") -> list[str]:
    said = [SECRET if n == 1 else f"Parcel number{n} went to town{n}. {IDLE}" for n in range(turns)]
    texts = [text for each in said for text in (each, "I see.")]
    return texts[:-1] if not question else [*texts, question]


async def compressed(stage: Stage) -> AsyncIterator[None]:
    """Old turns go and come back as lines, byte for byte; once forgotten, no word comes back."""
    question = "How is my boat called?"
    for turns in range(1, TURNS + 1):
        await say(stage.product, *grown(turns), user="finn")
    _, headers = await say(stage.product, *grown(TURNS, question), user="finn")
    assert headers["x-recollect-compressed"] == "10"
    before = stage.sent()
    assert "Marigold" in before
    assert grown(4)[-1] not in before
    assert grown(TURNS)[-1] in before
    yield
    _, headers = await say(stage.product, *grown(TURNS, question), user="finn")
    assert headers["x-recollect-compressed"] == "10"
    assert stage.sent() == before
    await api(stage.product, "DELETE", "/", user_id="finn")
    _, headers = await say(stage.product, *grown(TURNS, question), user="finn")
    assert headers["x-recollect-compressed"] == "10"
    assert not {"Marigold", "Setúbal"} & set(stage.sent().replace(".", " ").split())
    assert question in stage.sent()


async def told_to_forget(stage: Stage) -> AsyncIterator[None]:
    """Proposed before, agreed to after it; later nothing is known of it."""
    request = "Please forget that I work at Alstom."
    await say(stage.product, "I work at Alstom in Belfort as an accountant.", user="gina")
    [said] = await heard(stage.product, "gina")
    _, headers = await say(stage.product, request, user="gina")
    assert headers["x-recollect-reason"] == "forget_proposed"
    assert "Alstom in Belfort" in stage.sent()
    assert "Nothing is erased yet" in stage.sent()
    assert await heard(stage.product, "gina") == [said]
    yield
    asked = 'I found: you work at Alstom. Shall I forget it? Answer "yes, forget it".'
    _, headers = await say(stage.product, request, asked, "yes, forget it", user="gina")
    assert headers["x-recollect-reason"] in {"forgotten", "forget_begun"}

    async def gone() -> bool:
        _, headers = await say(stage.product, "Where do I work?", user="gina")
        return headers["x-recollect-memory"] == "empty"

    await until(gone, "the end of what was known")
    assert "Alstom" not in stage.sent()
    assert "Alstom" not in str(await api(stage.product, "GET", "/said", user_id="gina"))


async def switched_off(stage: Stage) -> AsyncIterator[None]:
    """A switch stays where it was put, for whoever is asked after the start."""
    yield
    yield
    await api(stage.product, "POST", "/switches", {"recall": False})
    yield

    async def still_off() -> bool:
        told = await api(stage.product, "GET", "/settings")
        return bool(told["switches"] == {"recall": False, "learn": True})

    await until(still_off, "the switch that was kept")


STORIES = (
    told_and_learned("alice", stream=False),
    told_and_learned("carol", stream=True),
    said_alone,
    compressed,
    told_to_forget,
    in_the_middle,
    switched_off,  # last: after it nobody recalls
)


async def _goes_on(story: AsyncIterator[None]) -> bool:
    """Tell it up to the next restart; whether there is one in it."""
    async for _ in story:
        return True
    return False


PARTS = ("onnxruntime", "tokenizers", "sentencepiece", "safetensors", "/models/")


def mapped(product: Product) -> set[str]:
    """The files of recall that the process has in memory: what embeds, and its weights."""
    assert product.process is not None
    lines = Path(f"/proc/{product.process.pid}/maps").read_text("utf-8").splitlines()
    found = {line.split(maxsplit=5)[5] for line in lines if "/" in line}
    return {name for name in found if any(part in name for part in PARTS)}


async def test_what_was_told_outlives_the_process(
    tmp_path: Path, models_dir: Path, model: ScriptedModel
) -> None:
    """And the first chat after a start loads no part of a recall: all of them are there."""

    def learned(body: dict[str, Any]) -> str:
        return facts(FACT) if "4711" in str(body) else facts()

    async with ScriptedModel(learned) as learner:
        stage = Stage(tmp_path, models_dir, model, learner)
        product = stage.product
        await asyncio.to_thread(product.start)
        told = [story(stage) for story in STORIES]
        try:
            for end in (product.kill, product.kill, product.stop):
                told = [story for story in told if await _goes_on(story)]
                await asyncio.to_thread(end)
                await asyncio.to_thread(product.start)
                before = mapped(product)
                await say(product, ASKED, user="alice")
                assert mapped(product) - before == set()
            assert [story for story in told if await _goes_on(story)] == []
        finally:
            await asyncio.to_thread(product.stop)
