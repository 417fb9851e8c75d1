"""Small word lists per language and one linear scan over them; the gate and the rewriter share it.

The lists are data: adding a language is one module with a `LEXICON` and one line in `table.py`.
"""

from .model import Cue, Hit, Lexicon, Scan
from .scan import scan

__all__ = ["Cue", "Hit", "Lexicon", "Scan", "scan"]
