"""Secrets are known by their form in a text of any language, or of none."""

from tests.support.findings import find_secrets
from tests.support.folding import rows

FORMS = [
    ("token", "sk-proj-q7Vn2Rk9Lw4Xt8Zb3Ym6"),
    ("web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz"),
    ("assignment", "dbPassword = 'Otter!99'"),
    ("address", "postgres://ann:Otter99x@db.example.org/main"),
    ("command", "mysql -u root -pOtter99x"),
    ("card", "4111 1111 1111 1111"),
    ("account", "GB82 WEST 1234 5698 7654 32"),
    ("key", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----"),
]
UNKNOWN = ["{}", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ {} ᎤᏙᎯᏳᎯ", "Tá mé ag lorg {} inniu", "🔑 {}"]


@rows("text", [around.format(form) for around in UNKNOWN for _, form in FORMS])
def test_a_form_needs_no_words(text):
    """A language without a pack loses no format."""
    assert find_secrets(text)
