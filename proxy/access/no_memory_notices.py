"""Lists at the start which requests have no memory with these settings, and why. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.config import Settings, is_loopback


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the log."""

    text: str
    serious: bool = False
    """Whether all chats miss a part of memory, which may not be meant."""


def without_memory(settings: Settings, routes: Sequence[str]) -> list[Notice]:
    """The lines that apply; one that concerns every chat stands alone.

    `routes`: the paths with memory.
    """
    if _untrusted(settings):
        return [
            Notice(
                f"chats have no memory: anyone who can reach {settings.listen.host} could name any "
                "user. Use identity.mode: gateway, or set identity.trust_callers if a server in "
                "front authenticates callers",
                serious=True,
            )
        ]
    if not (settings.recall.enabled or settings.learn.enabled):
        text = "chats have no memory: recall.enabled and learn.enabled are false"
        return [Notice(text, serious=True)]
    return [*_parts(settings), *_callers(settings), *_requests(settings, routes)]


def _untrusted(settings: Settings) -> bool:
    identity = settings.identity
    return identity.mode == "personal" and not (
        is_loopback(settings.listen.host) or identity.trust_callers
    )


def _parts(settings: Settings) -> list[Notice]:
    """What of memory is off."""
    learn = settings.learn
    if not settings.recall.enabled:
        return [Notice("no chat is given memories: recall.enabled is false", serious=True)]
    if not learn.enabled:
        return [Notice("nothing is learned from chats: learn.enabled is false", serious=True)]
    if not learn.in_process:
        text = (
            "this process learns nothing (learn.in_process is false): turns wait for a "
            "`recollect worker`"
        )
        if settings.database.kind != "postgres":
            text += ", which needs a PostgreSQL (database.url)"
            return [Notice(text, serious=True)]
        return [Notice(text)]
    if learn.llm is None:
        return [
            Notice(
                "turns are learned with the model and the credential of the chats, which are not "
                "stored: after a restart a tenant's turns wait for its next chat (learn.llm is not "
                "set)"
            )
        ]
    return []


def _callers(settings: Settings) -> list[Notice]:
    """Whose chats have none."""
    identity, found = settings.identity, []
    if identity.mode == "jwt":
        text = f"chats without a valid token in {identity.jwt.token_header} have no memory"
        return [Notice(f"{text} (identity.mode: jwt)")]
    if identity.mode == "header":
        text = f"only chats from {', '.join(identity.header.peers)} that name the user in"
        return [Notice(f"{text} {identity.header.user_header} have memory (identity.mode: header)")]
    if identity.mode == "gateway":
        found.append(Notice("chats without a credential have no memory (identity.mode: gateway)"))
    if not _has_default_user(settings):
        names = ", ".join(("x-recollect-user", *identity.trusted_user_headers))
        body = " or in the body's `user`" if identity.trust_body else ""
        also = "; identity.default_user_in_gateway would allow it"
        found.append(
            Notice(
                f"chats that name no user, in the header {names}{body}, have no memory"
                + (also if identity.mode == "gateway" else "")
            )
        )
    return found


def _has_default_user(settings: Settings) -> bool:
    if settings.identity.mode == "gateway":
        return settings.identity.default_user_in_gateway
    return is_loopback(settings.listen.host)


def _requests(settings: Settings, routes: Sequence[str]) -> list[Notice]:
    """Which requests of anybody have none."""
    listen = settings.listen
    hosts, origins = ", ".join(listen.allowed_hosts), ", ".join(listen.allowed_origins)
    own = "localhost" if is_loopback(listen.host) else "private names and addresses"
    return [
        Notice(
            f"chats for other hosts than {own}{hosts and ', ' + hosts} have no memory "
            "(listen.allowed_hosts), nor have web pages of other origins"
            f"{origins and ' than ' + origins} (listen.allowed_origins)"
        ),
        Notice(
            f"only POST {' and '.join(routes)} have memory, also without /v1 and with a slash at "
            f"the end, with bodies of at most {settings.upstream.max_parsed_bytes:,} bytes "
            "(upstream.max_parsed_bytes)"
        ),
    ]
