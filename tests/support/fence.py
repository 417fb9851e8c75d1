"""The fence of tests that do not care about its secret."""

from recollect.filters.inject import Fence

FENCE = Fence(b"a secret of the tests")
