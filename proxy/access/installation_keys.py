"""The keys that an installation derives from its secret: of the fence, and of exported memories."""

from __future__ import annotations

import hashlib
import logging
import secrets

from recollect.config import Settings
from recollect.config.installation import installation_key
from recollect.filters import Fence

log = logging.getLogger(__name__)


def fence_of(settings: Settings) -> Fence:
    """The fence around injected memories.

    If no secret can be stored its key is random, and blocks change their tags at each restart.
    """
    try:
        return Fence(_secret(settings).encode())
    except (OSError, ValueError) as error:
        log.info("the fence around memories changes at each start: no key is stored (%s)", error)
        return Fence(secrets.token_bytes(32))


def seal_key(settings: Settings) -> bytes | None:
    """The key of the seals on exported memories; None if no secret can be stored: no seals then."""
    try:
        secret = _secret(settings)
    except (OSError, ValueError) as error:
        log.info("exported memories have no seals: no key is stored (%s)", error)
        return None
    return hashlib.sha256(b"recollect seals " + secret.encode()).digest()


def proposal_key(settings: Settings) -> bytes | None:
    """A secret that all replicas share, derived from `api.token`, or else this installation's.

    None if no key can be stored: a restart then ends what was proposed.
    """
    token = settings.api.token
    secret = seal_key(settings) if token is None else token.get_secret_value().encode()
    return None if secret is None else hashlib.sha256(b"recollect proposals " + secret).digest()


def _secret(settings: Settings) -> str:
    """`identity.hash_key`, else the key in `data_dir`. Raises OSError and ValueError."""
    configured = settings.identity.hash_key
    return (
        installation_key(settings.data_dir) if configured is None else configured.get_secret_value()
    )
