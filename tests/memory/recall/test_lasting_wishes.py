"""What stands: lasting wishes about answers, and nothing that is only near to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.lasting_wishes import is_lasting_wish, may_last
from recollect.memory.recall.prototypes import Likeness, Prototypes
from recollect.memory.recall.traits import WISH, traits_of
from tests.memory.recall.memories import real_embedder
from tests.support.folding import rows

WISHES = (
    "Always answer in German.",
    "Please keep your answers short from now on.",
    "User wants answers in bullet points.",
    "User prefers that the assistant never uses emojis in its answers.",
    "Call me Captain from now on.",
    "Bitte antworte mir immer kurz.",
    "Antworte mir ab jetzt nur noch auf Deutsch.",
    "Responde siempre con frases cortas.",
    "Réponds toujours en français.",
    "Rispondi sempre in modo breve.",
    "回答はいつも短くしてください。",
    "以后回答不要用列表。",
)
"""Orders and wishes to the assistant that are to last."""
ORDINARY = (
    "User believes kindness matters.",
    "User apologised to a neighbour.",
    "User took up pottery last spring.",
    "User prefers short meetings.",
    "User always answers emails in the morning.",
    "User's daughter prefers being called Mimi.",
    "User's boss wants all reports in English.",
    "User never drinks coffee in meetings.",
    "User is allergic to peanuts.",
    "User mag kurze Wege zur Arbeit.",
    "User findet Ehrlichkeit wichtiger als Höflichkeit.",
    "El usuario cree que la paciencia es importante.",
    "L'utilisateur aime les livres courts.",
    "User keeps a motto in her bullet diary and never forgets it.",
    "ユーザーは毎朝短い散歩をする。",
    "用户喜欢简短的会议。",
)
"""Values, habits, feelings, constraints and other people's wishes."""
ONCE = (
    "Make it shorter.",
    "Translate this letter into French.",
    "Write a short poem about the sea.",
    "Übersetze diesen Satz ins Englische.",
)
"""What is wanted of one answer."""


@pytest.fixture
async def meant(models_dir):
    """The meaning of a text, by the real embedder."""
    embedder, calibration = await real_embedder(models_dir)
    prototypes = await Prototypes.of(embedder, calibration)

    async def of(text):
        [vector] = await embedder.embed([text])
        return prototypes.told(vector)

    return of


@rows(
    "text, wish",
    [*((text, True) for text in WISHES), *((text, False) for text in ORDINARY + ONCE)],
)
async def test_only_a_lasting_wish_about_answers_stands(meant, text, wish):
    """In any language; not what is only near to one, and not what is wanted once."""
    assert is_lasting_wish(text, await meant(text), learned=False) is wish


@rows(
    "text, wish",
    [
        ("User wants answers without emojis", True),
        ("User likes answers with examples", True),
        ("User believes kindness matters.", False),
        ("User deploys on Fridays after the tests pass", False),
    ],
)
async def test_what_a_model_learned_as_a_way_to_answer_needs_less(meant, text, wish):
    """It has judged too; of other ways to do something none stands."""
    meaning = await meant(text)
    assert is_lasting_wish(text, meaning, learned=True) is wish
    assert is_lasting_wish(text, meaning, learned=True) >= is_lasting_wish(
        text, meaning, learned=False
    )


@given(st.sampled_from(ORDINARY[:4]), st.floats(0, 1), st.floats(-1, 1))
def test_likeness_alone_makes_nothing_stand(text, wished, ordinary):
    """However near to the examples of wishes a text without their words is."""
    assert not may_last(text)
    assert not is_lasting_wish(text, Likeness(wished=wished, ordinary=ordinary), learned=False)


@rows("text", ["User never uses emojis at work.", "User's landlord is very formal."])
def test_a_word_that_several_languages_have_is_one(text):
    """Two words about form are a wish; "emojis" is the same one in English and Turkish."""
    assert "manner" in traits_of(text)
    assert WISH not in traits_of(text)
    assert WISH in traits_of("User wants a formal tone and no emojis.")


def test_without_meaning_the_words_of_a_wish_must_be_there():
    """Where an embedder does not know the language."""
    assert is_lasting_wish("Always answer in German.", None, learned=False)
    assert not is_lasting_wish("User prefers short meetings.", None, learned=False)
