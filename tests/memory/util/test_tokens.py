import subprocess
import sys
from pathlib import Path

import pytest

from recollect.memory.util.tokens import MAX_CHARS, TiktokenCounter

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def counter():
    import tiktoken

    from recollect.memory.util.tokens import ENCODING

    return TiktokenCounter(tiktoken.get_encoding(ENCODING))


async def test_opens():
    """The counter loads without any network."""
    assert (await TiktokenCounter.open()).count("hello world") == 2


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("\ud800", 1)]
)
def test_counts(counter, text, tokens):
    """Special tokens are text like any other, and broken Unicode is counted, not refused."""
    assert counter.count(text) == tokens


def test_long_texts_are_estimated(counter):
    """Above the bound the beginning is counted and scaled; up to it the count is exact."""
    assert counter.count("hello world " * 10_000) == pytest.approx(20_000, rel=0.01)
    exact = ("ab " * MAX_CHARS)[:MAX_CHARS]
    assert counter.count(exact * 3) == counter.count(exact) * 3


@pytest.mark.process
def test_import_is_light():
    """Importing the module loads no tables."""
    code = "import sys, recollect.memory.util.tokens; assert 'tiktoken' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
