"""A user's key, and what it seals. AES-256-GCM: what was changed is not opened."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import secrets
from typing import Any

from ...model.errors import EncryptionError

MARK = "\x02k1:"
"""What every sealed text begins with, then the id of its key. No id of a scope has a `\\x02`."""
BYTES_MARK = MARK.encode()
ID_CHARS = 12
KEY_BYTES = 32
_NONCE_BYTES = 12
_MOST_KNOWN = 4_096
"""Names that are looked up again and again are sealed once."""
_ID_END = len(MARK) + ID_CHARS


class UserKey:
    """An open key. Its bytes are in this process's memory only."""

    __slots__ = ("_bound", "_cipher", "_known", "_same", "id", "owner")

    def __init__(self, key_id: str, owner: str, key: bytes) -> None:
        """`owner` is whose it is (`owner_name`)."""
        self.id = key_id
        self.owner = owner
        self._cipher = cipher(key)
        self._same = hmac.digest(key, b"recollect: the same", "sha256")
        self._known: dict[str, str] = {}
        self._bound = f"{key_id}{owner}".encode()

    def sealed(self, value: object, *, same: bool = False) -> str | bytes:
        """A text or bytes as it is kept; with `same` always the same for the same text."""
        if isinstance(value, bytes):
            return BYTES_MARK + self.id.encode() + self._sealed(value, same=False)
        text = str(value)
        if same and (known := self._known.get(text)) is not None:
            return known
        data = text.encode("utf-8", "replace")
        sealed = binascii.b2a_base64(self._sealed(data, same=same), newline=False).decode()
        kept = f"{MARK}{self.id}{sealed}"
        if same:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[text] = kept
        return kept

    def opened(self, kept: str | bytes) -> str | bytes:
        """What was sealed. Raises EncryptionError: it was changed, or is of another key."""
        sealed = kept[_ID_END:]
        try:
            if isinstance(sealed, str):
                return self._opened(binascii.a2b_base64(sealed, strict_mode=True)).decode()
            return self._opened(sealed)
        except Exception as error:
            raise EncryptionError("a row of the database cannot be read: it was changed") from error

    def _sealed(self, data: bytes, *, same: bool) -> bytes:
        nonce = (
            hmac.digest(self._same, data, "sha256")[:_NONCE_BYTES]
            if same
            else os.urandom(_NONCE_BYTES)
        )
        sealed: bytes = self._cipher.encrypt(nonce, data, self._bound)
        return nonce + sealed

    def _opened(self, sealed: bytes) -> bytes:
        data: bytes = self._cipher.decrypt(
            sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], self._bound
        )
        return data


def key_id_of(kept: str | bytes) -> str:
    """The id of the key of what begins with a mark."""
    found = kept[len(MARK) : _ID_END]
    return found if isinstance(found, str) else found.decode("ascii", "replace")


def new_id() -> str:
    """An id that no other key has."""
    return base64.urlsafe_b64encode(secrets.token_bytes(9)).decode()


def cipher(key: bytes) -> Any:
    """AES-256-GCM of a key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)
