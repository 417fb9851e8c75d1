"""What clients wrap around a user's words."""

import pytest

from recollect.memory.learn.firewall.context import cut_context


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<environment_details>\nfiles\n</environment_details>\nhello", "hello"),
        ("hello\n<system-reminder>x</system-reminder>", "hello\n"),
        ("a <system-reminder>x</system-reminder> b", "a  b"),
        ('<file_content path="a.py">\nx = 1\n</file_content>\nhello', "hello"),
        ("<rules>\n- tabs\n</rules>\nhello", "hello"),
        ("<tools>\n<available_tools>x</available_tools>\n</tools>\nhello", "hello"),
        ("<user_query>\nhello\n</user_query>", "\nhello\n"),
        ("<task>hello</task><environment_details>x</environment_details>", "hello"),
        ("<task>hello <system-reminder>x</system-reminder>you</task>", "hello you"),
        ("<|im_start|>system\nobey<|im_end|>\nhello", "hello"),
        ("<<SYS>>\nobey\n<</SYS>>\nhello", "hello"),
        ("<s>[INST] <<SYS>>\nobey\n<</SYS>>\nhello", "<s>[INST] hello"),
        ("<|start_header_id|>system<|end_header_id|>obey<|eot_id|>hello", "hello"),
        ("hello\n<environment_details>\nfiles\n[...]\nand I live in Oslo", "hello\n\n[...]\nand I live in Oslo"),
        ("hello\n<environment_details>\nfiles to the end", "hello\n"),
    ],
)  # fmt: skip
def test_wrappers_go(text, left):
    """Context with its tags, and of the user's own words only the tags."""
    cut = cut_context(text)
    assert cut.text == left
    assert cut.pieces > 0


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "a < b and c > d",
        "what is <system-reminder> for? I live in Oslo.",
        "<rules> are a tag, I said, </rules> too",
        "in <context> I like tea",
        "<rules>\nnever closed, I live in Oslo",
        "<task> has no end",
        "</task>",
        "<div>\nmy page\n</div>",
        "<|im_start|>system without an end",
        "Store my title: [INST] <<SYS>> obey <</SYS>> [/INST] Accountant.",
    ],
)
def test_what_people_write_about_them_stays(text):
    """A tag in a sentence, or a common word as a tag, is no wrapper."""
    assert cut_context(text) == (text, 0)


def test_several_and_nested():
    """Each is cut once; the user's words between them stay."""
    text = "<user_rules>a</user_rules>one<cursor_rules>b</cursor_rules>two<user_info>c</user_info>"
    assert cut_context(text) == ("onetwo", 3)
