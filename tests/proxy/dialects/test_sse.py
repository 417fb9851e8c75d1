"""Events out of bytes, however they are cut."""

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.proxy.dialects.sse import DoneDetector, ResponseEndDetector, event_data
from tests.support.folding import rows

LINES = st.sampled_from(
    [
        b"data: one",
        b"data:two",
        b"data: [DONE]",
        b"data:[DONE]",
        b"data:  spaced",
        b": a comment",
        b"event: delta",
        b"id: 5",
        b"data",
        b"",
        "data: caf\u00e9 \u2028 \u0085 end".encode(),
        b'data: {"text": "[DONE]"}',
        b"xdata: [DONE]",
    ]
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
STREAMS = st.lists(st.tuples(LINES, ENDS), max_size=12).map(
    lambda lines: b"".join(line + end for line, end in lines)
)


def cut(stream, places):
    bounds = [0, *sorted({place % (len(stream) + 1) for place in places}), len(stream)]
    return [stream[a:b] for a, b in itertools.pairwise(bounds)]


@given(STREAMS)
def test_byte_by_byte_it_is_found_with_its_last_byte(stream):
    """The detector never needs a byte after the mark: that byte may be held back for us."""
    detector = DoneDetector()
    for at in range(len(stream)):
        seen = detector.feed(stream[at : at + 1])
        complete = stream[: at + 1].endswith(b"[DONE]")
        line = stream[: at + 1].replace(b"\r", b"\n").rpartition(b"\n")[2]
        if complete and line in {b"data: [DONE]", b"data:[DONE]"}:
            assert seen


@rows("stream", [b'data: {"content": "data: [DONE]"}\n\n', b"event: data: [DONE]\n", b"[DONE]"])
def test_the_mark_counts_only_as_a_line(stream):
    """A model that writes the mark into its text ends nothing."""
    assert not DoneDetector().feed(stream)


@example([(b"a", b"b")], b"\r")
@given(
    st.lists(st.tuples(st.sampled_from([b"a", b"", b"\xe2\x80\xa8"]), st.just(b"b"))),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_line_ends_do_not_matter(events, end):
    """CR, LF and CRLF give the same events."""
    stream = b"".join(b"data: " + a + end + b"data:" + b + end + end for a, b in events)
    assert list(event_data(stream)) == [a + b"\n" + b for a, b in events]


def test_only_data_is_read():
    """Comments, names, ids and unknown fields are no data; one space after the colon is dropped."""
    stream = b": ping\n\nevent: x\nid: 1\ndata:  two spaces\nretry: 5\nunknown\n\n\n\n"
    assert list(event_data(stream)) == [b" two spaces"]


def test_separators_of_text_are_no_line_ends():
    """U+2028, U+0085 and vertical tabs stay inside their line."""
    data = "a\u2028b\u0085c\x0bd".encode()
    assert list(event_data(b"data: " + data + b"\n\n")) == [data]


RESPONSE_LINES = st.sampled_from(
    [
        b"event: response.output_text.delta",
        b"event: response.completed",
        b"event:response.incomplete",
        b"event: response.failed",
        b"event: response.completed_not",
        b"event: response.web_search_call.completed",
        b'data: {"type":"response.completed","response":{"id":"r"}}',
        b'data: {"response": {}, "type": "response.failed"}',
        b'data: {"type":"response.output_text.delta","delta":"x"}',
        b'data: {"delta":"event: response.completed"}',
        b'data: {"delta":"{\\"type\\":\\"response.completed\\"}\\n\\n"}',
        b"data: event: response.completed",
        b": event: response.completed",
        b"data: [DONE]",
        b"",
        b"",
    ]
)
RESPONSE_STREAMS = st.lists(st.tuples(RESPONSE_LINES, ENDS), max_size=12).map(
    lambda lines: b"".join(line + end for line, end in lines)
)
LAST_LINES = {b"event: response.completed", b"event:response.incomplete", b"event: response.failed"}
LAST_DATA = (b'"type":"response.completed"', b'"type": "response.failed"')


def response_ends(stream):
    """Offsets just behind the line ends that complete a last event, by the standard's rules."""
    ends, last, line = [], False, b""
    for at in range(len(stream)):
        byte = stream[at : at + 1]
        if byte not in {b"\r", b"\n"}:
            line += byte
            continue
        if byte == b"\n" and stream[at - 1 : at] == b"\r":
            continue
        last = last or line in LAST_LINES or any(mark in line for mark in LAST_DATA)
        if not line and last:
            ends.append(at + 1)
            last = False
        line = b""
    return ends


@given(RESPONSE_STREAMS, st.lists(st.integers(0, 800), max_size=20))
def test_the_end_of_a_response_is_found_however_it_is_cut(stream, places):
    """The chunk that completes the last event says so, and no other but one with `[DONE]`."""
    detector = ResponseEndDetector()
    chunks = cut(stream.replace(b"data: [DONE]", b"data: done"), places)
    seen = [detector.feed(chunk) for chunk in chunks]
    ends = response_ends(b"".join(chunks))
    at = list(itertools.accumulate(map(len, chunks), initial=0))
    assert seen == [
        any(before < end <= after for end in ends) for before, after in itertools.pairwise(at)
    ]


@rows("end", [b"\n", b"\r\n", b"\r"])
@rows("kind", [b"completed", b"incomplete", b"failed"])
@rows("named", [True, False])
def test_byte_by_byte_a_response_ends_with_its_empty_line(end, kind, named):
    """Not before the last event can be read, and not after a client could have read it."""
    data = b'data: {"type":"response.%s","response":{"id":"r","output":[]}}' % kind
    lines = [b"event: response." + kind] * named + [data, b""]
    stream = b"data: {}" + end * 2 + b"".join(line + end for line in lines)
    detector = ResponseEndDetector()
    seen = [detector.feed(stream[at : at + 1]) for at in range(len(stream))]
    first = seen.index(True) + 1
    assert len(list(event_data(stream[:first]))) == 2
    assert len(list(event_data(stream[: first - 1]))) == 1


@rows(
    "line",
    [
        b"data: event: response.completed",
        b"xevent: response.failed",
        b"event: response.web_search_call.completed",
        b'data: {"subtype":"response.completed"}',
        b'data: {"type":"message","status":"completed"}',
        rb'data: {"delta":"\nevent: response.completed\n\n{\"type\":\"response.failed\"}"}',
    ],
)
def test_what_only_resembles_the_end_ends_nothing(line):
    """Other events, other members, and what a model writes: in JSON its quotes are escaped."""
    assert not ResponseEndDetector().feed(line + b"\n\n")


def test_little_is_kept_of_a_long_response():
    """However long a stream or a single event is, the detector holds a line's beginning at most."""
    detector = ResponseEndDetector()
    for chunk in (b'data: {"x":"' + b"y" * 2**20, b"event: response.completed\n", b"z" * 2**20):
        detector.feed(chunk)
        assert len(detector._tail) < 64
