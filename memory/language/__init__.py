"""All that the product knows of human languages: words as data, and how a text is read.

One file of `packs/` is one language, in the sections of `sections/`; `registry` has those in use.
"""

from .errors import PackError
from .pack import LanguagePack
from .registry import build_all, from_packs, packs, use_folder
from .scan import Hit, Scan, scan
from .words import Words, words_of

__all__ = [
    "Hit", "LanguagePack", "PackError", "Scan", "Words", "build_all", "from_packs", "packs", "scan",
    "use_folder", "words_of",
]  # fmt: skip
