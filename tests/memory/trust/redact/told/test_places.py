"""The words that may be a value."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.trust.redact.told.places import _LONGEST, _TOKEN, _tokens

TEXT = st.lists(
    st.sampled_from(
        [
            "密码",
            "  ",
            "「",
            "」",
            "“",
            "”",
            "a",
            "pin",
            "12",
            "4 5 6 7",
            "は",
            "ー9988",
            "\n",
            "‘",
            "'",
            '"',
            ":",
        ]
    )
    | st.text(max_size=2),
    max_size=30,
).map("".join)


@given(TEXT, st.data())
def test_tokens_are_those_of_a_search(text, data):
    """Looked for place by place, they are what one search over the text would find."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    searched = _TOKEN.finditer(text, start, min(len(text), end + _LONGEST))
    assert [match.span() for match in _tokens(text, start, end)] == [
        match.span() for match in searched if match.start() < end
    ]
