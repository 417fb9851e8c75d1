"""Numbers of documents."""

from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.personal import find_documents
from recollect.memory.trust.redact.prose.terms import prose_of
from tests.support.folding import rows


def found(text):
    """The numbers in a text, in order."""
    return [text[one.start : one.end] for one in find_documents(prose_of(view(text)))]


@rows(
    "text, number",
    [
        ("my passport number is 533401987", "533401987"),
        ("passport no. X1234567, valid until 05/2033", "X1234567"),
        ("issued 2019-03-12, my passport has the number 561984220", "561984220"),
        ("Personalausweis L01X00T47 bis 2031", "L01X00T47"),
        ("паспорт 4509 123456", "4509 123456"),
        ("Steuer-ID 12 345 678 901", "12 345 678 901"),
        ("passport 12.05.2031, number 533401987", "533401987"),
    ],
)
def test_the_number_is_taken_and_nothing_else(text, number):
    """Neither the words before it nor a date beside it."""
    assert found(text) == [number]


def test_a_number_is_never_cut():
    """Whatever its distance from the name is: all of it goes, or nothing."""
    for gap in range(60):
        text = f"passport {'x' * gap} 533401987"
        assert found(text) in ([], ["533401987"])


@rows(
    "text",
    [
        "my passport expires on 2033-05-05",
        "MY PASSPORT EXPIRES ON 05.05.2033 AT 10:30",
        "the passport is valid 2023-2033",
        "my residence permit runs until 20330505",
        "passport photos are 3.5 x 4.5 cm, order 44120",
        "the passport costs €160.00 or 12000 yen",
        "my passport is in the drawer. Order 4471234 arrives",
        "passport control is at gate 10234",
        "护照2033年5月5日到期",
    ],
)
def test_dates_and_other_numbers_stay(text):
    """When a document ends is a fact about the user; amounts and orders are no part of it."""
    assert found(text) == []
