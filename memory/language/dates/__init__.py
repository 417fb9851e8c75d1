"""Date awareness: the times that a text names, and how near a time is to them.

The words of a text become kinds (`date_words`, by its language), kinds become times (the table in
`rules`), and the words beside a time change it (the table in `date_modifiers`). Pure; takes
a few microseconds and accepts any text. All words come from the [calendar] of the packs.
"""

from .date_finder import asks_when, periods, tells_time
from .numerals import number_words, spelled_numbers
from .period import Period, closeness_of

__all__ = [
    "Period", "asks_when", "closeness_of", "number_words", "periods", "spelled_numbers",
    "tells_time",
]  # fmt: skip
