"""What stays small: calls after failures, caches, JSON that others wrote, tokens."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.util.breaker import MAX_PAUSE_SECONDS, Breaker
from recollect.memory.util.lru import Lru
from recollect.memory.util.tokens import MAX_CHARS, TiktokenCounter
from recollect.memory.util.untrusted_json import (
    CHAT,
    LINE,
    REQUEST,
    SMALL,
    JsonBounds,
    JsonTooLargeError,
    JsonTwiceError,
    check_json,
    json_object,
    read_json,
)
from tests.support.clock import Clock
from tests.support.folding import rows


@pytest.fixture
def clock():
    return Clock()


def opened(clock, failures=3, seconds=5.0):
    """A breaker that has just opened."""
    breaker = Breaker(failures=failures, seconds=seconds, clock=clock)
    results = [breaker.failed(breaker.admit()) for _ in range(failures)]
    assert results == [False] * (failures - 1) + [True]
    return breaker


def pause_of(breaker, clock):
    """Seconds until the next call may be made, to a quarter."""
    started = clock.now
    while (term := breaker.admit()) is None:
        clock.now += 0.25
    return clock.now - started, term


def test_one_probe_closes_it(clock):
    """After the pause one call is admitted; its success admits all, and the pause is short again."""
    breaker = opened(clock)
    assert breaker.failed(pause_of(breaker, clock)[1]) is False
    waited, probe = pause_of(breaker, clock)
    assert waited == 10
    assert breaker.admit() is None
    assert breaker.succeeded(probe)
    assert not breaker.is_open
    terms = [breaker.admit() for _ in range(3)]
    assert None not in terms
    assert [breaker.failed(term) for term in terms] == [False, False, True]
    assert pause_of(breaker, clock)[0] == 5


@rows("seconds, pauses", [(5, [5, 10, 20, 30, 30]), (20, [20, 30, 30]), (40, [40, 40])])
def test_the_pause_doubles_up_to_the_longest(clock, seconds, pauses):
    """A part that stays dead is asked ever less, and never less than every half minute."""
    breaker = opened(clock, seconds=seconds)
    for expected in pauses:
        waited, probe = pause_of(breaker, clock)
        assert waited == expected
        assert not breaker.failed(probe)


def test_calls_from_before_say_nothing_about_now(clock):
    """What began before it opened can neither close it, nor prolong it, nor free the probe."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    early = [breaker.admit() for _ in range(5)]
    assert breaker.failed(early.pop())
    assert not breaker.succeeded(early.pop())
    assert not breaker.failed(early.pop())
    waited, probe = pause_of(breaker, clock)
    assert waited == 5
    breaker.abandoned(early.pop())
    assert breaker.admit() is None
    assert breaker.succeeded(probe)
    assert not breaker.failed(early.pop())
    assert not breaker.is_open


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("admit"), st.just(0)),
        st.tuples(st.sampled_from(["succeeded", "failed", "abandoned"]), st.integers(0, 9)),
        st.tuples(st.just("wait"), st.sampled_from([0.1, 1.0, 5.0, 70.0])),
    ),
    min_size=10,
    max_size=80,
)


@given(STEPS, st.integers(1, 4), st.sampled_from([0.5, 5.0, 60.0]))
def test_any_history(steps, failures, seconds):
    """Open, never two probes at a time nor one too early; and quiet always ends in an admission."""
    clock = Clock()
    breaker = Breaker(failures=failures, seconds=seconds, clock=clock)
    out = []
    refused_until = 0.0
    for step, value in steps:
        was_open = breaker.is_open
        if step == "wait":
            clock.now += value
        elif step == "admit":
            if (term := breaker.admit()) is not None:
                assert clock.now >= refused_until
                out.append((term, was_open))
            else:
                assert was_open
        elif out:
            getattr(breaker, step)(out.pop(value % len(out))[0])
            if breaker.is_open and not was_open:
                refused_until = clock.now + seconds
        assert sum(is_probe for _, is_probe in out) <= 1
    for term, _ in out:
        breaker.failed(term)
    clock.now += max(seconds, MAX_PAUSE_SECONDS)
    assert breaker.admit() is not None


KEYS = st.sampled_from("abcdef")
PUTS = st.lists(st.tuples(st.sampled_from(["put", "get"]), KEYS, st.integers(0, 12)), max_size=60)


@given(PUTS, st.integers(0, 4), st.integers(0, 20))
def test_both_bounds_hold_after_every_step(steps, most, max_size):
    """Never more entries and never more size than allowed, and what is found is what was put."""
    kept, put = Lru(most, max_size=max_size, size=len), {}
    for what, key, size in steps:
        if what == "put":
            put[key] = "x" * size + key
            kept.put(key, put[key])
        elif (found := kept.get(key)) is not None:
            assert found == put[key]
        values = [value for key in "abcdef" if (value := kept.get(key)) is not None]
        assert len(values) == len(kept) <= most
        assert sum(map(len, values)) == kept.size <= max_size


@given(PUTS, KEYS, st.integers(1, 4))
def test_a_tag_finds_every_entry_that_has_it(steps, tag, most):
    """Also after entries were replaced or pushed out; and nothing of what is gone is held."""
    kept = Lru(most, tags=lambda value: value)
    for _, key, size in steps:
        kept.put(key, (key, "abcdef"[size % 6], "abcdef"[size % 5]))
    before = {key: value for key in "abcdef" if (value := kept.get(key))}
    assert set(kept._tagged) == {tag for value in before.values() for tag in value}
    kept.drop(lambda key: key != "b", tag=tag)
    for key, value in before.items():
        assert (kept.get(key) is None) == (tag in value and key != "b")
    kept.drop(lambda _: True)
    assert not kept._tagged
    assert not len(kept)


