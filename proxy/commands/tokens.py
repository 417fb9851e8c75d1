"""`recollect tokens`: make, list, rotate and revoke the admin tokens of the memory API."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from .base import CommandError
from .shapes import table
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from ..access.token_file import TokenFile
    from ..access.tokens import AdminToken
    from .arguments import CommandLine

RIGHTS = ("read", "write", "admin")
DEFAULT_DAYS = 90.0
DEFAULT_HOURS = 24.0
DESCRIPTION = """\
Admin tokens open the memory API for the tenants that they name, also those that are known by the
hash of a credential. Only their hashes are kept, in api.tokens_file: a token is shown once. A
running server sees a change at once."""


def fill(parser: CommandLine) -> None:
    """Register ``tokens create``, ``list``, ``rotate`` and ``revoke``."""
    parser.description = DESCRIPTION
    actions = parser.actions()
    create = actions.add_parser("create", help="make a token, and show it once")
    create.add_argument("name", metavar="NAME", help="who or what uses it, for lists and logs")
    create.add_argument("--right", choices=RIGHTS, default="read", help="(read)")
    create.add_argument(
        "--tenant",
        action="append",
        default=[],
        metavar="T",
        help="a tenant that it is for; may be repeated; `acme/*` for all projects of acme",
    )
    create.add_argument("--any-tenant", action="store_true", help="it is for every tenant")
    create.add_argument(
        "--days", type=float, default=DEFAULT_DAYS, help="how long it is valid (90); 0: for ever"
    )
    listing = actions.add_parser("list", help="show the tokens, oldest first")
    listing.add_argument("--all", action="store_true", help="also expired and revoked ones")
    rotate = actions.add_parser("rotate", help="replace a token; the old one is valid for a while")
    rotate.add_argument("name", metavar="NAME", help="its name or id")
    rotate.add_argument(
        "--keep-hours", type=float, default=DEFAULT_HOURS, help="how long the old one works (24)"
    )
    revoke = actions.add_parser("revoke", help="take a token back, at once")
    revoke.add_argument("name", metavar="NAME", help="its name or id; all of that name end")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Change or show the file; 1 if it cannot be used or has no such token."""
    from recollect.memory.model.types import utc_now

    from ..access.token_file import TokenFile, TokenFileError

    file = TokenFile(settings.api.tokens_file or settings.data_dir / "tokens.json")
    try:
        return _ACTIONS[options.action](file, settings, options, utc_now())
    except (TokenFileError, OverflowError) as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(str(error), 2) from None


def _create(file: TokenFile, settings: Settings, options: argparse.Namespace, now: datetime) -> int:
    from ..access.rights import Right
    from ..access.tokens import ANY_TENANT, make

    known = file.read()
    if any(token.name == options.name and token.state(now) == "valid" for token in known):
        raise ValueError(f"name: {options.name!r} is in use; `recollect tokens rotate` replaces it")
    if options.days < 0:
        raise ValueError("days: expected 0 or more")
    tenants = [ANY_TENANT] if options.any_tenant else options.tenant or [settings.identity.tenant]
    right = Right[options.right.upper()]
    token, text = make(options.name, right, tenants, now=now, days=options.days or None)
    file.write([*known, token])
    _show_new(token, text)
    return 0


def _rotate(
    file: TokenFile, _settings: Settings, options: argparse.Namespace, now: datetime
) -> int:
    from ..access.tokens import ended, make

    known = file.read()
    old = _valid(known, options.name, now)
    last, until = old[-1], now + timedelta(hours=max(0.0, options.keep_hours))
    token, text = make(last.name, last.right, last.tenants, now=now)
    if last.expires_at is not None:
        token = replace(token, expires_at=now + (last.expires_at - last.created_at))
    kept = [ended(each, until) if each in old else each for each in known]
    file.write([*kept, token])
    _show_new(token, text)
    say(f"the old one is valid until {until:%Y-%m-%d %H:%M} UTC")
    return 0


def _revoke(
    file: TokenFile, _settings: Settings, options: argparse.Namespace, now: datetime
) -> int:
    known = file.read()
    meant = _valid(known, options.name, now)
    file.write(replace(each, revoked_at=now) if each in meant else each for each in known)
    say(f"revoked: {', '.join(f'{token.name} ({token.id})' for token in meant)}")
    return 0


def _list(file: TokenFile, _settings: Settings, options: argparse.Namespace, now: datetime) -> int:
    found = [token for token in file.read() if options.all or token.state(now) == "valid"]
    if not found:
        say("recollect: there are no admin tokens; `recollect tokens create NAME` makes one")
    for line in _TABLE([{**_told(token), "state": token.state(now)} for token in found]):
        show(line)
    return 0


_TABLE = table(name="name", id="id", right="right", tenants="tenants", valid="ends", state="state")


def _told(token: AdminToken) -> dict[str, str]:
    ends = f"until {token.expires_at:%Y-%m-%d %H:%M} UTC" if token.expires_at else "for ever"
    tenants = ", ".join(token.tenants)
    return {
        "name": token.name, "id": token.id, "right": token.right.word, "tenants": tenants,
        "ends": ends,
    }  # fmt: skip


_ACTIONS = {"create": _create, "rotate": _rotate, "revoke": _revoke, "list": _list}


def _valid(tokens: list[AdminToken], name: str, now: datetime) -> list[AdminToken]:
    meant = [one for one in tokens if name in (one.name, one.id) and one.state(now) == "valid"]
    if not meant:
        raise CommandError(f"there is no valid token {name!r}")
    return meant


def _show_new(token: AdminToken, text: str) -> None:
    """The token on standard output, alone: so that a script can keep it."""
    say("{name} ({id}): {right}, for {tenants}, {ends}".format_map(_told(token)))
    say("it is shown only now:")
    show(text)
