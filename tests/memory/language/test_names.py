"""Who or what a text names."""

import pytest

from recollect.memory.language import names_in, speaker_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Caroline: Hey Mel!", "caroline"),
        ("  José: hola", "jose"),
        ("Mary Ann Lee: hi", "mary ann lee"),
        ("Ludwig van Beethoven: ja", "ludwig van beethoven"),
        ("小明：你好", "小明"),
        ("Note: buy milk", None),
        ("My address: 5 Elm Street", None),
        ("He told me about it yesterday: nothing", None),
        ("budget: 500", None),
        ("https://example.org", None),
        ("12:30 pm", None),
        ("", None),
    ],
)
def test_speaker_of(text, name):
    """At most three words before a colon that can be a name."""
    assert speaker_of(text) == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("When did Melanie's son visit Paris?", {"melanie", "paris"}),
        ("Caroline: Hey Mel! We went to New York.", {"caroline", "mel", "new", "york"}),
        ("Then I'm off. The end", set()),
        ("Caroline's hobby? What's that", {"caroline"}),
        ("nothing here", set()),
        ("Где живёт Иван?", {"иван"}),
        ("我喜欢北京", set()),
    ],
)
def test_names_in(text, names):
    """Capitals at a sentence's start say nothing, and function words name nobody."""
    assert names_in(text) == names
