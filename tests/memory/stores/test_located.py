"""What the options of each store say about where it is."""

from pathlib import Path
from typing import get_args

import pytest

from recollect.memory.stores import StoreOptions
from recollect.memory.stores.located import LocatedOptions

UNION, *_ = get_args(StoreOptions)
KINDS = get_args(UNION)


@pytest.mark.parametrize("kind", KINDS)
def test_every_store_says_where_it_is(kind, tmp_path):
    """Each backend, a new one too: a place in `data_dir` if it needs one, and a key that exists."""
    assert issubclass(kind, LocatedOptions)
    section, _, field = kind.key.partition(".")
    assert section == "store"
    assert field in kind.model_fields
    placed = kind().placed(tmp_path)
    assert placed.placed(Path("elsewhere")) == placed
    assert placed.folder is None or placed.folder.is_relative_to(tmp_path)
    assert placed.lasting == (placed.remote or placed.folder is not None)
    assert placed.shown
