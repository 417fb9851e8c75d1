"""All that the product knows of human languages: words as data, and how a text is read.

One file of `packs/` is one language, in the sections of `sections/`; `registry` has those in use.
"""

from .analysis import index_terms, query_terms, stored_terms
from .capitals import in_title, is_acronym, is_numeral, is_shouting
from .detect import ANY, language_of, languages_of
from .errors import PackError
from .homographs import names_like_pronouns
from .names import names_in, speaker_of
from .pack import LanguagePack
from .registry import build_all, from_packs, packs, use_folder, using_folder
from .scanner import FieldHits, Scan, forget_texts, scan
from .scripts import script_of
from .vocabulary import Hit
from .words import Words, folded_word, is_unspaced, words_of

__all__ = [
    "ANY", "FieldHits", "Hit", "LanguagePack", "PackError", "Scan", "Words", "build_all",
    "folded_word", "forget_texts", "from_packs", "in_title", "index_terms", "is_acronym",
    "is_numeral", "is_shouting", "is_unspaced", "language_of", "languages_of", "names_in",
    "names_like_pronouns",
    "packs", "query_terms", "scan", "script_of", "speaker_of", "stored_terms", "use_folder",
    "using_folder", "words_of",
]  # fmt: skip
