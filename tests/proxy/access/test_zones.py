"""Which time zone a request has."""

import json

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.zones import ZONE, name_now
from recollect.proxy.access.zones import TIMEZONE_HEADER, Zones
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.folding import rows

OSLO, TOKYO, LIMA = "Europe/Oslo", "Asia/Tokyo", "America/Lima"


@pytest.fixture(autouse=True)
def unset():
    token = ZONE.set(None)
    yield
    ZONE.reset(token)


def body(zone=None):
    metadata = {} if zone is None else {"metadata": {"timezone": zone}}
    said = {"messages": [{"role": "user", "content": "hi"}], **metadata}
    return parse_chat_body(json.dumps(said).encode())


@rows(
    "header, within, usual, zone",
    [
        (OSLO, TOKYO, LIMA, OSLO),
        (None, TOKYO, LIMA, TOKYO),
        (None, None, LIMA, LIMA),
        (None, None, None, ""),
        ("Nowhere", TOKYO, LIMA, TOKYO),
        ("Nowhere", "Mars", LIMA, LIMA),
        (None, 5, None, ""),
    ],
)
def test_the_nearest_that_is_known_counts(header, within, usual, zone):
    """Header, body, configuration, server; a chat goes on whatever is in them."""
    headers = {} if header is None else {TIMEZONE_HEADER: header}
    assert Zones(usual).of_chat(headers, body(within)) == zone == name_now()


def test_a_call_of_the_memory_api_is_told_what_is_wrong():
    """The field counts before the header."""
    Zones(LIMA).of_call({TIMEZONE_HEADER: OSLO}, TOKYO)
    assert name_now() == TOKYO
    Zones(LIMA).of_call({}, None)
    assert name_now() == LIMA
    with pytest.raises(InvalidInputError, match=TIMEZONE_HEADER):
        Zones(LIMA).of_call({TIMEZONE_HEADER: "Mars"}, None)
