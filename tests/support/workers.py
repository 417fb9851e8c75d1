"""Several workers behind one port: a connection to a certain one of them, and what it says of itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from tests.support.waiting import until

TRIES = 200
"""Connections until the kernel chose the worker that is wanted: it chooses one of a few by chance."""


class Through:
    """One connection, which stays at the worker that accepted it."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = url

    async def worker(self) -> dict[str, int]:
        """What `/readyz` says of the worker."""
        return (await self.get("/readyz"))["workers"]

    async def get(self, path: str, **params: Any) -> Any:
        async with self._session.get(self._url + path, params=params) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def text(self, path: str) -> str:
        async with self._session.get(self._url + path) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.text()

    @asynccontextmanager
    async def changes(self, user: str) -> AsyncIterator[aiohttp.StreamReader]:
        """The lines of a stream of changes that has begun; it takes the connection."""
        headers = {"Accept": "application/x-ndjson"}
        url = f"{self._url}/v1/memories/events"
        async with self._session.get(url, params={"user_id": user}, headers=headers) as answer:
            assert await answer.content.readline() == b"\n"
            yield answer.content

    async def post(self, path: str, body: Any) -> Any:
        async with self._session.post(self._url + path, json=body) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def put(self, path: str, body: Any) -> None:
        async with self._session.put(self._url + path, json=body) as answer:
            assert answer.status < 300, await answer.text()

    async def upload(self, path: str, data: bytes) -> Any:
        async with self._session.post(self._url + path, data=data) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def delete(self, path: str, **params: Any) -> None:
        async with self._session.delete(self._url + path, params=params) as answer:
            assert answer.status < 300, await answer.text()

    async def chat(self, text: str, user: str) -> dict[str, str]:
        """The headers of the answer to one chat."""
        body = {"model": "m", "messages": [{"role": "user", "content": text}], "user": user}
        async with self._session.post(f"{self._url}/v1/chat/completions", json=body) as answer:
            assert answer.status == 200, await answer.text()
            await answer.read()
            return dict(answer.headers)


@asynccontextmanager
async def through(url: str, number: int) -> AsyncIterator[Through]:
    """A connection to the worker with this number, from 1."""
    for _ in range(TRIES):
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1)) as session:
            found = Through(session, url)
            if (await found.worker())["worker"] == number:
                yield found
                return
    raise AssertionError(f"no connection to worker {number} in {TRIES} tries")


async def all_serve(url: str, count: int) -> None:
    """Wait until so many workers serve; whoever is asked knows."""

    async def serving() -> bool:
        try:
            async with aiohttp.ClientSession() as session:
                return (await Through(session, url).worker())["serving"] == count
        except aiohttp.ClientError:
            return False

    await until(serving, f"{count} workers")
