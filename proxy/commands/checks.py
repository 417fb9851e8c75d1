"""The checks of `recollect check`: one for each part, with advice about failures."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from recollect.config import Settings
from recollect.memory.errors import (
    EmbeddingError,
    RecollectError,
    StateDamagedError,
    StoreDamagedError,
    StoreMismatchError,
)
from recollect.memory.opening import (
    closing,
    is_measured,
    open_the_embedder,
    open_the_history,
    open_the_state,
    open_the_store,
)
from recollect.memory.options import LocalEmbedderOptions
from recollect.memory.tokens import TiktokenCounter

from .preflight import collisions

OLDEST_PYTHON = (3, 11)
PROBE_BYTES = 65_536
"""Size of the write test: an empty file fits on a full disk."""
UPSTREAM_SECONDS = 30.0
LOCAL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One part: whether it works, what the check saw, and what to do about a failure."""

    part: str
    ok: bool
    seen: str
    mend: str = ""


async def check(settings: Settings) -> list[CheckResult]:
    """Test each part separately: a broken part does not hide others."""
    checks: list[tuple[str, Callable[[Settings], Awaitable[CheckResult]]]] = [
        ("python", _python),
        ("packages", _packages),
        ("data_dir", _data_dir),
        ("embedder", _embedder),
        ("thresholds", _thresholds),
        ("tokens", _tokens),
        ("state", _state),
        ("history", _history),
        ("store", _store),
        ("upstream", _upstream),
        ("learn.llm", _llm),
    ]
    return [await _safely(part, run, settings) for part, run in checks]


def render(findings: list[CheckResult]) -> str:
    """The findings as text for the terminal."""
    width = max(len(finding.part) for finding in findings)
    lines = []
    for finding in findings:
        mark = "ok  " if finding.ok else "FAIL"
        lines.append(f"{mark}  {finding.part:<{width}}  {finding.seen}")
        if finding.mend:
            lines.append(f"      {'':<{width}}  -> {finding.mend}")
    return "\n".join(lines)


async def _safely(
    part: str, run: Callable[[Settings], Awaitable[CheckResult]], settings: Settings
) -> CheckResult:
    try:
        return await run(settings)
    except EmbeddingError as error:  # several parts need the embedder
        return CheckResult(part, ok=False, seen=str(error), mend=_MENDS["embedder"])
    except (StoreMismatchError, StoreDamagedError, StateDamagedError) as error:
        return CheckResult(part, ok=False, seen=str(error))  # the message contains the advice
    except (RecollectError, OSError) as error:
        return CheckResult(part, ok=False, seen=str(error), mend=_MENDS.get(part, ""))


_MENDS = {
    "thresholds": "correct the named field, or delete the file and run `recollect calibrate`",
    "embedder": "run `recollect models fetch`, or choose another embedder.backend",
    "state": "check that data_dir is writable and was not written by a newer version",
    "history": "check that data_dir is writable and was not written by a newer version",
    "store": "stop the other process that uses it, or check store.uri and that Milvus runs",
    "tokens": "run `make setup` again",
    "data_dir": "make room, or set data_dir (RECOLLECT_DATA_DIR) to a writable folder",
}


async def _python(_settings: Settings) -> CheckResult:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= OLDEST_PYTHON
    return CheckResult("python", ok, version, "" if ok else "install Python 3.11 or newer")


async def _packages(_settings: Settings) -> CheckResult:
    found = collisions()
    seen = "no collisions" if not found else found[0]
    return CheckResult(
        "packages", not found, seen, "run `make setup` in a fresh clone" if found else ""
    )


async def _data_dir(settings: Settings) -> CheckResult:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    probe = settings.data_dir / ".write-probe"
    try:
        probe.write_bytes(bytes(PROBE_BYTES))
    finally:
        probe.unlink(missing_ok=True)
    damaged = sorted(path.name for path in settings.data_dir.glob("*.corrupt-*"))
    seen = str(settings.data_dir)
    if damaged:
        seen += f"; set aside as damaged: {', '.join(damaged)}"
    return CheckResult("data_dir", ok=True, seen=seen)


