"""Terms of twelve languages, one module each, all of one shape."""

from . import ar, de, en, es, fr, hi, it, ja, nl, pt, ru, zh
from .model import CuePack

PACKS: tuple[CuePack, ...] = tuple(
    module.PACK for module in (en, de, es, fr, pt, it, nl, ru, hi, ar, zh, ja)
)

__all__ = ["PACKS", "CuePack"]
