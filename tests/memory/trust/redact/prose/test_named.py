"""Values that stand behind the name of a secret."""

import pytest

from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.prose.named import find_named
from recollect.memory.trust.redact.prose.terms import prose_of
from tests.support.folding import rows


def found(text):
    """The values in a text, in order."""
    return [text[one.start : one.end] for one in find_named(prose_of(view(text)))]


@rows(
    "text, values",
    [
        ("password: sparrow", ["sparrow"]),
        ("the PIN is 4821", ["4821"]),
        ("Mon code PIN est le 8842", ["8842"]),
        ("PIN 4821 please", ["4821"]),
        ("Passwort: „Regen in Bergen“", ["Regen in Bergen"]),
        ("my passphrase is moss tractor ivory kettle", ["moss tractor ivory kettle"]),
        ("API key: 4f9a1c7e2b8d6053e1f7a9c4b2d80e65", ["4f9a1c7e2b8d6053e1f7a9c4b2d80e65"]),
        ("<password>Tulip#88</password>", ["Tulip#88"]),
        ("backup codes:\n1f3k-9xq2\n7h2m-4vt8, 0p6z-3wd5", ["1f3k-9xq2", "7h2m-4vt8", "0p6z-3wd5"]),
        ("my password to Otter!99 yesterday", ["Otter!99"]),
    ],
)
def test_a_value_is_taken_and_nothing_else(text, values):
    """Behind a sign, a word such as "is" or nothing; the words around it stay."""
    assert found(text) == values


@rows(
    "text",
    [
        "my password is weak",
        "the PIN has 4 digits",
        "PIN 2019 was easier",
        "I forgot the password. Sparrow is a bird",
        "the password that I have to give them in the office over there: none",
        "password: the same as ever",
        "In the novel the password is “swordfish”",
        "password manager: Bitwarden",
    ],
)
def test_what_is_no_value_stays(text):
    """Plain words behind "is", counts, years, other sentences, function words, stories."""
    assert found(text) == []


@pytest.mark.parametrize("count", [3, 12])
def test_a_list_is_taken_to_its_end(count):
    """As backup codes, which are often ten."""
    codes = [f"1f{number}k-9xq{number}" for number in range(count)]
    assert found("backup codes: " + ", ".join(codes)) == codes
