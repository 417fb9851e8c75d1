"""The fence of tests that do not care about its secret."""

from filters.inject import Fence

FENCE = Fence(b"a secret of the tests")
