import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from recollect.memory.embedders.local.one_thread import blas_threads


def threads():
    """The threads of numpy's products."""
    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    # Other libraries bring a BLAS of their own, which is not the one of our products.
    return [pool["num_threads"] for pool in found if "numpy" in pool["filepath"]]


@pytest.fixture(autouse=True)
def two():
    """A program that wants two threads for its own products."""
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(2, user_api="blas"):
        yield


def test_within_one_thread():
    """Inside there is one, and afterwards what the program had chosen."""
    with blas_threads(1):
        assert set(threads()) == {1}
    assert set(threads()) == {2}


def test_overlapping_blocks():
    """The limit ends with the last of them, whichever began first."""
    first, second = blas_threads(1), blas_threads(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(threads()) == {1}
    second.__exit__(None, None, None)
    assert set(threads()) == {2}


def test_after_an_error():
    """A product that fails leaves no limit behind."""
    with pytest.raises(ZeroDivisionError), blas_threads(1):
        raise ZeroDivisionError
    assert set(threads()) == {2}
