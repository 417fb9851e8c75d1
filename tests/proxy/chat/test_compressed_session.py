"""A conversation that was compressed while it went on is learned whole when it ends."""

from __future__ import annotations

import aiohttp

from tests.filters.compress.long_chats import turn
from tests.support.here import ProductHere
from tests.support.scripted import ScriptedModel, facts

TURNS = 20
FACT = "User's parcel number0 went to town0"


async def test_its_end_extracts_what_was_taken_out_too(tmp_path):
    """Every turn is read, and what an old one told is known in the next conversation."""
    async with ScriptedModel("Noted.") as model, ScriptedModel(facts(FACT), facts()) as extractor:
        product = ProductHere(
            tmp_path,
            upstream__base_url=model.base_url,
            learn__llm__base_url=extractor.base_url,
            learn__llm__model="scripted",
            recall__compress__after_tokens=200,
            embedder__backend="fake",
            database__url=":memory:",
            upkeep__kinds__episodes=False,
        )
        async with product, aiohttp.ClientSession(product.url) as client:
            said = []
            for number in range(TURNS):
                said.append(turn(number)[0])
                left = await _chat(client, said)
                said.append({"role": "assistant", "content": "Noted."})
            assert int(left) > 0
            assert turn(0)[0] not in model.requests[-1]["messages"]
            async with client.post("/v1/memories/flush", json={"user_id": "ada"}) as done:
                assert done.status in {200, 202}, await done.text()
            read = "\n".join(str(one["messages"][-1]["content"]) for one in extractor.requests)
            assert [n for n in range(TURNS) if f"parcel number{n} went to" not in read] == []
            await _chat(client, [{"role": "user", "content": "Where did parcel number0 go?"}])
            assert "town0" in str(model.requests[-1]["messages"])


async def _chat(client, messages):
    """The turns that did not go upstream."""
    body = {"model": "m", "user": "ada", "messages": messages}
    async with client.post("/v1/chat/completions", json=body) as answer:
        assert answer.status == 200, await answer.text()
        return answer.headers.get("x-recollect-compressed", "0")
