"""Vector indexes that can be thrown away: the database is filled into them.

An index holds digests and vectors, no text and no name (`port.IndexRow`). It is asked for keys
(`memories.position`); whoever asks reads those rows from the database and tests them again. So an
index may be late, approximate, empty or wrong, and the answer is right.

**Opened**: ``await open_index(options, name=..., dim=...)`` with `options.placed(data_dir)`. `name`
(up to 32 of ``a-z0-9_``) tells embedder and format: another one is another collection. On a server
older collections stay, and are the operator's to remove; a folder has the last one only. Opening
makes no collection: `drop` does, and until then `ping` raises `IndexMissingError`. A folder that is
damaged, of another layout, or was in use when the machine went down is emptied; one with anything
else in it is refused. A folder of Milvus Lite is served by a process of its own that all processes
on it share, and that ends when the last one has closed; one of Qdrant, Chroma or FAISS is for one
process: others get a StoreError and compare exactly.

**Followed**: one `IndexFollower` for each process and index::

    follower = IndexFollower(log, marks, lambda: open_index(options, name=name, dim=dim),
                        name=name, least=1_000)
    tasks.start(follower.run(), name="the vector index")
    ...
    follower.wake()      # after a write: follow at once; of other processes it looks every 2 s
    str(follower.state)  # for /readyz: "ready", "filling: 512 of 20,000 memories", "down: …"

It opens the index when it is needed (never for fewer than `least` memories), fills it, and applies
the log of changes. One of all followers of a `name` has the turn; the others watch. Of an index
that lives in the process (`exact`), each process has marks of its own (`OwnMarks`). A restored
database must forget its marks.

**Searched**: first read the mark (`marks.mark(name)`): without one, or with a `position`, the index
is not complete, and all are compared exactly. Else ``follower.search(...)``, together with what was
changed after `mark.seq`. It raises StoreError at once while the index is down or not opened.

**Closed**: cancel `run`, then ``await follower.close()``, which closes the index and gives up the
turn.
"""

from .follower import IndexFollower
from .marks import OwnMarks
from .opening import open_index
from .options import ExactIndexOptions, IndexOptions, MilvusIndexOptions

__all__ = [
    "ExactIndexOptions",
    "IndexFollower",
    "IndexOptions",
    "MilvusIndexOptions",
    "OwnMarks",
    "open_index",
]
