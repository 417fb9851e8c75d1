"""Long texts are redacted a window at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.trust.redact import redactor
from recollect.memory.trust.redact.options import RedactOptions
from recollect.memory.trust.redact.redactor import PIECE, windows
from tests.support.folding import rows

KEY = "sk-proj-Zx81kQpLm0vTn4RbYc7WdEaH2sUj9fGo"
PEM = f"-----BEGIN PRIVATE KEY-----\n{'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC' * 480}\n-----END PRIVATE KEY-----"


@given(st.integers(0, 5_000), st.integers(1, 500), st.integers(0, 200))
def test_every_character_is_in_one_piece(length, piece, margin):
    """The pieces follow each other without a gap, and each is read with its margins."""
    found = list(windows(length, piece, margin))
    assert [w.begin for w in found] == [0, *(w.end for w in found[:-1])]
    assert found[-1].end == length == found[-1].stop
    for window in found:
        assert window.start == max(0, window.begin - margin)
        assert window.stop == min(length, window.end + margin)


@rows("secret", [KEY, PEM])
@rows("before", [PIECE - 20, PIECE, PIECE - 15_000])
def test_a_secret_across_a_border_is_removed_whole(secret, before):
    """Where a piece ends makes no difference to what is removed."""
    text = ("Nobody knows. " * (before // 14 + 1))[: before - 1] + " "
    after = " and nothing else." * 3_000
    found = redactor.Redactor(RedactOptions()).redact(text + secret + after)
    assert found.text.startswith(text)
    assert found.text.endswith(after)
    assert sum(found.counts.values()) == 1
    assert len(found.text) < len(text) + len(after) + 60
