"""What users paste from others."""

import pytest

from recollect.memory.learn.firewall.quoted import Spoken, cut_quotes
from recollect.memory.learn.firewall.restated import Recalled

SAID = "The night train to Bodø leaves at 23:35. The cabin costs 1,190 kroner in high season. 我们明天早上九点出发去机场。"
KNOWN = Recalled(["User lives in Oslo", "I live in Oslo"])


def cut(text):
    spoken = Spoken()
    spoken.add(SAID)
    return cut_quotes(text, KNOWN, spoken).text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("> The night train to Bodø leaves at 23:35.\nI take it.", "I take it."),
        ("> The night train to Bodø\n> leaves at 23:35.\nI take it.", "I take it."),
        ('"The cabin costs 1,190 kroner in high season." I pay half.', "I pay half."),
        ("The night train to Bodø leaves at 23:35. The cabin costs 1,190 kroner in high season. I pay.", "I pay."),
        ("- User lives in Oslo\nI have a boat.", "I have a boat."),
        ("User lives in Oslo. I have a boat.", "I have a boat."),
        ("> 我们明天早上九点出发去机场。\n我带行李。", "我带行李。"),
    ],
)  # fmt: skip
def test_quotations_go(text, left):
    """With a mark, or long enough without one; memories by their own words."""
    assert cut(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "The night train to Bodø leaves at 23:35.",
        "I take the night train to Bodø.",
        "I live in Oslo. I have a boat.",
        "> The night train to Bergen leaves at 8.\nI take it.",
        "> The night train to Bodø leaves at 23:35.\nNo, it does not.",
        "- eggs\n- milk\n",
        "> short\nI see.",
        "",
    ],
)
def test_own_words_stay(text):
    """An answer in offered words, own sentences, other people's words, and what is denied."""
    assert cut(text) == text
