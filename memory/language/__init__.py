"""All that the product knows of human languages: words as data, and how a text is read.

One file of `packs/` is one language, in the sections of `sections/`; `registry` has those in use.
"""

from .analysis import index_terms, query_terms, stored_terms
from .detect import language_of, languages_of
from .errors import PackError
from .names import names_in, speaker_of
from .pack import LanguagePack
from .registry import build_all, from_packs, packs, use_folder, using_folder
from .scan import Hit, Scan, scan
from .words import Words, words_of

__all__ = [
    "Hit", "LanguagePack", "PackError", "Scan", "Words", "build_all", "from_packs", "index_terms",
    "language_of", "languages_of", "names_in", "packs", "query_terms", "scan", "speaker_of",
    "stored_terms", "use_folder", "using_folder", "words_of",
]  # fmt: skip
