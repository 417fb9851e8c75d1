"""The key of the seals of exported memories."""

from __future__ import annotations

import hashlib
import logging

from recollect.config import Settings
from recollect.config.installation import installation_key

log = logging.getLogger(__name__)


def seal_key(settings: Settings) -> bytes | None:
    """A key that this installation has at every start: from `identity.hash_key`, or `data_dir`.

    None if no key can be stored: exports have no seals then.
    """
    configured = settings.identity.hash_key
    try:
        secret = (
            installation_key(settings.data_dir)
            if configured is None
            else configured.get_secret_value()
        )
    except (OSError, ValueError) as error:
        log.info("exported memories have no seals: no key is stored (%s)", error)
        return None
    return hashlib.sha256(b"recollect seals " + secret.encode()).digest()
