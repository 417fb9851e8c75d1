"""Whose fact a memory is."""

import pytest

from recollect.memory.recall.holder import is_of_somebody_else


@pytest.mark.parametrize(
    "text",
    [
        "User's sister Marta is allergic to nuts",
        "La hermana del usuario es alérgica a las nueces",
        "Der Bruder des Nutzers hat Blutgruppe A",
        "用户的妹妹对花生过敏",
        "ユーザーの母は看護師だ",
        "Kullanıcının annesi Bursa'da yaşıyor",
        "My sister moved to Porto",
    ],
)
def test_a_fact_of_a_relative(text):
    """In third person as it is stored, or in the user's own words."""
    assert is_of_somebody_else(text)


@pytest.mark.parametrize(
    "text",
    [
        "User is allergic to nuts",
        "User visits their mother on Sundays",
        "I told my sister about the trip",
        "User's sister Marta is allergic to nuts. " * 20,
        "",
    ],
)
def test_a_fact_of_the_user(text):
    """A mention of somebody is none of theirs, and a long text is about more than one thing."""
    assert not is_of_somebody_else(text)
