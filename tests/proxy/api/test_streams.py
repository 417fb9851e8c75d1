"""How values are framed."""

import json

from recollect.proxy.api.streams import event, line

NASTY = {"memory": "two\nlines\r\n\r\nevent: forged\u2028"}


def test_a_value_is_one_line():
    """Line breaks of a text cannot end the line or begin an event of their own."""
    assert line(NASTY).count(b"\n") == 1
    assert json.loads(line(NASTY)) == NASTY
    framed = event(NASTY, "ADD")
    assert framed.startswith(b"event: ADD\ndata: ")
    assert framed.endswith(b"\n\n")
    assert len(framed.strip().splitlines()) == 2


def test_an_event_has_the_id_of_its_value():
    """So that a client can tell an event that it has seen."""
    assert event({"id": "7"}, "ADD").splitlines()[0] == b"id: 7"
