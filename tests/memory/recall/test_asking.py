"""What a query is about."""

import pytest

from recollect.memory.language import language_of
from recollect.memory.recall import asking


def speaks_of_user(query):
    return asking.speaks_of_user(query, language_of(query))


@pytest.mark.parametrize(
    "query",
    [
        "What did I tell you about the boiler?",
        "our holiday plans",
        "Was weißt du über meine Schwester?",
        "¿Cuál es mi talla de zapatos?",
        "Quel est le nom de mon chien ?",
        "私の犬の名前は？",
        "Как зовут мою собаку?",
        "Mia sorella ha chiamato?",
    ],
)
def test_the_user_is_spoken_of(query):
    """By a pronoun of the first person of the query's own language."""
    assert speaks_of_user(query)


@pytest.mark.parametrize(
    "query",
    [
        "What is the capital of Peru?",
        "When did World War I end?",
        "Wie hoch ist die Zugspitze?",
        "Who is Mia Farrow?",
        "Dove abita Mia adesso?",
        "法国的首都是哪里？",
        "Сколько лет идёт свет от Солнца?",
    ],
)
def test_the_world_is_spoken_of(query):
    """A word that is a pronoun elsewhere, or a name here, says nothing about the user."""
    assert not speaks_of_user(query)


def test_a_language_without_words_may_speak_of_the_user():
    """Nobody can tell, and the user's memories are asked rather than not."""
    assert speaks_of_user("რა ჰქვია ჩემს ძაღლს?")
