"""Which texts are of a kind that waits, on rows that were written after the rule was made.

With `-s` the figures of each language are shown.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn import ReviewedText, ReviewKinds
from recollect.memory.learn.reconcile.denial_quotes import quotes_denial, repeats
from recollect.memory.model.claims import NO_CLAIMS
from recollect.memory.model.types import MemoryItem, Provenance
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.trust.options import ReviewKind
from tests.memory.learn.doubles import ALICE, NOON, a_memory
from tests.memory.recall.memories import real_embedder
from tests.support.folding import rows
from tests.support.tables import tables

WRITTEN = tables(__file__)
"""By kind and language."""
EVERY = dict.fromkeys([kind.value for kind in ReviewKind], 14.0)
LEAST = {"health": 0.9, "money": 0.88, "other_people": 0.85, "wishes": 0.8}
"""Of the rows of a kind, that wait."""
PRECISE = {"health": 0.78, "money": 0.9, "other_people": 0.9, "wishes": 0.95}
"""Of what waits as a kind, that is of it; "my father has dementia" is of two."""
MOST_HELD = 0.08
"""Of the rows of no kind, that wait."""


async def test_the_kinds_wait_and_ordinary_statements_do_not(models_dir: Path) -> None:
    """In six languages, what the user says and what a model notes, by the real weights."""
    embedder, calibration = await real_embedder(models_dir)

    async def prototypes() -> Prototypes:
        return await Prototypes.of(embedder, calibration)

    kinds = ReviewKinds(EVERY, embedder, prototypes)
    await kinds.prepare()
    right, all_, waits = Counter[str](), Counter[str](), Counter[str]()
    for name, texts in WRITTEN.items():
        kind, language = name.split()
        vectors = await embedder.embed(texts)
        told = zip(texts, vectors, strict=True)
        found = [kinds.of(ReviewedText(text, vector)) for text, vector in told]
        waits.update(str(each) for one in found for each in one)
        hits = sum(bool(one) if kind == "none" else kind in one for one in found)
        right[kind], all_[kind] = right[kind] + hits, all_[kind] + len(texts)
        print(f"{kind:13} {language} {hits:3} of {len(texts)}")
    for kind, least in LEAST.items():
        assert right[kind] >= least * all_[kind], kind
        assert right[kind] >= PRECISE[kind] * waits[kind], kind
    assert right["none"] <= MOST_HELD * all_["none"]


@rows(
    "told, subject, kind",
    [
        ("User has diabetes", None, "health"),
        ("User's boss is retiring in April", "User's boss", "other_people"),
        ("My sister moves to Leeds", None, "other_people"),
        ("Always answer in German.", None, "wishes"),
    ],
)
async def test_without_a_known_embedder_words_and_subjects_tell(
    told: str, subject: str | None, kind: str
) -> None:
    """What needs meaning then acts at once: money, and most of health."""

    async def nothing() -> None:
        return None

    kinds = ReviewKinds(EVERY, FakeEmbedder(), nothing)
    [vector] = await FakeEmbedder().embed([told])
    assert kind in kinds.of(ReviewedText(told, vector, subject=subject, claims=NO_CLAIMS))
    assert kinds.of(ReviewedText("User likes jazz", vector)) == frozenset()
    assert kinds.of(ReviewedText("Do I have diabetes?", vector)) == frozenset()


def refused(text: str, quote: str | None = None) -> MemoryItem:
    return a_memory("m", text, ALICE, NOON, provenance=Provenance(quote=quote))


@rows(
    "text, known, quote",
    [
        ("user has DIABETES", "User has diabetes.", None),
        ("I have diabetes", "User has diabetes", None),
        ("User has type 2 diabetes", "User has diabetes, type two", "User has type 2 diabetes"),
    ],
)
def test_the_same_words_are_the_same(text: str, known: str, quote: str | None) -> None:
    """By whoever they are told, and by the words that it was learned from."""
    assert repeats(text, [refused(known, quote)])


@rows(
    "text, known, quote",
    [
        ("User stretches before a run", "User stretches after a run", None),
        (
            "User took the train from Split to Zagreb",
            "User took the train from Zagreb to Split",
            None,
        ),
        ("I do not have diabetes", "User has diabetes", None),
        ("User's rent is 950 euros", "User's rent is 900 euros", None),
        ("Yes", "User has diabetes", "Yes"),
    ],
)
def test_what_is_true_and_different_is_not(text: str, known: str, quote: str | None) -> None:
    """Neither another order, nor a denial, another number, or a short answer."""
    assert not repeats(text, [refused(known, quote)])


def test_no_row_refuses_another() -> None:
    """Of 120 rows of each kind none says what another says, in its language."""
    for texts in WRITTEN.values():
        for text in texts:
            others = [refused(other) for other in texts if other != text]
            assert not repeats(text, others), text
            assert quotes_denial(text, text)
