"""What model servers report about prompts."""

import json

from recollect.filters import ReportedUsage
from recollect.proxy.dialects.chat import read_chat_answer
from recollect.proxy.dialects.responses import read_responses_answer
from recollect.proxy.dialects.usage import reported_usage
from tests.support.folding import rows

USAGE = {"prompt_tokens": 50, "prompt_tokens_details": {"cached_tokens": 20}}
CHOICE = {"choices": [{"index": 0, "delta": {"content": "Yes"}}]}


def test_both_figures_are_read():
    """Under the names of either API."""
    inputs = {"input_tokens": 50, "input_tokens_details": {"cached_tokens": 0}}
    assert reported_usage(USAGE, "prompt") == ReportedUsage(50, 20)
    assert reported_usage(inputs, "input") == ReportedUsage(50, 0)
    assert reported_usage(inputs, "prompt") is None


@rows(
    "prompt, cached",
    [(None, 1), (5, None), (5, 6), (5, -1), (5.0, 1), (True, True), ("5", 1), (10**18, 1)],
)
def test_what_is_no_report(prompt, cached):
    """A share of something unknown is not told, nor is anything that cannot be."""
    said = {"prompt_tokens": prompt, "prompt_tokens_details": {"cached_tokens": cached}}
    assert reported_usage(said, "prompt") is None


def test_it_is_in_the_answer():
    """At the end of a stream, whose other events have null; or in a whole response."""
    events = [{**CHOICE, "usage": None}, {"choices": [], "usage": USAGE}]
    answer = read_chat_answer([json.dumps(event).encode() for event in events])
    assert (answer.text, answer.usage) == ("Yes", ReportedUsage(50, 20))
    item = {"type": "message", "content": [{"type": "output_text", "text": "Yes"}]}
    usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 8}}
    whole = {"object": "response", "id": "r", "output": [item], "usage": usage}
    said = read_responses_answer([json.dumps(whole).encode()])
    assert (said.text, said.response_id, said.usage) == ("Yes", "r", ReportedUsage(9, 8))
