"""The fence of tests that do not care about its secret."""

import re

from recollect.filters.inject import Fence

FENCE = Fence(b"a secret of the tests")


_BLOCK = re.compile(r"(?s)\A(<(recollect-[^>]*)>.*?</\2>)\n\n(.*)\Z")


def parted(text):
    """The block inside a user message, and the user's own words; no block if there is none."""
    match = _BLOCK.match(text)
    return (match[1], match[3]) if match else ("", text)
