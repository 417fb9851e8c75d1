"""The public keys of signed tokens: a JWKS document (RFC 7517) in a file or at an address."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

from recollect.config.identity import JwtOptions
from recollect.memory.model.errors import ConfigError
from recollect.memory.util.clock import CLOCK, Clock
from recollect.memory.util.disk import file_mtime
from recollect.memory.util.tasks import Tasks
from recollect.memory.util.untrusted_json import JsonBounds, read_json

if TYPE_CHECKING:
    from jwt import PyJWK

log = logging.getLogger(__name__)

MAX_BYTES = 2**20
KEYS = JsonBounds(values=5_000, length=MAX_BYTES)
"""Five hundred keys."""
TIMEOUT_SECONDS = 10.0
REFRESH_SECONDS = 300.0
"""How often the keys of an address are read again."""
EARLY_SECONDS = 10.0
"""Shortest time between two readings that tokens with unknown keys ask for."""


class KeysError(Exception):
    """The document cannot be read. The text says why."""


def keys_in(document: bytes) -> dict[str, PyJWK]:
    """The keys for signatures, by id; one without an id has the id "". Raises KeysError.

    SigningKeys that are not understood, secrets, and keys for encryption are left out.
    """
    import jwt

    try:
        parsed = read_json(document, KEYS)
        listed = parsed["keys"]
    except (ValueError, KeyError, TypeError):
        raise KeysError("it is no JWKS document") from None
    found: dict[str, PyJWK] = {}
    for each in listed if isinstance(listed, list) else []:
        if not isinstance(each, dict) or each.get("kty") == "oct" or each.get("use") == "enc":
            continue
        try:
            found[str(each.get("kid", ""))] = jwt.PyJWK(each)
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
    if not found:
        raise KeysError("it has no key that verifies signatures")
    return found


async def keys_at(place: str) -> dict[str, PyJWK]:
    """The keys of a file or an address. Raises KeysError."""
    try:
        if "://" not in place:
            return keys_in(await asyncio.to_thread(_bytes_of, place))
        return keys_in(await _get(place))
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise KeysError(_reason(error)) from None


class SigningKeys:
    """The keys as they were read last; `running` keeps them up to date."""

    def __init__(self, options: JwtOptions, *, clock: Clock = CLOCK) -> None:
        self._options = options
        self._clock = clock
        self._keys: dict[str, PyJWK] = {}
        self._mtime: tuple[int, int, int] | None = None
        self._wanted = asyncio.Event()
        self._read_at = -EARLY_SECONDS

    @property
    def _place(self) -> str:
        assert self._options.jwks is not None  # noqa: S101 - settings require it in this mode
        return self._options.jwks

    @property
    def known(self) -> Mapping[str, PyJWK]:
        """The keys by id."""
        if "://" not in self._place:
            self._read_file()
        return self._keys

    def missed(self) -> None:
        """A token names a key that is not known: read the document soon."""
        self._wanted.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read the keys now and again later. An address that does not answer is tried again.

        Raises:
            ConfigError: a file has no keys.
        """
        if "://" not in self._place:
            self._read_file()
            if not self._keys:
                raise ConfigError(f"identity.jwt.jwks: {self._place} has no keys")
            yield
            return
        await self._fetch()
        loops = Tasks()
        loops.start(self._keep(), name="keys of signed tokens")
        try:
            yield
        finally:
            await loops.drain(0)

    def _read_file(self) -> None:
        """Keys that were read before stay if this fails."""
        path = Path(self._place).expanduser()
        mtime = file_mtime(path)
        if mtime == self._mtime:
            return
        self._mtime = mtime
        try:
            self._keys = keys_in(path.read_bytes())
        except (OSError, KeysError) as error:
            log.error("identity.jwt.jwks: %s cannot be used: %s", path, _reason(error))  # noqa: TRY400 - the reason is in the line

    async def _keep(self) -> None:
        while True:
            if await self._clock.within(REFRESH_SECONDS, self._wanted.wait()):
                early = self._read_at + EARLY_SECONDS - self._clock.monotonic()
                await self._clock.sleep(max(0.0, early))
            self._wanted.clear()
            await self._fetch()

    async def _fetch(self) -> None:
        """Keys that were read before stay if this fails: an outage locks nobody out."""
        self._read_at = self._clock.monotonic()
        try:
            self._keys = await keys_at(self._place)
        except KeysError as error:
            log.warning("the keys of identity.jwt.jwks cannot be read: %s", error)


def _bytes_of(path: str) -> bytes:
    return Path(path).expanduser().read_bytes()


async def _get(url: str) -> bytes:
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(url, allow_redirects=False) as answer,
    ):
        if answer.status != 200:  # noqa: PLR2004 - a status of HTTP
            raise KeysError(f"the server answers {answer.status}")
        body = await answer.content.read(MAX_BYTES + 1)
        while not answer.content.at_eof() and len(body) <= MAX_BYTES:
            body += await answer.content.read(MAX_BYTES + 1 - len(body))
    if len(body) > MAX_BYTES:
        raise KeysError(f"it has more than {MAX_BYTES} bytes")
    return body


def _reason(error: BaseException) -> str:
    reason = getattr(error, "strerror", None)
    return str(reason or error) if isinstance(error, KeysError) or reason else type(error).__name__
