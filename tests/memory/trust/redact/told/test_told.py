"""Secrets that a sentence tells."""

from tests.support.findings import find_secrets
from tests.support.folding import rows


@rows(
    "text, secret",
    [
        ("my password is Kestrel-81x", "Kestrel-81x"),
        ("the PIN of the garage: 4821", "4821"),
        ("Mein Passwort lautet Kestrel-81x", "Kestrel-81x"),
        ("4711 is my PIN", "4711"),
    ],
)
def test_a_value_beside_its_noun(text, secret):
    """The value is found, and nothing else of the sentence."""
    assert [text[f.start : f.end] for f in find_secrets(text)] == [secret]
