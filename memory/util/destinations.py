"""Where texts go: the server of a model, and its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from ..model.scope import Scope
from ..model.turns import TOLD_UNKNOWN
from .hosts import is_near
from .openai_client import OPENAI_BASE_URL

LOCAL, CLOUD, MCP = "local", "cloud", "mcp"
WORDS = frozenset({LOCAL, CLOUD, MCP, TOLD_UNKNOWN})
"""What a pattern may name in place of a host."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A model at a server; without a name, any model there."""

    upstream: str
    """A base URL; `MCP` for a program that speaks it."""
    model: str = ""

    @property
    def told(self) -> str:
        """As `Turn.told_to` names it."""
        return f"{self.upstream} {self.model}".rstrip()

    @classmethod
    def of_server(cls, base_url: str | None, model: str) -> Destination:
        """A model at a server as options name it; None or "" is OpenAI's."""
        return cls(base_url or OPENAI_BASE_URL, model)

    @classmethod
    def of_told(cls, told: str) -> Destination:
        """The one that `told` names."""
        upstream, _, model = told.partition(" ")
        return cls(upstream, model)

    @property
    def where(self) -> str:
        """`local`, `cloud`, `mcp` or `unknown`."""
        if self.upstream in {MCP, TOLD_UNKNOWN}:
            return self.upstream
        return LOCAL if is_near(self.upstream) else CLOUD

    @property
    def host(self) -> str:
        """The host, with the port if the URL has one."""
        return urlsplit(self.upstream).netloc.rpartition("@")[2].lower()

    def fits(self, pattern: str) -> bool:
        """Whether it is meant by ``where``, ``host`` or either with ``/model``; `*` fits all.

        A model that is not known fits every name.
        """
        where, _, model = pattern.partition("/")
        hosts = {self.where, self.host, self.host.rpartition(":")[0] or self.host}
        if not any(_fits(each, where) for each in hosts):
            return False
        return not model or not self.model or _fits(self.model, model)


def _fits(name: str, pattern: str) -> bool:
    # Names have brackets, too: [::1]:8080, claude-4[1m].
    literal = pattern.lower().replace("[", "[[]").replace("?", "[?]")
    return fnmatchcase(name.lower(), literal)


READERS: ContextVar[Sequence[Destination]] = ContextVar("readers", default=())
"""Where what is read now goes to; none: to a person or a program, who may read all."""


SPEAKER: ContextVar[Scope | None] = ContextVar("speaker", default=None)
"""Whose conversation asks."""


@contextmanager
def read_by(*destinations: Destination, scope: Scope | None = None) -> Iterator[None]:
    """Within the block, what is read goes there too; `scope` is whose conversation it is."""
    readers = READERS.set((*READERS.get(), *destinations))
    speaker = SPEAKER.set(scope or SPEAKER.get())
    try:
        yield
    finally:
        SPEAKER.reset(speaker)
        READERS.reset(readers)