NASTY = st.text(alphabet='a,[]{}"\\:é\u0122\u2c2c\n', max_size=12)
VALUES = st.recursive(
    st.none() | st.integers(-9, 9) | NASTY,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(NASTY, below, max_size=4),
    max_leaves=20,
)


def counted(value):
    """Its values; lists and objects that are not the outermost count twice."""
    if isinstance(value, dict | list):
        inner = list(value.values()) if isinstance(value, dict) else value
        return 1 + max(len(inner), 1) + sum(counted(each) - 1 for each in inner)
    return 1


def levels(value):
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(levels, inner), default=0)
    return 0


@given(
    VALUES,
    st.sampled_from([None, 1]),
    st.booleans(),
    st.sampled_from(["utf-8", "utf-16", "utf-32-le"]),
)
def test_the_count_is_exact_whatever_stands_in_texts(value, indent, ascii_only, encoding):
    """As many as it has are read, one less is too few: what texts look like counts for nothing."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    values, deep = counted(value), levels(value)
    for raw in (text, text.encode(encoding)):
        assert read_json(raw, JsonBounds(values=values, levels=deep)) == value
        with pytest.raises(JsonTooLargeError, match="values"):
            check_json(raw, JsonBounds(values=values - 1, levels=deep))
        if deep:
            with pytest.raises(JsonTooLargeError, match="within each other"):
                check_json(raw, JsonBounds(values=values, levels=deep - 1))


HOSTILE = {
    "lists": (b'{"a":[', b"[],", b"0]}"),
    "numbers": (b"[", b"1,", b"1]"),
    "texts": (b"[", b'"",', b"1]"),
    "names": (b"{", b'"":1,', b'"":1}'),
    "depth": (b"", b"[", b""),
    "quotes": (b"", b'"', b""),
    "a quote, then lists": (b'"\\"', b"[],", b""),
}


@rows("raw", HOSTILE.values())
def test_too_much_is_refused_before_it_is_parsed(raw):
    """With no more memory than a few pieces of it: parsed it would be many times its size."""
    begin, again, end = raw
    whole = begin + again * (3_000_000 // len(again)) + end
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            read_json(whole, LINE)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * len(whole)


def test_honest_texts_are_not_refused():
    """Four megabytes of prose with commas and brackets, and a line of thousands of versions."""
    prose = 'One, two [see], {three}, \\ "four", ' * 120_000
    assert read_json(json.dumps({"messages": [prose]}), REQUEST) == {"messages": [prose]}
    record = {"id": "x", "event": "UPDATE", "old_value": prose[:99], "scores": {"cosine": 0.5}}
    line = json.dumps({"memory": record, "history": [record] * 15_000}).encode()
    assert len(read_json(line, LINE)["history"]) == 15_000
    assert len(read_json(json.dumps({"ids": ["x" * 36] * 10_000}), REQUEST)["ids"]) == 10_000


@rows(
    "raw",
    [b"", b"{", b"[1,]", b"NaN", b"[Infinity]", b'"\xff"', b'"\xed\xa0\x80"', b"1" * 5000, b"{]"],
)
def test_what_is_no_json_is_an_error(raw):
    """Also numbers that JSON does not have, or Python does not read."""
    with pytest.raises(ValueError):
        read_json(raw, CHAT)


def test_a_name_that_is_given_twice_is_told():
    """If the caller cares."""
    assert read_json('{"a": 1, "a": 2}', CHAT) == {"a": 2}
    with pytest.raises(JsonTwiceError, match=r"^a$"):
        read_json('{"b": {"a": 1, "a": 2}}', CHAT, once=True)


@rows("raw", [b"", b"[]", b"1", b"{", b"[" * 100_000, b"\xff", b'{"a":' * 9999])
def test_anything_else_is_none(raw):
    """Also what is nested too deeply to be read."""
    assert json_object(raw) is None


@pytest.fixture(scope="module")
def counter():
    import tiktoken

    from recollect.memory.util.tokens import ENCODING

    return TiktokenCounter(tiktoken.get_encoding(ENCODING))


@rows("text, tokens", [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("\ud800", 1)])
def test_counts(counter, text, tokens):
    """Special tokens are text like any other, and broken Unicode is counted, not refused."""
    assert counter.count(text) == tokens


def test_long_texts_are_estimated(counter):
    """Above the bound the beginning is counted and scaled; up to it the count is exact."""
    assert counter.count("hello world " * 10_000) == pytest.approx(20_000, rel=0.01)
    exact = ("ab " * MAX_CHARS)[:MAX_CHARS]
    assert counter.count(exact * 3) == counter.count(exact) * 3


def test_what_was_used_last_stays():
    """A look counts as a use, and so does putting it again."""
    kept = Lru(3)
    for key in "abc":
        kept.put(key, key)
    kept.get("a")
    kept.put("b", "B")
    kept.put("d", "d")
    assert [kept.get(key) for key in "abcd"] == ["a", "B", None, "d"]


def test_the_wait_is_told(clock):
    """Seconds until a call may be made; nothing once it may, or while one tries."""
    breaker = opened(clock)
    clock.now += 2
    assert breaker.wait == 3
    clock.now += 3
    assert breaker.wait == 0
    assert breaker.succeeded(breaker.admit())
    assert breaker.wait == 0


def test_the_length_is_a_bound_of_its_own():
    """Where it is one."""
    with pytest.raises(JsonTooLargeError, match="bytes"):
        read_json(json.dumps("x" * SMALL.length), SMALL)
