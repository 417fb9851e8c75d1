"""All that the product knows of human languages: words as data, and how a text is read.

One file of `packs/` is one language, in the sections of `sections`; `registry` has those in use.
"""

from .analysis import index_terms, query_terms, stored_terms
from .capitals import is_shouting, names_like_pronouns
from .detect import ANY, language_of, languages_of
from .names import names_in, speaker_of
from .pack import LanguagePack
from .pack_reader import PackError
from .registry import build_all, from_packs, packs, using_folder
from .scanner import Scan, scan
from .vocabulary import Hit
from .words import (
    Words,
    folded_word,
    is_question,
    is_unspaced,
    may_ask,
    sentences,
    words_of,
)

__all__ = [
    "ANY", "Hit", "LanguagePack", "PackError", "Scan", "Words", "build_all", "folded_word",
    "from_packs", "index_terms", "is_question", "is_shouting", "is_unspaced", "language_of",
    "languages_of", "may_ask", "names_in", "names_like_pronouns", "packs", "query_terms", "scan",
    "sentences", "speaker_of", "stored_terms", "using_folder", "words_of",
]  # fmt: skip
