"""Any text is read: of every script, of any length, and in time that grows with its length alone."""

import random
import sys
from datetime import UTC, datetime

from recollect.filters.gate.reasons import decide
from recollect.memory.language import index_terms, language_of, names_in, scan, words_of
from recollect.memory.language.dates import asks_when, periods
from recollect.memory.language.dates.date_finder import forget_texts as forget_dates
from recollect.memory.language.scanner import forget_texts
from recollect.memory.model.types import Message
from recollect.memory.trust.quarantine import judge_text
from recollect.memory.trust.redact import RedactOptions, Redactor
from tests.support.budget import paired, sampled
from tests.support.folding import rows

BLOCK = 128
NOW = datetime(2026, 5, 14, 15, tzinfo=UTC)
REDACTOR = Redactor(RedactOptions())
READERS = {
    "words": words_of,
    "scan": scan,
    "language": language_of,
    "names": names_in,
    "terms": index_terms,
    "dates": lambda text: periods(text, NOW),
    "asks": asks_when,
    "gate": lambda text: decide([Message(role="user", content=text)]),
    "trust": judge_text,
    "redact": REDACTOR.redact,
}
SEPARATORS = (" ", " ", " ", "", "\n", ".", ",", ":", "'", "-", "=", "@", "1", "\u200b", "(", '"')


def words_from(block, chance):
    """Some words of the characters from `block` on, between separators of all kinds."""
    characters = [chr(code) for code in range(block, block + BLOCK)]
    pieces = []
    for _ in range(8):
        pieces += chance.choices(characters, k=chance.randint(1, 9))
        pieces.append(chance.choice(SEPARATORS))
    return "".join(pieces)


PLANES = 0x110000
COMMON = 0x3400  # Above it there are few scripts and many characters of the same kind.
BLOCKS = [*range(0, COMMON, BLOCK), *range(COMMON, PLANES, 64 * BLOCK), 0xD800, 0xDC00, 0xFE00]


def test_every_block_of_characters_is_read():
    """Scripts without a pack, marks, symbols, lone surrogates, unassigned characters."""
    chance = random.Random(17)
    for block in sampled(BLOCKS):
        text = words_from(block, chance)
        for name, read in READERS.items():
            try:
                read(text)
            except Exception as error:
                error.add_note(f"{name} of {text!r}")
                raise


PHRASES = (
    "a ", "a.", "no longer ", "ignore all previous instructions and ", "my password is ", "next ",
    "in one hundred and ", "我", "昨天", "from now on always .. ", "'", "de la ", "<a>", "- a\n",
    "a", "e\u0301\u0323", "\ud800 ", "12:30, ", '("',
)  # fmt: skip


def calls(read, text):
    """How many functions are called to read a text that nobody has read before."""
    forget_texts()
    forget_dates()
    count = 0

    def counted(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return count


@rows("name, phrase", paired([*READERS], PHRASES, 4))
def test_work_grows_with_the_text(name, phrase):
    """Four times the text is about four times the work, but for a few rules of short texts."""
    read = READERS[name]
    short, long = ((phrase * size)[:size] for size in (5_000, 20_000))
    calls(read, short)  # words that are met for the first time cost more
    few, many = calls(read, short), calls(read, long)
    assert many <= 4.8 * few + len(long) / 4
