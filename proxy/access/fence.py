"""The key of the fence around injected memories."""

from __future__ import annotations

import logging
import secrets

from recollect.config import Settings
from recollect.config.installation import installation_key
from recollect.filters import Fence

log = logging.getLogger(__name__)


def fence_of(settings: Settings) -> Fence:
    """A fence keyed by `identity.hash_key`, else by the key in `data_dir`.

    Without either the key is random, and blocks change their tags at each restart.
    """
    configured = settings.identity.hash_key
    if configured is not None:
        return Fence(configured.get_secret_value().encode())
    try:
        return Fence(installation_key(settings.data_dir).encode())
    except (OSError, ValueError) as error:
        log.info("the fence around memories changes at each start: no key is stored (%s)", error)
        return Fence(secrets.token_bytes(32))
