"""Numbers that a text has and others have not."""

from __future__ import annotations

from recollect.memory.upkeep.added_numbers import adds_value
from tests.support.folding import rows

TEXTS = ["User sold the car in 2023 for 4,000 EUR", "User visits Marta in Turin at 7 pm"]


@rows(
    "text, adds",
    [
        ("User sold the car in 2023", False),
        ("User got 4000 EUR", False),
        ("User got 4 thousand EUR", False),
        ("User got 5,000 EUR", True),
        ("User sold two cars", True),
        ("User sold a car", False),
        ("The code is A17", True),
    ],
)
def test_numbers(text, adds):
    """In whatever form they are written."""
    assert adds_value(text, TEXTS) is adds
