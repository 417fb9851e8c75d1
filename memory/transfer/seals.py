"""Seals: what an installation knows again of a line that it exported. Pure.

In a store an id is unique over all tenants, so whoever could choose ids could overwrite a memory of
another tenant. The seal of an id proves that this tenant had it. The signature of a line proves
that nobody changed it since: its text was judged before, and is not judged again.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

_BYTES = 16
"""Kept of an HMAC-SHA256: 128 bits."""
_END = re.compile(rb',"seal":"([0-9a-f]{32})","signature":"([0-9a-f]{32})"\}\s*\Z')


@dataclass(frozen=True, slots=True)
class Seals:
    """Seals and signatures of one tenant. Without a key nothing is sealed, and no seal is valid."""

    tenant: str
    key: bytes | None = None

    def sealed(self, memory_id: str, line: bytes) -> bytes:
        """A line, which is a JSON object, with its seal and its signature."""
        if self.key is None:
            return line
        seal, signature = self._seal(memory_id), self._signature(line)
        return b'%s,"seal":"%s","signature":"%s"}' % (line[:-1], seal, signature)

    def is_unchanged(self, line: bytes) -> bool:
        """Whether this tenant exported exactly this line."""
        end = _END.search(line)
        if self.key is None or end is None:
            return False
        return hmac.compare_digest(self._signature(line[: end.start()] + b"}"), end[2])

    def is_sealed(self, memory_id: str, seal: str) -> bool:
        """Whether this tenant had a memory with this id."""
        if self.key is None:
            return False
        return hmac.compare_digest(self._seal(memory_id), seal.encode("utf-8", "replace"))

    def _seal(self, memory_id: str) -> bytes:
        return self._mac(b"id", memory_id.encode("utf-8", "surrogatepass"))

    def _signature(self, line: bytes) -> bytes:
        return self._mac(b"line", line)

    def _mac(self, kind: bytes, value: bytes) -> bytes:
        assert self.key is not None  # noqa: S101 - the callers look
        # A tenant has no control characters, so that no two messages are the same bytes.
        message = b"\0".join((kind, self.tenant.encode("utf-8", "surrogatepass"), value))
        return hmac.digest(self.key, message, "sha256")[:_BYTES].hex().encode()
