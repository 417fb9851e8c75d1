"""What an answer says to a proposal to forget."""

import pytest

from recollect.memory.embedders import open_embedder
from recollect.memory.embedders.local.options import LocalEmbedderOptions
from recollect.memory.forget.by_chat.consent import Consent, consent_of, is_ours, named_by
from recollect.memory.forget.by_chat.linear_heads import LinearHeads
from recollect.memory.language.message.consent import reply_in

REQUEST, ASKED = "Please forget that I smoke.", "Shall I forget it?"


@pytest.fixture
async def embedder(models_dir):
    embedder = await open_embedder(LocalEmbedderOptions(model="pair", model_dir=models_dir))
    yield embedder
    await embedder.close()


def answer(text, request=REQUEST, asked=ASKED):
    return reply_in(text, request=request, asked=asked)


def by_words(text, *, ours=True):
    return consent_of(answer(text), [], None, ours=ours)


async def test_any_plain_yes_agrees_and_nothing_else_does(embedder):
    """In the words that people use, in many languages; no word list has most of them."""
    heads = LinearHeads.of(embedder.id)
    said = {
        Consent.YES: (
            "yep", "sure, go on", "ok, bin it", "go for it then", "please do, I feel ill about it",
            "klar, hau weg", "passt schon, raus damit", "venga, quítalo", "allez, vire-le",
            "certo, buttalo", "pode tirar", "doe maar, graag", "うん、消しちゃって", "行,清掉吧", "валяй, стирай",
            "tamam, sil gitsin", "ماشي امسحها",
        ),
        Consent.NO: (
            "nah, leave it", "no wait, leave it, it's a funny story", "hold on", "I like trains",
            "ach nee, lass drin", "mejor no", "finalement non", "meglio di no", "やめとく", "先留着吧",
            "what did I say about it?", "My sister calls on Sundays", "لا خليها",
        ),
        Consent.PART: ("yes but keep the dog", "sí, menos el perro", "ja, außer dem Hund"),
    }  # fmt: skip
    wrong = []
    for right, texts in said.items():
        for text in texts:
            vectors = await embedder.embed([text])
            found = consent_of(answer(text, "", ""), vectors, heads, ours=True)
            if found is not right:
                wrong.append(f"{text}: {found}")
    assert "\n".join(wrong) == ""


def test_without_meaning_only_known_words_agree():
    """What has another word is asked again."""
    assert by_words("yes, forget it") is Consent.YES
    assert by_words("yes, forget the thing with the trains") is Consent.UNSURE
    assert by_words("I like trains") is Consent.NO


def test_a_yes_to_another_question_is_asked_again():
    """Unless it says itself what it agrees to."""
    assert by_words("yes", ours=False) is Consent.UNSURE
    assert by_words("yes, forget it", ours=False) is Consent.YES


async def test_the_question_is_known_by_its_meaning(embedder):
    """Models ask in their own words."""
    heads = LinearHeads.of(embedder.id)
    asked = {
        "Do you want me to drop this note for good?": True,
        "¿Lo quito de mis notas?": True,
        "Shall I write the letter?": False,
        "Möchtest du ein Rezept?": False,
    }
    vectors = await embedder.embed(list(asked))
    found = {text: is_ours(text, v, heads) for text, v in zip(asked, vectors, strict=True)}
    assert found == asked


def test_an_answer_names_lines_by_their_words():
    """And tells whether each of its words is in one."""
    lines = ("I am getting a divorce", "I have a cat called Momo")
    assert named_by(answer("yes, just the divorce"), lines) == ([0], True)
    assert named_by(answer("yes, the divorce and the boat"), lines) == ([0], False)
    assert named_by(answer("yes"), lines) == ([], True)
