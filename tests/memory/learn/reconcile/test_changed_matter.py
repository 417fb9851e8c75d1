"""Words of change: what tells one, and what it is taken to be about."""

from recollect.memory.learn.reconcile.changed_matter import is_changed, tells_change
from tests.support.folding import rows


@rows(
    "text",
    [
        "User no longer smokes",
        "I used to smoke",
        "We moved to Hull in spring",
        "I switched to Emacs",
        "Wir sind nach Fulda umgezogen",
        "Die Nutzerin isst keinen Fisch mehr",
        "L'utilisateur ne boit plus de café",
        "El usuario ya no fuma",
        "L'utente non mangia più carne",
        "A usuária não trabalha mais à noite",
        "Он больше не курит",
        "我不再喝咖啡了",
    ],
)
def test_a_change_is_told(text):
    """In each language by the words of its pack."""
    assert tells_change(text)


@rows(
    "text",
    [
        "User smokes",
        "User does not smoke",
        "I don't take sugar",
        "Der Nutzer raucht nie",
        "Je ne joue pas aux échecs",
        "L'utilisateur n'aime pas les tomates",
        "Ya tengo dos gatos",
        "我不喝咖啡",
        "",
    ],
)
def test_a_plain_denial_is_no_change(text):
    """It says what is not so, and nothing of before."""
    assert not tells_change(text)


@rows(
    "new, old, shared, level, changed",
    [
        ("I no longer play", "I play golf", "play", 0.31, True),
        ("I no longer play", "I play golf", "play", 0.29, False),
        ("I no longer play", "I play golf", "", 0.6, False),
        ("I no longer play", "I play golf", "", 0.96, True),
        ("我不再喝茶", "我喝咖啡", "喝", 0.6, False),
        ("User moved to Lyon", "User lives in Bonn", "", 0.51, True),
        ("User moved to Lyon", "User lives in Bonn", "", 0.49, False),
        ("User moved to Lyon", "User likes Bonn", "", 0.6, False),
        ("User's brother moved to Lyon", "User lives in Bonn", "", 0.99, False),
        ("User's brother moved to Lyon", "User's brother lives in Bonn", "", 0.6, True),
    ],
)
def test_what_it_is_about(new, old, shared, level, changed):
    """A shared word, a home in both, or great nearness; and nobody whom the other does not name."""
    terms = {shared, "one"} - {""}
    assert is_changed(new, terms, old, {shared, "other"} - {""}, level) is changed
