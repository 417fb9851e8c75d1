"""What stands against a value of a fact, and what does not."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.other_values import other_value
from recollect.memory.model.zones import said_at
from tests.support.folding import rows

from .turns import MONDAY, said, turn


def against(user, text):
    told = turn(user)
    return other_value(text, user, said(told), said_at(told))


@rows(
    "user, text",
    [
        ("My rent is 900 euros", "User's rent is 900 EUR"),
        ("It was fifty-five quid", "User paid 55 GBP"),
        ("We've got 2 labs and a beagle", "User has three dogs"),
        ("Sam was born in 2008 and Ezra four years later", "User's son Ezra was born in 2012"),
        ("BP was one thirty over eighty five", "User's blood pressure is 130/85"),
        ("gano mil ochocientos al mes", "User earns 1800 a month"),
        ("Maaşım otuz iki bin", "User's salary is 32,000"),
        ("房贷还剩三十二万", "用户的房贷还剩32万"),
        ("月薪四千", "User earns 4000 a month"),
        ("平成3年生まれです", "User was born in 1991"),
        ("I started in '74", "User started in 1974"),
        ("Meet me at 3 PM", "User meets at 15:00"),
        ("Half past six is best", "User prefers 18:30"),
        ("Dentist at quarter to nine", "User's dentist appointment is at 08:45"),
        ("We close on 6/12", "User's closing is on June 12"),
        ("born on 5 May 1921", "User's grandfather was born on 1921-05-05"),
        ("It is in 3 days", "User has it on 2026-03-05"),
        ("The party is next Friday", "User's party is on 2026-03-13"),
        ("Przeprowadzam się jutro", "User moves on 2026-03-03"),
        ("I have some cats", "User has 3 cats"),
    ],
)
def test_another_form_is_no_other_value(user, text):
    """Values are the same in any form, and what nobody contradicts stands."""
    assert against(user, text) == ""


@rows(
    "user, text",
    [
        ("My budget is 10,000", "User's budget is 15,000"),
        ("I have two cats", "User has 3 cats"),
        ("我家有两只猫", "用户家有四只猫"),
        ("the box weighs 12 kg", "User's box weighs 12 lb"),
        ("I paid 300 euros", "User paid 300 USD"),
        ("Appointment's at 7 pm", "User's appointment is at 7 am"),
        ("It is at 15:00", "User's appointment is at 16:30"),
        ("The race is on 12 October", "User's race is on October 21"),
        ("I met her last year", "User met her in 2011"),
    ],
)
def test_another_value(user, text):
    """A value in the place of another one, in a few words that name it."""
    assert against(user, text)


@given(st.text(), st.text(min_size=1))
def test_any_text(text, user):
    """No text breaks it, and no text stands against itself."""
    batch = said(turn(user))
    other_value(text, user, batch, MONDAY)
