"""What is told by meaning: whom a request is for, what constrains, what wishes."""

import numpy as np
import pytest

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.embedders import FakeEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.recall.examples import (
    CHANGES,
    CHAT,
    CONSTRAINTS,
    FACTS,
    IMPERSONAL,
    PRIVATE,
    QUESTIONS,
    REQUESTS,
    WISHES,
)
from recollect.memory.recall.prototypes import PERSONAL, WISHED, Likeness, Prototypes


@pytest.fixture
async def prototypes():
    return await Prototypes.of(FakeEmbedder(), SAFE)


async def test_a_request_is_of_its_own_topic(prototypes):
    """And what is the same whoever asks has none."""
    for topic, texts in REQUESTS.items():
        for vector in await FakeEmbedder().embed(texts):
            assert topic in prototypes.asked(vector).topics
    for vector in await FakeEmbedder().embed(IMPERSONAL):
        meant = prototypes.asked(vector)
        assert (meant.topics, meant.personal) == (frozenset(), False)
        assert meant.depends < 0


async def test_a_question_about_ones_own_things_depends_on_who_asks(prototypes):
    """By how much, evidence counts; one about what was once so is told apart."""
    for texts, past in ((QUESTIONS, False), (CHANGES, True)):
        for vector in await FakeEmbedder().embed(texts):
            meant = prototypes.asked(vector)
            assert meant.past is past
            assert past or (meant.personal and meant.depends >= PERSONAL)


async def test_private_statements_are_told(prototypes):
    """Health, money, fear and trouble in the family, and no other fact."""
    for texts, private in ((PRIVATE, True), (CHAT, False)):
        for vector in await FakeEmbedder().embed(texts):
            assert prototypes.told(vector).private is private


async def test_a_constraint_bears_on_what_stands_beside_it(prototypes):
    """And tells the trait that it stands below."""
    for trait, told in CONSTRAINTS.items():
        vectors = await FakeEmbedder().embed(list(told))
        for vector, topics in zip(vectors, told.values(), strict=True):
            meant = prototypes.told(vector)
            assert set(topics.split()) <= meant.bears_on
            assert meant.trait == trait


async def test_other_statements_bear_on_nothing(prototypes):
    """Facts have their trait, small talk has none, and neither is a wish."""
    for trait, texts in {**FACTS, "": CHAT}.items():
        for vector in await FakeEmbedder().embed(texts):
            meant = prototypes.told(vector)
            assert (meant.trait, meant.bears_on) == (trait, frozenset())
            assert meant.wished < WISHED


async def test_wishes_are_nearer_to_wishes(prototypes):
    """By a clear margin, since they go with every message."""
    for vector in await FakeEmbedder().embed(WISHES):
        assert prototypes.told(vector).wished > WISHED


def test_what_is_not_embedded_yet_means_nothing(prototypes):
    """Its vector is zero."""
    assert prototypes.told(np.zeros(384, np.float32)) == Likeness()


@pytest.fixture(params=["pair", "use"])
async def real(models_dir, request):
    """An embedder that compares texts of several languages, and its examples."""
    options = LocalEmbedderOptions(model=request.param, model_dir=models_dir)
    embedder = await open_embedder(options)
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    yield embedder, await Prototypes.of(embedder, calibration)
    await embedder.close()


async def test_who_is_asked_for_is_told_across_languages(real):
    """The examples are English; the half of a vector that knows more languages compares."""
    embedder, prototypes = real
    for own, anybodys in (
        ("Schlag mir ein Abendessen vor", "Wer hat das Radio erfunden?"),
        ("¿Qué puedo cocinar esta noche?", "¿Cuándo se construyó la catedral?"),
        ("Посоветуй отель на выходные", "Почему море солёное?"),
        ("今晩の夕食に何を作ればいいですか？", "地球から月までの距離は？"),
        ("推荐一家餐厅吃晚饭", "谁发明了电话？"),
        ("اقترح عليّ وصفة للعشاء", "من اخترع الهاتف؟"),
    ):
        first, second = await embedder.embed([own, anybodys])
        assert prototypes.asked(first).topics & {"food", "travel"}, own
        assert not prototypes.asked(second).topics, anybodys


async def test_constraints_are_told_across_languages(real):
    """Of all that people say."""
    embedder, prototypes = real
    assert {"de", "fr", "it", "ru", "ja", "ko"} <= prototypes.languages
    for constraint, fact in (
        ("Ich vertrage keine Milch", "Mein Bruder wohnt in Köln"),
        ("Je suis végétarienne", "Ma sœur joue du piano"),
        ("Sono allergico alle noci", "Ieri siamo andati al cinema"),
        ("У меня диабет", "Моя сестра живёт в Казани"),
        ("私は卵アレルギーです", "昨日映画を見ました"),
        ("저는 견과류 알레르기가 있어요", "어제 친구를 만났어요"),
    ):
        first, second = await embedder.embed([constraint, fact])
        assert "food" in prototypes.told(first).bears_on, constraint
        assert prototypes.told(second).bears_on == frozenset(), fact
