"""Pictures of a turn that are worth describing. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from .redacting import Redact

MAX_IMAGES = 4
MAX_IMAGE_CHARS = 2_000_000
"""Of the URLs together: 1.5 MB of pictures. One that does not fit is left out, not cut."""
MAX_ADDRESS = 4096
"""Characters of a web address; servers take no longer ones."""


def kept_images(urls: Sequence[str], redact: Redact | None = None) -> tuple[str, ...]:
    """The first pictures that fit. A web address in which a secret is found is not kept."""
    kept: list[str] = []
    room = MAX_IMAGE_CHARS
    for url in urls:
        if len(kept) < MAX_IMAGES and len(url) <= room and _is_harmless(url, redact):
            kept.append(url)
            room -= len(url)
    return tuple(kept)


def _is_harmless(url: str, redact: Redact | None) -> bool:
    if url.startswith("data:image/"):
        return url.isascii()
    if not url.startswith(("http://", "https://")) or not url.isascii() or len(url) > MAX_ADDRESS:
        return False
    if redact is None:
        return True
    try:
        return redact(url) == url
    except Exception:  # noqa: BLE001 - as with texts: in doubt it is not kept
        return False
