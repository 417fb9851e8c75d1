"""What no single option can check by itself. Pure."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.memory.engine.options import (
    OpenAIChatOptions,
    OpenAIEmbedderOptions,
    contradictions,
    unshareable,
    wrong_places,
)
from recollect.memory.util.destinations import Destination
from recollect.memory.util.extras import missing_extra

from .network import is_loopback, leads_back
from .settings import Settings


@dataclass(frozen=True, slots=True)
class Conflict:
    """Options that do not go together."""

    text: str
    """A key, and what was expected."""
    reads: tuple[str, ...]
    """The keys that it depends on: if one could not be read, nothing is known."""


def conflicts(settings: Settings) -> Iterator[Conflict]:
    """Everything that does not go together, but for what `clashes` tells."""
    yield from _leading_back(settings)
    yield from _open(settings)
    yield from _hash_key(settings)
    yield from _jwt(settings)
    yield from _without_extras(settings)
    yield from _workers(settings)
    yield from _policy(settings)


def clashes(settings: Settings) -> Iterator[Conflict]:
    """What contradicts each other among options of the engine, and places, which are absolute."""
    for key, expected in contradictions(settings):
        yield Conflict(f"{key}: {expected}", ("data_dir", "database", "redis", "index"))


def _leading_back(settings: Settings) -> Iterator[Conflict]:
    listen = settings.listen
    for key, url in _base_urls(settings):
        if leads_back(url, listen.host, listen.port):
            yield Conflict(
                f"{key}: {url} is this proxy itself ({listen.host}:{listen.port}); "
                "set it to the model server",
                (key, "listen.host", "listen.port"),
            )


def _open(settings: Settings) -> Iterator[Conflict]:
    listen, mode = settings.listen, settings.identity.mode
    open_to_all = mode in {"personal", "gateway"} and settings.api.token is None
    if not is_loopback(listen.host) and settings.api.enabled and open_to_all:
        yield Conflict(
            f"api.token: required because listen.host {listen.host} can be reached from other "
            "machines; set it (RECOLLECT_API__TOKEN), or set api.enabled to false",
            ("listen.host", "identity.mode", "api.token", "api.enabled"),
        )


def _hash_key(settings: Settings) -> Iterator[Conflict]:
    identity = settings.identity
    if identity.mode == "gateway" and identity.hash_key is None and _is_shared(settings):
        yield Conflict(
            "identity.hash_key: required in gateway mode with a shared database; set it to a long "
            "random value (RECOLLECT_IDENTITY__HASH_KEY), the same on every replica",
            ("identity.mode", "identity.hash_key", "database"),
        )


def _jwt(settings: Settings) -> Iterator[Conflict]:
    jwt = settings.identity.jwt
    if settings.identity.mode != "jwt":
        return
    wanted = {"jwks": jwt.jwks, "issuer": jwt.issuer, "audience": ", ".join(jwt.audience)}
    for name, value in wanted.items():
        if not value:
            key = f"identity.jwt.{name}"
            yield Conflict(f"{key}: required with identity.mode: jwt", (key, "identity.mode"))


def _without_extras(settings: Settings) -> Iterator[Conflict]:
    if settings.identity.mode == "jwt" and (missing := missing_extra("server")):
        yield Conflict(f"identity.mode: jwt {missing}", ("identity.mode",))
    if settings.telemetry.otlp_endpoint is not None and (missing := missing_extra("otel")):
        yield Conflict(f"telemetry.otlp_endpoint: {missing}", ("telemetry",))


def _workers(settings: Settings) -> Iterator[Conflict]:
    if settings.listen.workers == 1:
        return
    if not hasattr(socket, "SO_REUSEPORT"):
        yield Conflict(
            "listen.workers: this system cannot share a port among processes (SO_REUSEPORT): "
            "expected 1",
            ("listen.workers",),
        )
    for key, expected in unshareable(settings):
        text = f"listen.workers: {settings.listen.workers} needs another {key}: {expected}"
        yield Conflict(text, ("listen.workers", key))


def known_models(settings: Settings) -> list[Destination]:
    """The servers and models that are configured, the one of chats first, which has any model."""
    rewrite, learn = settings.recall.rewrite.llm, settings.learn
    models = [rewrite, learn.llm, learn.vision]
    models += [one.fallback for one in models if isinstance(one, OpenAIChatOptions)]
    known = [Destination(settings.upstream.base_url)]
    known += [Destination.of_server(one.base_url, one.model) for one in models if one]
    return known


def _policy(settings: Settings) -> Iterator[Conflict]:
    for key, told in wrong_places(settings.trust.policy, known_models(settings)):
        reads = ("trust.policy", "upstream", "learn", "recall.rewrite")
        yield Conflict(f"{key}: {told}", reads)


def _is_shared(settings: Settings) -> bool:
    """Whether other processes may use the same memories."""
    return settings.database.kind == "postgres"


def _base_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """The configured servers that receive our requests: keys and URLs."""
    named: dict[str, str | None] = {"upstream.base_url": settings.upstream.base_url}
    models = {
        "learn.llm": settings.learn.llm,
        "learn.vision": settings.learn.vision,
        "recall.rewrite.llm": settings.recall.rewrite.llm,
    }
    named |= {f"{key}.base_url": model.base_url for key, model in models.items() if model}
    if isinstance(settings.embedder, OpenAIEmbedderOptions):
        named["embedder.base_url"] = settings.embedder.base_url
    return ((key, url) for key, url in named.items() if url is not None)
