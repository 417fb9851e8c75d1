"""The memory of a process that starts."""

import contextlib
import gc

from recollect.memory.util.heap import loading


def test_garbage_is_collected_again_after_loading():
    """Also if what was loaded is not there; what was loaded is looked through no more."""
    frozen = gc.get_freeze_count()
    try:
        with contextlib.suppress(ImportError), loading():
            assert not gc.isenabled()
            raise ImportError
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
