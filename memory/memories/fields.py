"""The fields of a row, and their limits."""

from __future__ import annotations

from ..model.scope import MAX_SCOPE_CHARS

_UTF8_BYTES = 4
_SCOPE_BYTES = MAX_SCOPE_CHARS * _UTF8_BYTES
MOST_BYTES = 65_535
"""Maximum bytes of one field: of a Milvus VARCHAR. All stores have it, so that what one store holds
fits any other."""

TEXT_BYTES: dict[str, int] = {
    "id": 512,
    # Percent-encoding turns every byte of the tenant into three characters.
    "partition": 3 * _SCOPE_BYTES + 1 + _SCOPE_BYTES,
    "tenant": _SCOPE_BYTES,
    "user_id": _SCOPE_BYTES,
    "agent_id": _SCOPE_BYTES,
    "run_id": _SCOPE_BYTES,
    "text": MOST_BYTES,
    "type": 32,
    "status": 32,
    "hash": 32,
    "embedder_id": 512,
    "provenance": MOST_BYTES,
    "metadata": MOST_BYTES,
}
"""Text columns and the maximum UTF-8 bytes of each."""
