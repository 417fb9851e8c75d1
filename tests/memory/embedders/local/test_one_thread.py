import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.process

START = """
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
from recollect.memory.embedders.local.one_thread import blas_threads

def threads():
    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    # Other libraries bring a BLAS of their own, which is not the one of our products.
    return {pool["num_threads"] for pool in found if "numpy" in pool["filepath"]}

np.ones((2, 2)) @ np.ones((2, 2))
threadpool_limits(2, user_api="blas")
assert threads() == {2}
"""


def run(code):
    """Runs it after `START` in a process of its own.

    The limit is of the whole process, and here a thread of another test may still embed.
    """
    whole = START + textwrap.dedent(code) + "\nprint('to the end')"
    done = subprocess.run(
        [sys.executable, "-c", whole], check=False, capture_output=True, text=True
    )
    assert done.stdout == "to the end\n", done.stderr


def test_within_one_thread():
    """Inside there is one, and afterwards what the program had chosen."""
    run("""
        with blas_threads(1):
            assert threads() == {1}
        assert threads() == {2}
    """)


def test_overlapping_blocks():
    """The limit ends with the last of them, whichever began first."""
    run("""
        first, second = blas_threads(1), blas_threads(1)
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert threads() == {1}
        second.__exit__(None, None, None)
        assert threads() == {2}
    """)


def test_after_an_error():
    """A product that fails leaves no limit behind."""
    run("""
        try:
            with blas_threads(1):
                raise ZeroDivisionError
        except ZeroDivisionError:
            assert threads() == {2}
        else:
            raise AssertionError("the error is lost")
    """)


def test_a_failing_check_is_seen():
    """What fails in the other process fails here."""
    with pytest.raises(AssertionError, match="of another kind"):
        run("assert False, 'of another kind'")
