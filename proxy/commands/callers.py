"""The check of `recollect check` that concerns callers: who is believed, and by what proof."""

from __future__ import annotations

from recollect.config import Settings
from recollect.memory.model.types import utc_now

from ..access.jwks import KeysError, keys_at
from ..access.token_file import TokenFile, TokenFileError
from .findings import CheckFailedError


async def check_callers(settings: Settings) -> str:
    """Reads the admin tokens and, with signed tokens, the public keys."""
    identity, seen = settings.identity, [f"identity.mode {settings.identity.mode}"]
    try:
        tokens = TokenFile(settings.api.tokens_file or settings.data_dir / "tokens.json").read()
    except TokenFileError as error:
        mend = "correct it, or remove it and make new ones with `recollect tokens create`"
        raise CheckFailedError(str(error), mend) from None
    if valid := sum(token.state(utc_now()) == "valid" for token in tokens):
        seen.append(f"{valid} admin tokens")
    if identity.mode == "jwt" and identity.jwt.jwks is not None:
        try:
            seen.append(f"{len(await keys_at(identity.jwt.jwks))} keys of signed tokens")
        except KeysError as error:
            problem = f"{identity.jwt.jwks} cannot be used: {error}"
            mend = "check identity.jwt.jwks; until it works nobody's token is valid"
            raise CheckFailedError(problem, mend) from None
    return ", ".join(seen)
