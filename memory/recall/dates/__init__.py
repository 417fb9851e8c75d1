"""Date awareness of recall: the times that a query names, and a memory's nearness to them.

The text of a query becomes symbols (`reading`, with the tables of its language), symbols become
times (`grammar`, `resolve`), and times become periods (`relations`, `find`). Pure; takes a few
microseconds and accepts any text.
"""

from .asking import asks_when
from .find import periods
from .languages import tells_time
from .period import Period, closeness_of

__all__ = ["Period", "asks_when", "closeness_of", "periods", "tells_time"]
