"""What the proxy says of one answer; test_chat.py has the conversation."""

import json

from recollect.proxy.commands.talking import HeardAnswer


def test_the_headers_of_an_answer_are_read():
    """The outcome, its reason, how many memories, and which."""
    rows = [{"id": "a", "reason": "chosen"}, {"id": "b", "reason": "cut"}]
    turn = HeardAnswer(
        {
            "x-recollect-memory": "injected",
            "x-recollect-reason": "personal",
            "x-recollect-count": "1",
            "x-recollect-explain": json.dumps({"memories": rows}),
        }
    )
    assert (turn.outcome, turn.reason, turn.count, turn.ids) == ("injected", "personal", 1, ["a"])


def test_an_answer_without_headers_is_one_all_the_same():
    """Off loopback a proxy does not explain, and another program says nothing of memory."""
    for headers in (
        {},
        {"x-recollect-explain": "{"},
        {"x-recollect-explain": '{"recall": "none"}'},
    ):
        turn = HeardAnswer(headers)
        assert (turn.outcome, turn.count, turn.ids, turn.answer) == ("unknown", 0, [], "")
