"""The texts, tool steps and pictures of a turn: redacted and bounded before they are written.

Pure except for the log. Of a very long text only the beginning and the end are redacted, each with a
margin, so that no part of a secret is kept.
"""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.capture.texts import (
    CUT,
    FIRST_STEPS,
    MARGIN,
    MAX_IMAGE_CHARS,
    MAX_IMAGES,
    MAX_STEPS,
    NOT_KEPT,
    Once,
    Redacting,
    bounded,
    kept_images,
    steps_of,
)
from recollect.memory.model.types import Message, ToolCall, ToolStep
from tests.support.folding import rows

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def test_the_first_that_fit():
    """Bounded in number and characters; one that is too large does not keep others out."""
    urls = [f"{PICTURE}{n}" for n in range(10)]
    assert kept_images(urls) == tuple(urls[:MAX_IMAGES])
    large = "data:image/png;base64," + "A" * MAX_IMAGE_CHARS
    assert kept_images([large, PICTURE]) == (PICTURE,)
    half = "data:image/png;base64," + "A" * (MAX_IMAGE_CHARS // 2)
    assert kept_images([half, half, PICTURE]) == (half, PICTURE)


@rows(
    "url",
    ["", "file:///etc/passwd", "javascript:1", "data:text/html,x", "ftp://a/b", "data:image/png,\ud800",
     "https://a/" + "x" * 5000, "http://\ud800"],
)  # fmt: skip
def test_what_is_no_picture(url):
    """Nobody fetches or shows it, so nobody keeps it."""
    assert kept_images([url]) == ()


def test_a_secret_in_an_address():
    """An address that opens something is not kept; pictures themselves are not read."""

    def hide(text):
        return text.replace("s3cret", "[removed]")

    def fail(text):
        raise ValueError

    assert kept_images(["https://a/b.png", "https://a/b.png?key=s3cret"], hide) == (
        "https://a/b.png",
    )
    assert kept_images(["https://a/b.png", PICTURE], fail) == (PICTURE,)


KEY = "sk-" + "k" * 60
PEM = "-----BEGIN KEY-----\n" + ("A1b2" * 16 + "\n") * 48 + "-----END KEY-----"


def hide(text):
    """Stands in for a redactor: it finds a secret only where it is whole."""
    return text.replace(KEY, "[key]").replace(PEM, "[pem]")


@given(st.text(max_size=100), st.integers(2, 40))
def test_what_is_kept_is_bounded_and_valid(text, limit):
    """Beginning and end remain of a long text, and any text can be written as UTF-8."""
    kept = Redacting()(text, limit)
    kept.encode()
    clean = text.encode("utf-8", "replace").decode()
    if len(clean) <= limit:
        assert kept == clean
    else:
        assert kept.startswith(clean[: limit // 2])
        assert kept.endswith(clean[-(limit // 2) :])
        assert CUT in kept


@given(
    st.sampled_from([KEY, PEM]),
    st.integers(0, 3 * MARGIN + 1000),
    st.sampled_from([500, 1000, 2000, 3 * MARGIN]),
    st.integers(0, 4 * MARGIN),
    st.booleans(),
)
def test_no_secret_is_kept_in_part(secret, before, limit, after, twice):
    """Wherever it stands in however long a text, and wherever that is cut."""
    text = "x" * before + secret + "y" * after + (secret if twice else "")
    kept = Redacting(hide)(text, limit)
    assert len(kept) <= limit + len(CUT)
    # A marker itself may be cut; a part of the key has more than one.
    assert "kk" not in kept
    assert "A1b2" not in kept


@rows("error", [ValueError, RecursionError, MemoryError, UnicodeError])
def test_a_failing_redactor_lets_nothing_through(error, caplog):
    """Neither into what is kept nor into the log; it is counted."""

    def fail(text):
        raise error(text)

    redacting = Redacting(fail)
    assert redacting("my secret", 100) == NOT_KEPT
    assert redacting("my secret " * 10_000, 100) == NOT_KEPT
    assert redacting.failures >= 2
    assert redacting("", 100) == ""
    assert "secret" not in caplog.text
    assert error.__name__ in caplog.text


def test_a_redactor_that_gives_no_text_has_failed():
    """What it meant, nobody knows."""
    assert Redacting(lambda _: None)("my secret", 100) == NOT_KEPT


def test_ten_megabytes_are_not_read():
    """Of a text that is far too long only what might be kept is looked at."""
    seen = []
    kept = Redacting(lambda text: seen.append(len(text)) or text)("x" * 10_000_000, 1000)
    assert len(kept) == 1000 + len(CUT)
    assert sum(seen) <= 1000 + 2 * MARGIN


def test_each_text_once():
    """What was prepared for a turn's earlier request is only cut to what may be kept now."""
    seen = []
    redacting = Redacting(lambda text: seen.append(text) or text.upper())
    first = Once(redacting, {})
    assert first.work("abc", 100) == 3
    assert [first("abc", 100), first("x" * 300, 200)] == ["ABC", f"{'X' * 100}{CUT}{'X' * 100}"]
    second = Once(redacting, first.kept)
    assert second.work("abc", 100) == 0
    assert second("abc", 100) == "ABC"
    assert second("x" * 300, 200) == first("x" * 300, 200)
    assert len(second("x" * 300, 50)) == 50 + len(CUT)
    assert len(seen) == 3


def user(text="hi"):
    return Message(role="user", content=text)


def asks(*calls):
    return Message(role="assistant", content="", calls=calls)


def tells(text, call_id=None, role="tool"):
    return Message(role=role, content=text, call_id=call_id)


A, B = ToolCall("a", '{"x":1}', "1"), ToolCall("b", "{}", "2")


def test_calls_and_results_are_paired_by_id():
    """In the order they were asked, whatever order the answers come in."""
    steps = steps_of([user(), asks(A, B), tells("two", "2"), tells("one", "1"), asks()])
    assert steps == [ToolStep("a", '{"x":1}', "one"), ToolStep("b", "{}", "two")]


def test_what_nobody_answered_is_no_step():
    """A call that was refused or is still running."""
    assert steps_of([user(), asks(A, B), tells("two", "2")]) == [ToolStep("b", "{}", "two")]


def test_calls_without_ids_or_with_one_for_all():
    """Old functions have none, some clients number badly: then the order tells."""
    old = [asks(ToolCall("a", "1")), tells("one", role="function")]
    assert steps_of([user(), *old]) == [ToolStep("a", "1", "one")]
    same = [
        asks(ToolCall("a", "1", "x"), ToolCall("b", "2", "x")),
        tells("1", "x"),
        tells("2", "x"),
    ]
    assert steps_of([user(), *same]) == [ToolStep("a", "1", "1"), ToolStep("b", "2", "2")]


MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool", "function", "system", ""]),
        content=st.text(max_size=5),
        calls=st.lists(
            st.builds(ToolCall, st.text(max_size=3), st.text(max_size=3), st.sampled_from("12 ")),
            max_size=3,
        ).map(tuple),
        call_id=st.none() | st.sampled_from("123"),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_every_result_is_one_step(messages):
    """Whatever the messages: no error, and as many steps as tools said something in the turn."""
    last = max((i for i, m in enumerate(messages) if m.role == "user"), default=-1)
    results = [m.content for m in messages[last + 1 :] if m.role in {"tool", "function"}]
    found = [step.result for step in steps_of(messages)]
    assert sorted(filter(None, found)) == sorted(filter(None, results))
    assert len(found) <= len(results)


def test_ten_thousand_steps():
    """The first and the last of them are kept, and the less of each the more there are."""
    calls = [ToolCall("f", str(n), str(n)) for n in range(10_000)]
    results = [tells(f"r{n}", str(n)) for n in range(10_000)]
    steps = bounded(steps_of([user(), asks(*calls), *results]))
    assert len(steps) == MAX_STEPS
    assert [s.result for s in steps[: FIRST_STEPS + 1]] == [*(f"r{n}" for n in range(10)), "r9970"]
    assert steps[-1].result == "r9999"
    assert bounded(steps) == steps


def test_what_memory_was_asked_is_no_step():
    """It is known already, and would outlive its erasure in the record of a turn."""
    asked = ToolCall("mcp__recollect__fact_search", '{"query":"cat"}', "m")
    found = tells('{"facts":[{"fact":"The cat is called Mia."}]}', "m")
    steps = steps_of([user(), asks(asked, B), found, tells("two", "2")])
    assert steps == [ToolStep("b", "{}", "two")]
