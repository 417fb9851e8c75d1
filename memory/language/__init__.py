"""All that the product knows of human languages: words as data, and how a text is read.

One file of `packs/` is one language, in the sections of `sections/`; `registry` has those in use.
"""

from .pack import LanguagePack
from .registry import PackError, build_all, from_packs, packs, use_folder

__all__ = ["LanguagePack", "PackError", "build_all", "from_packs", "packs", "use_folder"]
