"""Tokens that no person would make up."""

from recollect.memory.trust.redact.formats.tokens import find_random
from recollect.memory.trust.redact.formats.view import view
from tests.support.findings import find_secrets
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def found(text):
    """The tokens in a text."""
    return [text[one.start : one.end] for one in find_random(view(text))]


@rows("token", ROWS["a token is found by its look"])
def test_a_token_is_found_by_its_look(token):
    """Without a known prefix and without a word beside it."""
    assert found(f"I put {token} there and it works") == [token]


@rows("text", ROWS["names hashes and identifiers stay"])
def test_names_hashes_and_identifiers_stay(text):
    """Hashes, files, models, addresses, parcels, pictures and plain base64 are no tokens."""
    assert found(text) == []


@rows("token", ROWS["a vendors token is found by its form"])
def test_a_vendors_token_is_found_by_its_form(token):
    """Of each kind that gitleaks has a rule for, beside those of `examples.py`."""
    text = f"Please keep {token} for me"
    assert [text[one.start : one.end] for one in find_secrets(text)] == [token]
