"""`recollect check --extract`: one real extraction, and what came out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from recollect.memory.learn import CONVERSATION, Trial, try_extraction
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions

from .api_client import SLOW_SECONDS, ask_running

if TYPE_CHECKING:
    from recollect.config import Settings

NOT_NAMED = (
    "learn.llm is not set: configure it, or name a model of the upstream with --model NAME "
    "(the upstream gets no key)"
)


async def chosen_model(settings: Settings, name: str | None) -> OpenAIChatOptions | None:
    """`learn.llm`, or `name` at its address, or `name` at the upstream; None if none is named.

    The upstream is that of the running proxy, if there is one: it may have been named by a flag.
    """
    llm = settings.learn.llm
    if llm is not None:
        return llm if name is None else llm.model_copy(update={"model": name})
    if name is None:
        return None
    running = await asyncio.to_thread(ask_running, settings, SLOW_SECONDS)
    base_url = settings.upstream.base_url
    if running is not None and running.ours:
        base_url = f"http://{running.address}/v1"
    return OpenAIChatOptions(base_url=base_url, model=name)


async def run_trial(settings: Settings, options: OpenAIChatOptions) -> Trial:
    """Extract facts from the built-in conversation with this model."""
    # With a setting its calls ask for no memory: it may be called through a proxy of ours.
    model = OpenAIChatModel(options, setting="learn.llm")
    try:
        return await try_extraction(model, settings.learn)
    finally:
        await model.close()


def render_trial(trial: Trial, options: OpenAIChatOptions) -> str:
    """The result as text for the terminal."""
    lines = [f"{options.model} at {options.base_url or 'OpenAI'}, asked about:"]
    lines += [f"  {message.role}: {message.content}" for message in CONVERSATION]
    lines += [f'fact      {fact.text}   ("{fact.quote}")' for fact in trial.facts]
    lines += [f"rejected  {text}   ({reason})" for text, reason in trial.refused]
    lines.append(
        f"{len(trial.facts)} facts, {len(trial.refused)} rejected, {trial.calls} calls, "
        f"{trial.seconds:.1f} s, {trial.prompt_tokens} + {trial.completion_tokens} tokens"
        + (f", read as {trial.strategy}" if trial.strategy else "")
    )
    if trial.raw:
        lines.append(f"the last answer began: {trial.raw!r}")
    if trial.error:
        lines += [f"FAIL  {trial.error}", f"      -> {trial.advice}"]
    elif not trial.facts:
        lines += ["FAIL  no fact was kept", "      -> set a larger model in learn.llm"]
    return "\n".join(lines)