async def _embedder(settings: Settings) -> CheckResult:
    if isinstance(settings.embedder, LocalEmbedderOptions) and settings.embedder.model_dir:
        await asyncio.to_thread(_verify_weights, settings.embedder.model_dir)
    async with closing(await open_the_embedder(settings)) as embedder:
        vectors = await embedder.embed(["a probe"])
    return CheckResult("embedder", ok=True, seen=f"{embedder.id}, {vectors.shape[1]} dimensions")


async def _thresholds(settings: Settings) -> CheckResult:
    async with closing(await open_the_embedder(settings)) as embedder:
        measured = is_measured(settings, embedder)
    if measured:
        seen = f"measured for {embedder.id}"
    else:
        seen = f"not measured for {embedder.id}: safe defaults until `recollect calibrate` is run"
    return CheckResult("thresholds", ok=True, seen=seen)


def _verify_weights(model_dir: Path) -> None:
    from recollect.memory.embedders.local import weights

    weights.verify(model_dir)


async def _tokens(_settings: Settings) -> CheckResult:
    counter = await TiktokenCounter.open()
    return CheckResult("tokens", ok=True, seen=f"'hello world' has {counter.count('hello world')}")


async def _state(settings: Settings) -> CheckResult:
    async with closing(await open_the_state(settings)) as state:
        counts = await state.jobs.counts()
    seen = ", ".join(f"{count} {name}" for name, count in counts.items())
    return CheckResult("state", ok=True, seen=f"{settings.state.shown}; jobs: {seen}")


async def _history(settings: Settings) -> CheckResult:
    async with closing(await open_the_history(settings)) as history:
        # Opening succeeds even if the server is down.
        await history.of("check", "check")
    return CheckResult("history", ok=True, seen=settings.history.shown)


async def _store(settings: Settings) -> CheckResult:
    if running := await running_store(settings):
        seen = f"in use by the running Recollect, which reports: {running}"
        return CheckResult(
            "store", ok=running == "ok", seen=seen, mend="" if running == "ok" else _MENDS["store"]
        )
    async with (
        closing(await open_the_embedder(settings)) as embedder,
        closing(await open_the_store(settings, embedder)) as store,
    ):
        await store.ping()
    return CheckResult("store", ok=True, seen=settings.store.shown)


async def running_store(settings: Settings) -> str | None:
    """The store's state as reported by a Recollect with these settings; None if none runs.

    Asked first, because only one process can open the embedded store.
    """
    url = f"http://{settings.listen.host}:{settings.listen.port}/readyz"
    timeout = aiohttp.ClientTimeout(total=LOCAL_SECONDS)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as answer:
            state = (await answer.json())["parts"]["store"]
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError, LookupError, TypeError):
        return None
    return state if isinstance(state, str) else None


async def _upstream(settings: Settings) -> CheckResult:
    url = f"{settings.upstream.base_url}/models"
    timeout = aiohttp.ClientTimeout(total=UPSTREAM_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(url, allow_redirects=False) as answer,
        ):
            # Any answer will do: without a key a healthy server answers 401.
            return CheckResult("upstream", ok=True, seen=f"{url} answers {answer.status}")
    except (aiohttp.ClientError, TimeoutError) as error:
        mend = "check upstream.base_url, the network, and that the server runs"
        return CheckResult("upstream", ok=False, seen=f"{url}: {type(error).__name__}", mend=mend)


async def _llm(settings: Settings) -> CheckResult:
    llm = settings.learn.llm
    if llm is None:
        seen = "not set: each conversation's own model extracts facts"
    else:
        seen = f"{llm.model} at {llm.base_url or 'OpenAI'} (not called by this check)"
    return CheckResult("learn.llm", ok=True, seen=seen)
