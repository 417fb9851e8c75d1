"""The client for OmniMemEval, against the real product with a scripted extractor."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.omnimemeval.recollect_client import RecollectClient, _iso
from tests.support.folding import rows
from tests.support.here import ProductHere
from tests.support.scripted import ScriptedModel, facts

pytestmark = pytest.mark.process

TALK = [
    {"role": "user", "content": "I moved to Lyon last week.", "chat_time": "2023-05-08 13:56:00"},
    {"role": "assistant", "content": "Congratulations!", "chat_time": "2023-05-08 13:56:00"},
    {"role": "user", "content": "I adopted a cat.", "chat_time": "2023-06-09 10:00:00"},
]


def _extract(body):
    text = body["messages"][-1]["content"]
    return facts(*(["User moved to Lyon last week"] if "Lyon" in text else ["User adopted a cat"]))


async def test_what_the_harness_does(tmp_path, monkeypatch):
    """A talk is added in parts with their times, found as dated lines, and forgotten.

    A wrong token ends the run with the server's words, and is not tried again.
    """
    async with ScriptedModel(_extract) as extractor:
        settings = {
            "learn__llm__base_url": extractor.base_url,
            "embedder__backend": "fake",
            "api__token": "a-token-of-the-test",
        }
        async with ProductHere(tmp_path, **settings) as product:
            monkeypatch.setenv("RECOLLECT_URL", product.url)
            monkeypatch.setenv("RECOLLECT_API_TOKEN", "a-token-of-the-test")
            client = RecollectClient()
            await asyncio.to_thread(client.add, TALK, "locomo_1")
            found = await asyncio.to_thread(
                client.search, "Where does the user live?", "locomo_1", 5
            )
            assert any(
                line.startswith("[2023-05-08] User moved to Lyon") for line in found.splitlines()
            )
            assert await asyncio.to_thread(client.search, "Lyon", "somebody else", 5) == ""
            await asyncio.to_thread(client.delete_all, "locomo_1")
            assert await asyncio.to_thread(client.search, "Lyon", "locomo_1", 5) == ""
            monkeypatch.setenv("RECOLLECT_API_TOKEN", "wrong")
            with pytest.raises(RuntimeError, match="HTTP 401"):
                await asyncio.to_thread(RecollectClient().search, "x", "u", 1)
    assert len(extractor.requests) >= 2


@rows(
    "said, taken",
    [
        ("2023-05-08 13:56:00", "2023-05-08T13:56:00"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00Z"),
        ("2023-05-08", "2023-05-08"),
        ("2023-05-08 13:56:00 UTC", "2023-05-08T13:56:00+00:00"),
    ],
)
def test_times_are_those_of_the_api(said, taken):
    """As the harness writes them."""
    assert _iso(said) == taken
