"""Date awareness: the times that a text names, and how near a time is to them.

The words of a text become kinds (`reading`, by the vocabulary of its language), kinds become times
(the table in `rules`), and the words beside a time change it (the table in `beside`). Pure; takes
a few microseconds and accepts any text. All words come from the [calendar] of the packs.
"""

from .asking import asks_when
from .find import periods
from .languages import tells_time
from .period import Period, closeness_of
from .words import number_words, spelled_numbers

__all__ = [
    "Period",
    "asks_when",
    "closeness_of",
    "number_words",
    "periods",
    "spelled_numbers",
    "tells_time",
]  # fmt: skip
