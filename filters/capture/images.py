"""Selects the pictures of a turn that are kept. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from .redacting import Redact

MAX_IMAGES = 4
MAX_IMAGE_CHARS = 2_000_000
"""Of all URLs together: 1.5 MB of pictures. A URL that does not fit is left out."""
MAX_ADDRESS = 4096
"""Most characters of a web address."""


def kept_images(urls: Sequence[str], redact: Redact | None = None) -> tuple[str, ...]:
    """The first pictures that fit, without web addresses that contain a secret."""
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
