"""Patterns in the text of the metadata admit at least what conditions do."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.types import Scope
from recollect.memory.query import parse, predicate
from recollect.memory.stores.milvus.where import Tells, narrowed
from recollect.memory.stores.shared.rows import to_row
from tests.memory.stores.contract import DIM, memory, vector

ALICE = Scope(tenant="t", user_id="alice")


VALUES = st.one_of(
    st.text(max_size=4).filter(lambda text: "\0" not in text),
    st.booleans(), st.integers(-9, 9), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from((1e15, 1e16, 10**15, -0.0, 1e-7, "%", "_", "\\", '"', "\n")),
)  # fmt: skip


def like(pattern):
    """What Arrow makes of a pattern without escapes."""
    parts = (".*" if one == "%" else "." if one == "_" else re.escape(one) for one in pattern)
    return re.compile("".join(parts), re.DOTALL)


@given(VALUES, VALUES, st.sampled_from(("eq", "contains", "gte")), st.sampled_from(("t", 'a"_\\')))
def test_what_passes_is_admitted(stored, asked, operator, key):
    """Whatever the value is, and also in a list or an object."""
    where = parse({"field": f"metadata.{key}", "operator": operator, "value": asked})
    for metadata in ({key: stored}, {key: asked}, {key: [stored, asked]}, {"n": 1, key: asked}):
        kept = memory(ALICE, "x", vector(1.0), metadata=metadata)
        if predicate(where)(kept.item):
            found = narrowed(where, Tells.TEXT).said
            texts = re.findall(r'like ("(?:\\.|[^"\\])*")', found)
            text = to_row(kept, DIM)["metadata"]
            # The literal is the expression's; Milvus Lite reads the same escapes as JSON.
            assert any(like(json.loads(one)).fullmatch(text) for one in texts)
