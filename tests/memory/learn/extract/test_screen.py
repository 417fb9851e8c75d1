import pytest

from recollect.memory.learn.extract.prompts import EXTRACTION_PROMPT
from recollect.memory.learn.extract.screen import MAX_FACT_CHARS, is_echo, reason_against


@pytest.mark.parametrize(
    "text",
    [
        "User is Bob",
        "用户叫王小明",
        "User's email is bob@example.org",
        "User prefers `uv run pytest -q` to pytest",
        "User's budget is 4,000 EUR (excl. VAT)",
        "The assistantship of User ends in May",
    ],
)
def test_what_may_be_a_fact(text):
    """Facts of any language pass, with figures and code in them too."""
    assert reason_against(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * (MAX_FACT_CHARS + 1), "too_long"),
        ("12345", "not_text"),
        ("== -- ==> || a", "not_text"),
        ("<html><body>Bad Gateway</body></html>", "not_text"),
        ('{"text": "User is Bob"}', "not_text"),
        ("very " * 40, "not_text"),
        ("None", "boilerplate"),
        ("n/a", "boilerplate"),
        ("No facts found.", "boilerplate"),
        ("The assistant suggested Lisbon", "boilerplate"),
        ("User asked a question about Python", "boilerplate"),
    ],
)
def test_what_is_none(text, reason):
    """Documents, markup, loops, placeholders and reports of the talk are no facts."""
    assert reason_against(text) == reason


def test_lesson_1_our_own_words_are_no_facts():
    """Small models repeat the examples of their instructions, ours or a caller's."""
    assert "Lisbon offsite" in EXTRACTION_PROMPT
    assert is_echo("User's budget for the Lisbon offsite is 4,000 EUR")
    assert is_echo("Remember that pets matter most!", "... Remember that pets matter most ...")
    assert not is_echo("User")
    assert not is_echo("User's budget for the Porto offsite is 4,000 EUR")
