"""A stored text and the names in it."""

from recollect.memory.forget.text import Text, tokens_of


def test_words_without_what_hangs_on_them():
    """Genitives, elided articles and endings behind an apostrophe; not an Irish name."""
    text = "Anna's flat, l'ami d'Alice, Mehmet'in evi, O'Brien, 张伟さん"
    words = [each.text for each in tokens_of(text)]
    assert words == [
        "Anna", "flat", "ami", "Alice", "Mehmet", "evi", "O'Brien", "张伟", "さん"
    ]  # fmt: skip


def test_a_small_letter_is_no_name_where_capitals_are_written():
    """Who writes none at all means the name all the same."""
    assert not Text("We had a frank talk.").holds(("Frank",))
    assert Text("we met frank yesterday").holds(("Frank",))
