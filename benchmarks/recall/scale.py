"""Many users in one database: warm and cold recalls, and what our process holds in memory.

Ninety-odd per cent of the users have a hundred memories, ten have 1,000 and two 20,000. They are
put through the product into a file. The default is a million; if the first rows tell that filling
would take longer than `LONGEST_FILL_SECONDS`, fewer are put and it is said.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from load import rss_mb
from product import DIM, EMBEDDER_ID, Engine, memories
from sentences import Sentences
from speed import PUT_ROWS, STORED_AT, ask, percentiles, shown, timed
from vectors import GivenVectors

from recollect.memory.recall import Recaller

MEMORIES = 1_000_000
QUICK_MEMORIES = 20_000
LONGEST_FILL_SECONDS = 1200
PROBE_ROWS = 20_000
"""After so many rows the rate of insertion is known well enough."""
GROUPS = {100: None, 1000: 10, 20_000: 2}
"""Users by their number of memories; as many small ones as it takes."""
ASKED = {100: 200, 1000: 10, 20_000: 2}
"""How many users of each group are asked."""
WARM_QUERIES = 400
CACHE_MB = 128
"""Of the hot index: less than what the tour would fill."""
TOUR_MB = 256
"""Vectors of the users of the tour, together."""
SLACK_MB = 64
"""Of memory the allocator may keep beyond the index."""
_VECTOR_BYTES = DIM * 4


@dataclass(frozen=True)
class User:
    """One of the many."""

    name: str
    count: int


@dataclass
class Filled:
    """What was put, and the texts of those who will be asked."""

    users: list[User]
    texts: dict[str, list[str]]
    rows: int
    seconds: float


def users_for(total: int) -> list[User]:
    """Large users first, as far as they are not more than half of all; then small ones."""
    users, left = [], total
    for size in sorted(GROUPS, reverse=True):
        most = GROUPS[size] if GROUPS[size] is not None else left // size
        fitting = most if size == min(GROUPS) else min(most, left // 2 // size)
        users += [User(f"user-{size}-{number}", size) for number in range(fitting)]
        left -= fitting * size
    return users


async def measure(*, memories: int | None, quick: bool) -> dict[str, Any]:
    """Fill, open again with a cold cache, ask."""
    total = memories or (QUICK_MEMORIES if quick else MEMORIES)
    embedder, sentences = GivenVectors(EMBEDDER_ID, DIM), Sentences(dim=DIM)
    with tempfile.TemporaryDirectory(prefix="recollect-scale-") as name:
        print(f"\nscale: {total:,} memories wanted")
        engine = await Engine.open(embedder, Path(name))
        filled = await _fill(engine, sentences, users_for(total), bounded=memories is None)
        await engine.close()
        result = await _asked(embedder, sentences, Path(name), filled)
    rate = filled.rows / filled.seconds
    return result | {"memories": filled.rows, "users": len(filled.users), "rows_per_s": rate}


async def _fill(
    engine: Engine, sentences: Sentences, users: Sequence[User], *, bounded: bool
) -> Filled:
    """Put them; with `bounded`, only what can be put in time."""
    total = most = sum(user.count for user in users)
    filled, to_ask = Filled([], {}, 0, 0.0), _chosen(users)
    for batch in _batches(users):
        rows = []
        for user in batch:
            made = sentences.memories(user.count)
            rows += memories(user.name, made.texts, made.vectors, STORED_AT)
            if user.name in to_ask:
                filled.texts[user.name] = made.texts
        started = time.perf_counter()
        await engine.store.put(rows)
        filled.seconds += time.perf_counter() - started
        filled.rows += len(rows)
        filled.users += batch
        rate = filled.rows / filled.seconds
        if filled.rows * 20 // total > (filled.rows - len(rows)) * 20 // total:
            print(f"filling: {filled.rows:,} of {total:,}, {rate:.0f} rows/s", flush=True)
        if bounded and filled.rows >= PROBE_ROWS:
            most = min(most, max(PROBE_ROWS, int(rate * LONGEST_FILL_SECONDS)))
        if filled.rows >= most:
            break
    if filled.rows < total:
        print(f"at {rate:.0f} rows/s more would take too long: --memories {total} insists")
    return filled


def _batches(users: Sequence[User]) -> Iterator[list[User]]:
    batch: list[User] = []
    for user in users:
        batch.append(user)
        if sum(u.count for u in batch) >= PUT_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def _chosen(users: Iterable[User]) -> set[str]:
    left, chosen = dict(ASKED), set()
    for user in users:
        if left[user.count]:
            left[user.count] -= 1
            chosen.add(user.name)
    return chosen


async def _asked(
    embedder: GivenVectors, sentences: Sentences, folder: Path, filled: Filled
) -> dict[str, Any]:
    engine = await Engine.open(embedder, folder, cache_mb=CACHE_MB)
    recaller = engine.recaller()
    words = next(iter(filled.texts.values()))
    # A user without memories: loads code, opens the connection, fills nothing.
    await timed(engine, recaller, "nobody", ask(sentences, embedder, words, 1))
    before = _own_rss_mb()
    by_size = {
        size: [u for u in filled.users if u.count == size and u.name in filled.texts]
        for size in GROUPS
    }
    result: dict[str, Any] = {"cold": {}, "warm": {}, "cache_mb": CACHE_MB}
    print("recall without the embedding, ms; warm users are within the bound of the cache")
    for size, users in by_size.items():
        if users:
            cold, warm = await _group(engine, recaller, embedder, sentences, users, filled.texts)
            result["cold"][str(size)], result["warm"][str(size)] = cold, warm
            print(f"  {len(users):4} users with {size:6,}: cold {shown(cold)}; warm {shown(warm)}")
    between = _own_rss_mb()
    result["tour"] = await _tour(engine, recaller, embedder, sentences, filled, words)
    result["rss_mb"] = {"before": before, "before_tour": between, "after": _own_rss_mb()}
    result["rss_mb"] |= {"index": engine.index_mb, "all": rss_mb(_pid())}
    await engine.close()
    _say_rss(result["rss_mb"])
    return result


async def _group(
    engine: Engine,
    recaller: Recaller,
    embedder: GivenVectors,
    sentences: Sentences,
    users: Sequence[User],
    texts: dict[str, list[str]],
) -> tuple[dict[str, float], dict[str, float]]:
    """The first recall of each, and distinct questions to each right after it."""
    cold, warm = [], []
    each = max(2, WARM_QUERIES // len(users))
    for user in users:
        asked = ask(sentences, embedder, texts[user.name], each + 1)
        cold += await timed(engine, recaller, user.name, asked[:1])
        warm += await timed(engine, recaller, user.name, asked[1:])
        embedder.vectors.clear()
    return percentiles(cold), percentiles(warm)


async def _tour(
    engine: Engine,
    recaller: Recaller,
    embedder: GivenVectors,
    sentences: Sentences,
    filled: Filled,
    words: Sequence[str],
) -> dict[str, float]:
    """Users never asked before, until their vectors alone are twice the cache; one recall each."""
    fresh = [user for user in filled.users if user.name not in filled.texts]
    fresh = fresh[: TOUR_MB * 2**20 // (min(GROUPS) * _VECTOR_BYTES)]
    seen: list[float] = []
    for user in fresh:
        seen += await timed(
            engine, recaller, user.name, ask(sentences, embedder, words, 1), collect=False
        )
        embedder.vectors.clear()
    if not seen:
        return {}
    row = percentiles(seen)
    print(f"  {len(seen):4} more users, one recall each: cold {shown(row)}")
    return row | {"users": len(seen)}


def _say_rss(rss: dict[str, Any]) -> None:
    grown = rss["after"] - rss["before"]
    verdict = "within" if grown <= CACHE_MB + SLACK_MB else "MORE THAN"
    print(
        f"our process grew by {grown:.0f} MB ({rss['before_tour'] - rss['before']:.0f} before the "
        f"tour of many users), of which the index counts {rss['index']:.0f}: {verdict} the "
        f"cache's {CACHE_MB} MB and {SLACK_MB} of slack"
    )


def _pid() -> int:
    return psutil.Process().pid


def _own_rss_mb() -> float:
    return psutil.Process().memory_info().rss / 2**20
