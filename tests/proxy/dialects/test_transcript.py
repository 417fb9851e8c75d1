"""The assistant's message out of a copy of its bytes."""

import gzip
import json
import zlib

from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.dialects.chat import read_chat_answer
from recollect.proxy.dialects.sse import DoneDetector
from recollect.proxy.dialects.transcript import MAX_BYTES, Transcript
from tests.support.folding import rows


def event(delta, index=0, **more):
    return (
        b"data: %s\n\n"
        % json.dumps(
            {"choices": [{"index": index, "delta": delta, **more}]}, ensure_ascii=False
        ).encode()
    )


def completion(message, **more):
    return json.dumps({"choices": [{"index": 0, "message": message}], **more}).encode()


def transcript_of(*, stream, encoding=""):
    return Transcript(
        read_chat_answer, stream=stream, encoding=encoding, end_detector=DoneDetector()
    )


def read(data, *, stream=False, encoding="", complete=True, pieces=1):
    transcript = transcript_of(stream=stream, encoding=encoding)
    size = max(1, -(-len(data) // pieces))
    for at in range(0, len(data), size):
        transcript.feed(data[at : at + size])
    return transcript.answer(complete=complete)


STREAM = (
    b": hello\r\n\r\n"
    + event({"role": "assistant", "content": ""})
    + event({"content": "caf"})
    + event({"content": "\u00e9 \u2028 \u65e5\u672c"})
    + event({"content": "not this choice"}, index=1)
    + event({}, finish_reason="stop")
    + b'data: {"choices": [], "usage": {"total_tokens": 5}}\n\n'
    + b"data: [DONE]\n\n"
)


@given(st.integers(1, len(STREAM)))
def test_a_stream_reads_the_same_however_it_is_cut(pieces):
    """Chunk borders inside lines, events and characters change nothing."""
    answer = read(STREAM, stream=True, pieces=pieces)
    assert (answer.text, answer.complete) == ("caf\u00e9 \u2028 \u65e5\u672c", True)


@rows("encoding", ["gzip", "GZIP ", "deflate", "raw-deflate"])
def test_encoded_answers_are_read(encoding):
    """Gzip and both readings of deflate, whole and in pieces; the end mark needs no reading."""
    plain = completion({"content": "hi"})
    packed = {
        "gzip": gzip.compress(plain),
        "deflate": zlib.compress(plain),
        "raw-deflate": zlib.compress(plain)[2:-4],
    }[encoding.strip().lower()]
    name = "deflate" if "deflate" in encoding else encoding
    assert read(packed, encoding=name, pieces=7).text == "hi"
    assert read(gzip.compress(STREAM), stream=True, encoding="gzip").text.startswith("caf")


@rows("encoding", ["br", "zstd", "gzip, br"])
def test_what_nobody_here_reads_is_an_answer_without_words(encoding):
    """A coding nobody asked for hides the answer; what the user said is to be kept all the same."""
    answer = read(b"\x00\x01", encoding=encoding)
    assert (answer.text, answer.complete) == ("", False)


@rows("encoding", ["gzip", "deflate"])
def test_what_cannot_be_decoded_is_no_answer(encoding):
    """Bytes that are not what their header says are nothing, not an error."""
    assert read(b"\x00\x01 these are no such bytes", encoding=encoding) is None


def test_a_packed_answer_with_a_broken_place():
    """It is read as far as that, and is not called complete."""
    packed = bytearray(gzip.compress(STREAM + bytes(range(256)) * 4000, compresslevel=0))
    packed[-500_000] ^= 0xFF
    packed[-8:] = bytes(8)
    answer = read(bytes(packed), stream=True, encoding="gzip")
    assert answer.text.startswith("caf")
    assert not answer.complete


def test_a_packed_answer_in_several_members():
    """As servers write them that pack piece by piece."""
    packed = b"".join(gzip.compress(STREAM[at : at + 40]) for at in range(0, len(STREAM), 40))
    assert read(packed, stream=True, encoding="gzip", pieces=9).text.startswith("caf\u00e9")


def test_bytes_that_are_no_text_do_not_hide_the_rest():
    """A broken character reads as U+FFFD."""
    assert (
        read(completion({"content": "caf\u00e9!"}).replace(b"\\u00e9", b"\xe9")).text
        == "caf\ufffd!"
    )


def test_a_cut_stream_keeps_its_last_whole_event():
    """What was said before the cut is kept and marked as incomplete."""
    answer = read(STREAM[: STREAM.index(b"data: [DONE]") - 80], stream=True, complete=False)
    assert answer.text.startswith("caf")
    assert not answer.complete


@rows(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"<html>",
        b"\xff\xfe",
        b'{"error": {"message": "no"}}',
        b'{"choices": {}}',
        b'{"choices": []}',
        b'{"choices": [5, null]}',
        b'{"choices": [{"index": 1, "message": {"content": "x"}}]}',
        b"[" * 100_000,
    ],
)
@rows("stream", [False, True])
def test_no_answer_in_the_bytes(data, stream):
    """Errors, other JSON and garbage are no answer, streamed or not, and never raise."""
    data = b"data: " + data + b"\n\n" if stream else data
    assert read(data, stream=stream) is None


def test_a_huge_answer_is_bounded():
    """Beyond the bound nothing is kept, and the answer is not called complete."""
    transcript = transcript_of(stream=True)
    chunk = event({"content": "x" * 60_000})
    for _ in range(200):
        transcript.feed(chunk)
    assert MAX_BYTES <= transcript.size <= MAX_BYTES + len(chunk)
    answer = transcript.answer()
    assert not answer.complete
    assert len(answer.text) <= transcript.size


def test_a_bomb_does_not_go_off():
    """A small answer that unpacks to gigabytes is unpacked to the bound at the most."""
    packed = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = bytes(2**20)
    bomb = b"".join(packed.compress(block) for _ in range(200)) + packed.flush()
    assert len(bomb) < 2**20
    assert read(bomb, encoding="gzip") is None


@rows("labelled", [False, True])
@rows("bom", [b"", b"\xef\xbb\xbf"])
def test_the_label_does_not_decide(labelled, bom):
    """Events labelled JSON, JSON labelled as events, plain bytes labelled gzip: all are read."""
    document = b"\n" + completion({"content": "hi"})
    for data, said in ((STREAM, "caf\u00e9 \u2028 \u65e5\u672c"), (document, "hi")):
        for encoding in ("", "gzip"):
            answer = read(bom + data, stream=labelled, encoding=encoding)
            assert (answer.text, answer.complete) == (said, True)
