"""Date awareness of recall: the times a query names, and how near a memory is to them.

A query goes from text to symbols (`reading`, by the tables of its language), from symbols to
times (`grammar`, `resolve`), and to periods (`relations`, `find`). Pure, a few microseconds, and
safe for any text.
"""

from .asking import asks_when
from .find import periods
from .languages import tells_time
from .period import Period, closeness_of

__all__ = ["Period", "asks_when", "closeness_of", "periods", "tells_time"]
