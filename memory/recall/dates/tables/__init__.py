"""Words that say when, one table for each language."""

from .arabic import ARABIC
from .chinese import CHINESE
from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .hindi import HINDI
from .japanese import JAPANESE
from .portuguese import PORTUGUESE
from .spanish import SPANISH
from .table import Table

SPACED = {
    "en": ENGLISH,
    "de": GERMAN,
    "es": SPANISH,
    "fr": FRENCH,
    "pt": PORTUGUESE,
    "hi": HINDI,
    "ar": ARABIC,
}
"""Languages that separate words; of two equally likely ones the first is tried first."""
CJK = (CHINESE, JAPANESE)

__all__ = ["CJK", "SPACED", "Table"]
