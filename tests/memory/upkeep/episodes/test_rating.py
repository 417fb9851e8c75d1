from recollect.memory.upkeep.episodes.rating import LEAST, MOST, by_signs, rating_in
from tests.memory.learn.extract.turns import talk
from tests.support.folding import rows


@rows(
    "said, importance",
    [
        ("Importance: 1", 0.1),
        ("importance: 7.", 0.7),
        ("**Importance:** 10", 1.0),
        ("Importance: 8/10", 0.8),
        ("- Importance = 6", 0.6),
        ("Importance: 7,5", 0.75),
    ],
)
def test_a_number_from_1_to_10_is_a_rating(said, importance):
    """The line is taken out of the text, and the number becomes a share."""
    assert rating_in(f"User moved.\n{said}") == ("User moved.", importance)


@rows(
    "said",
    [
        *("Importance: 0", "Importance: 11", "Importance: -3", "Importance: 99999999999"),
        *("Importance: high", "Importance:", "Importance: 5 or 6", "Importance: 1e1"),
        "Importance: 10.10.2026",
    ],
)
def test_anything_else_is_none(said):
    """A rating that cannot be used is taken out of the text all the same."""
    assert rating_in(f"User moved.\n{said}") == ("User moved.", None)


def test_signs_rank_a_talk_with_details_above_one_without():
    """More words, names, numbers and important facts make an episode more important, in bounds."""
    little = by_signs(talk("hm ok"))
    much = "I signed the contract for 450000 EUR with Ada Lovelace on 3 May 2026 in Basel. "
    more = by_signs(talk(much))
    learned = by_signs(talk(much), [0.2, 0.9])
    assert LEAST <= little < more < learned <= MOST
    assert by_signs(talk(*[much + str(n) for n in range(300)]), [1.0, 5.0][:1]) <= MOST
    assert by_signs([]) == LEAST
