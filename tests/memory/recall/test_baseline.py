"""How near a memory is beside what is usual, and what that gives a store of one memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import StoredMemory
from recollect.memory.recall import HotIndexes, Recaller, RecallOptions
from recollect.memory.recall.baseline import NO_THEME, SimilarityBaseline, Themes
from recollect.memory.recall.index.user_index import USUAL_BYTES
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, item, real_embedder
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories


def angles(*degrees):
    return np.array([angle(each) for each in degrees])


THEMES = Themes.of({"tea": (angles(0), angles(10)), "sea": (angles(90), angles(100))}, 0.1)


def background(*, statements=(60, 90, 120), questions=(60, 90, 120), part=slice(None)):
    """Statements and questions at these angles."""
    return SimilarityBaseline(part, angles(*statements), angles(*questions), THEMES)


def test_what_is_near_to_everything_is_near_to_nothing():
    """Of two lines as near to the question, the one that all questions are near to is less."""
    among = background(questions=(30, 31, 33))
    _, (usual, rare), _ = among.nearness(angles(0), angles(20, -20))
    assert usual < rare


def test_a_line_of_the_questions_theme_is_likelier_than_by_chance():
    """However far it is from the question itself; one of another theme is less likely."""
    *_, lift = background().nearness(angles(-30), angles(40, 130))
    assert lift[0] > 0 > lift[1]
    assert lift[1] == pytest.approx(NO_THEME, abs=0.1)


VECTORS = arrays(np.float32, (3, 2), elements=st.floats(-8, 8, width=32))
NONE, HARDLY_ANY = (np.full((3, 2), number, np.float32) for number in (0.0, 2.2280109e-28))


@given(VECTORS, VECTORS, VECTORS)
@example(NONE, HARDLY_ANY, NONE)
def test_any_vectors_have_a_nearness(asked, lines, usual):
    """Also those without a length, and a background that is all the same."""
    unit = background()._unit(usual)
    for told in SimilarityBaseline(slice(None), unit, unit, THEMES).nearness(asked, lines):
        assert told.shape == (3,)
        assert np.isfinite(told).all()


async def test_each_embedder_has_a_background():
    """Of the examples; a question that it has is nearer to its answer than to any statement."""
    embedder = FakeEmbedder()
    usual = (await Prototypes.of(embedder, SAFE)).background
    assert min(len(usual.statements), len(usual.questions)) > 50
    for known in (usual.statements, usual.questions):
        assert np.linalg.norm(known, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert usual.of_lines(usual.questions[:1]).nbytes <= USUAL_BYTES
    asked, answer, other = await embedder.embed(
        ["Where do I keep the violet canoe?", "The violet canoe is in the barn", "It rained"]
    )
    *both, _ = usual.nearness(asked[None], np.array([answer, other]))
    for told in both:
        assert told[0] > 2.0 > told[1]


@pytest.fixture
async def asked(models_dir):
    """What a store of these memories gives for a question, by the real embedder."""
    embedder, calibration = await real_embedder(models_dir)
    prototypes = await Prototypes.of(embedder, calibration)

    async def of(question, *memories, **options):
        store = InMemoryMemories(dim=embedder.dim)
        vectors = await embedder.embed(memories)
        told = [item(text, minutes=number) for number, text in enumerate(memories)]
        await store.put([StoredMemory(i, v) for i, v in zip(told, vectors, strict=True)])
        chosen = RecallOptions(**options)
        recaller = Recaller(
            HotIndexes(store, dim=embedder.dim), embedder, ApproximateCounter(),
            chosen, calibration=calibration, clock=lambda: NOON,
        )  # fmt: skip
        recaller._prototypes = prototypes
        await recaller.prepare()
        return [hit.item.text for hit in (await recaller.recall(ALICE, question)).chosen]

    return of


@rows(
    "memory, question",
    [
        ("User moved to Madrid", "Where do I live?"),
        ("User works at Globex as a data scientist", "What is my job?"),
        ("User and Tom got divorced", "Am I married?"),
        ("User hat eine Katze namens Minka", "Wie heißt meine Katze?"),
        ("L'utilisateur habite à Lyon", "Où est-ce que j'habite ?"),
        ("El usuario trabaja de enfermero", "¿En qué trabajo?"),
    ],
)
async def test_the_plain_question_is_answered_by_a_store_of_one_memory(asked, memory, question):
    """However small the store is, and also where no word is shared."""
    assert await asked(question, memory) == [memory]


@rows(
    "memory, question",
    [
        ("User likes jazz", "What is my cat's name?"),
        ("User likes jazz", "Translate this sentence into French"),
        ("User moved to Madrid", "Convert 5 miles to km"),
        ("User plays chess on Sundays", "What is the capital of Peru?"),
        ("User mag Jazz", "Wie viele Meter hat eine Meile?"),
    ],
)
async def test_a_store_of_one_memory_gives_nothing_that_does_not_bear(asked, memory, question):
    """Nothing else is stored, and still it is no answer."""
    assert await asked(question, memory) == []


PERSON = (
    "User lives in Porto", "User works as a nurse", "User has a dog named Rex",
    "User plays chess on Sundays", "User drives an old red van", "User is reading Middlemarch",
    "User's sister studies law", "User grows tomatoes on the balcony", "User swims twice a week",
    "User was born in Ghent",
)  # fmt: skip


async def test_a_question_gets_what_it_asks_for_and_no_more(asked):
    """Of ten memories; the rest of the budget stays unused."""
    assert await asked("What is my dog's name?", *PERSON) == [PERSON[2]]
    assert await asked("Convert 5 miles to km", *PERSON) == []


@rows(
    "message, memory, bears",
    [
        ("I bought a boat today.", "I'm saving for a camper van", False),
        ("J'ai acheté une nouvelle lampe.", "Je travaille comme architecte à Lyon", False),
        ("Fui ao dentista ontem.", "Tenho um exame de condução no dia 14", False),
        ("Ich habe heute ein neues Handy gekauft.", "Ich lerne seit einem Jahr Gitarre", False),
        ("Alba ha suspendido un examen.", "Mi hija Alba estudia chino", True),
        ("大黄今天站不起来了。", "我们家的狗叫大黄，今年十四岁", True),
        ("Murat turşunun hepsini bitirdi.", "Eşim Murat tansiyon hastası", True),
        ("Kit lost his job this week.", "Our son Felix has a peanut allergy", False),
        ("Me he comprado un paraguas.", "Tengo alergia al polen", False),
        ("I'm hungry.", "I am allergic to peanuts", True),
        ("I started running every morning.", "I have a bad knee", True),
    ],
)
async def test_who_only_tells_is_given_what_their_matter_is(asked, message, memory, bears):
    """That a message is the user's own is no evidence where it asks for nothing."""
    assert await asked(message, memory) == [memory] * bears
