"""Names and numbers that a text has and others have not."""

from __future__ import annotations

import pytest

from recollect.memory.upkeep.added import adds_name, adds_value, tells_names

TEXTS = ["User sold the car in 2023 for 4,000 EUR", "User visits Marta in Turin at 7 pm"]


@pytest.mark.parametrize(
    ("text", "adds"),
    [
        ("User visits Marta", False),
        ("User visits marta in TURIN", False),
        ("User visits Paolo", True),
        ("User drives to Berlin", True),
        ("Der Nutzer besucht am Abend seinen Freund Dieter in der Stadt", False),
        ("用户去柏林", False),
    ],
)
def test_names(text, adds):
    """As far as capitals tell them."""
    assert adds_name(text, TEXTS) is adds


@pytest.mark.parametrize(
    ("text", "adds"),
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


def test_where_names_can_be_told():
    """Not where every noun has a capital, nor where no word has one."""
    assert tells_names("User visits Marta in Turin")
    assert not tells_names("Der Nutzer besucht seine Tante in der Stadt")
    assert not tells_names("用户去柏林看朋友")
