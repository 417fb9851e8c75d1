"""What is cut out of a message because others wrote it."""

from recollect.memory.language.pasted import begins_letter, own_words


def test_short_quotations_stay():
    """Names and nicknames are quoted too; whole sentences in quotation marks are others'."""
    own = own_words(
        'They call me "Fin" here, and he said "I am going to move to Oslo next summer".'
    )
    assert '"Fin"' in own.text
    assert "Oslo" not in own.text


def test_code_is_noted():
    """What stands beside code is the user's, and the code is not."""
    own = own_words("I get this error\n\nTraceback (most recent call last):\n  foo()\n\nin my shop")
    assert own.works
    assert "Traceback" not in own.text
    assert "in my shop" in own.text


def test_text_after_an_order_is_handed_over():
    """What comes before the order stays."""
    own = own_words("I'm Ana from Porto.\n\nProofread this:\n\nMy name is Bob.")
    assert "Ana" in own.text
    assert "Bob" not in own.text


def test_a_letter_is_known_by_its_beginning():
    """In the language that it is written in."""
    assert begins_letter("Sehr geehrte Frau Holm, ich wohne in Oslo.")
    assert not begins_letter("Hi, I live in Oslo.")
