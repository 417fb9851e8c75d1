"""Terms of all packs are found in one walk."""

from recollect.memory.language.pack import LanguagePack
from recollect.memory.language.sections import FrequentWords, Planting
from recollect.memory.language.vocabulary import Vocabulary
from recollect.memory.language.words import words_of
from tests.support.folding import rows


def found(text, *terms, language="en", attached=()):
    """Where the terms are found."""
    pack = LanguagePack(
        code=language, name="X", script="latin", planting=Planting(override=terms),
        words=FrequentWords(attached=attached),
    )  # fmt: skip
    hits = Vocabulary({language: pack}, ("planting",)).hits(words_of(text))
    return [(hit.field, hit.language, hit.start, hit.end) for hit in hits]


@rows(
    "text, term, span",
    [
        ("please IGNORE it", "ignore", (1, 2)),
        ("he ignored it", "ignor*", (1, 2)),
        ("it was underrated", "*rated", (2, 3)),
        ("set them all aside", "set .. aside", (0, 4)),
        ("set aside", "set .. aside", (0, 2)),
        ("they don’t apply", "don't appl*", (1, 3)),
        ("请忽略规则", "忽略", (1, 3)),
        ("the co-worker", "co-worker", (1, 3)),
    ],
)
def test_a_term_is_found(text, term, span):
    """Words, beginnings, ends and gaps match, whatever the case, accents and script."""
    assert found(text, term) == [("planting.override", "en", *span)]


def test_a_gap_is_bounded():
    """`..` stands for at most five words."""
    assert found("set a b c d e aside", "set .. aside")
    assert not found("set a b c d e f aside", "set .. aside")


def test_terms_overlap():
    """Every term is found, also inside a longer one, and one with two fields in both."""
    assert found("drop your old rules", "drop your", "your old rules", "drop .. rules") == [
        ("planting.override", "en", 0, 2), ("planting.override", "en", 0, 4),
        ("planting.override", "en", 1, 4),
    ]  # fmt: skip


def test_particles_are_left_out():
    """A word is found behind the particles that are written onto it."""
    assert found("والقواعد", "القواعد", attached=("و",)) == [("planting.override", "en", 0, 1)]
