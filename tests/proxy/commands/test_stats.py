"""`recollect stats`: the figures of each day."""

import asyncio

from recollect.proxy.cli import main
from recollect.proxy.commands.parts import about_upkeep

from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

DAY = {
    "day": "2026-11-27",
    "tenant": "local",
    "chats": 1_234,
    "recalled": 7,
    "injected_lines": 9,
    "injected_tokens": 140,
    "extraction_calls": 2,
    "extraction_tokens": 900,
    "embedded_texts": 31,
    "learned": 3,
    "cached_tokens": 0,
    "cached_answers": 0,
    "prompt_tokens": 0,
    "whatif_calls": 4,
    "whatif_tokens": 40,
    "upkeep_calls": 3,
    "upkeep_tokens": 1_340,
    "judge_calls": 1,
    "judge_tokens": 99,
    "consolidate_calls": 2,
    "consolidate_tokens": 1_300,
    "episode_calls": 1,
    "episode_tokens": 40,
    "reflect_calls": 0,
    "reflect_tokens": 0,
}


async def command(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["stats", *arguments])


def test_upkeep_is_told_by_kind():
    """Those kinds that asked a model; or that none did."""
    assert about_upkeep(DAY) == "tokens of upkeep: consolidate 1,300, episode 40"
    assert about_upkeep(dict.fromkeys(DAY, 0)) == "no model was asked for upkeep"
