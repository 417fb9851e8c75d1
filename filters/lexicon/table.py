"""Every language pack, by its code. A new language is one module and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from .ar import LEXICON as AR
from .common import LEXICON as COMMON
from .de import LEXICON as DE
from .en import LEXICON as EN
from .es import LEXICON as ES
from .fr import LEXICON as FR
from .hi import LEXICON as HI
from .ja import LEXICON as JA
from .model import Lexicon
from .pt import LEXICON as PT
from .zh import LEXICON as ZH

ANY_LANGUAGE = COMMON.code
"""The pack of what is written the same everywhere; always applies."""
LATIN = frozenset({"en", "de", "es", "fr", "pt", "hi"})
"""Languages a text in Latin letters may be (romanised Hindi included)."""
LEXICONS: Mapping[str, Lexicon] = {
    pack.code: pack for pack in (COMMON, EN, DE, ES, FR, PT, ZH, JA, HI, AR)
}
