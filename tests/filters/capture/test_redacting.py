"""What may be written down of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.capture.redacting import CUT, MARGIN, NOT_KEPT, Once, Redacting
from tests.support.fence import FENCE

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


def test_lone_surrogates_are_replaced():
    """They are valid JSON and no store takes them."""
    assert Redacting()("a\ud800b", 100) == "a?b"


def test_our_own_block_is_not_kept():
    """What we injected and a client echoed is not learned again."""
    block = FENCE.around("- Alice lives in Oslo [2026-03-01]\n")
    assert Redacting()(f"before\n{block}\nafter", 1000) == "before\nafter"


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


@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, UnicodeError])
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
