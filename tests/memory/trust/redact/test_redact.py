"""Secrets go, everything else stays, for any text."""

from __future__ import annotations

import json
import sys
from collections import Counter

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.trust.redact import (
    RedactOptions,
    Redactor,
    is_empty_remains,
    redacted_values,
    redactor,
)
from recollect.memory.trust.redact.formats.tokens import find_random
from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.options import PersonalOptions
from recollect.memory.trust.redact.redactor import PIECE, Redacted
from recollect.memory.trust.redact.remains import MARKERS
from tests.support.budget import examples
from tests.support.findings import find_personal, find_secrets
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__, A32="q7Vn2Rk9Lw4Xt8Zb3Ym6Pd1Hs5Jf0Gc8", a32="q7vn2rk9lw4xt8zb3ym6pd1hs5jf0gc8",
              HEX32="4f9a1c7e2b8d6053e1f7a9c4b2d80e65")  # fmt: skip
BLIND = ", written without looking at the rules"
SECRETS = [*ROWS["secrets"], *ROWS["secrets" + BLIND]]
DECOYS = [*ROWS["texts without a secret"], *ROWS["texts without a secret" + BLIND]]

DEFAULT = Redactor(RedactOptions())
PIECES = [text for text, _ in SECRETS] + DECOYS
FRAGMENTS = [
    "password", " is ", "PIN", ": ", "4821", "=", "'", '"', "sk-", "eyJ", "://", "@", "\n", "\u200b",
    "Tr0ub4dor&3", "[password removed]", "removed]", "[", "密码", "是", "कोड", "-----BEGIN PRIVATE KEY-----",
    "token", "secret", "４１１１", "4111 1111 1111 1111", "a", " ", "curl -u ", "{", "}", "\\n", "İ", "ß",
]  # fmt: skip
WORDS = [
    "my", "the", "gate", "door", "code", "password", "passport", "number", "PIN", "is", "to", "not", "alarm",
    "card", ":", ",", ".", "4821", "7716#", "2-9-0-5", "2033-05-05", "X4829173", "533401987", "Otter!99",
    "Kestrel-81x", "sparrow", "4111-1111-1111-1111", "room", "4021", "seat", "14A", "der", "12", "März", "密码是",
    "4096", "пароль",
]  # fmt: skip
HOSTILE = [
    "password is ", "pin 12 ", "4123 ", "eyJaaaa.", "-eyJaaaaaaaaaaa", "://a:@", "sk-", "curl -u ", "_token",
    "seed apple ", "token:a ", "password-a/", "login a/b ", "hunter2 is my password ", "| password |\n", "ssn 123 ",
    "door code ", "a: Kestrel#81x ", "4111 1111 1111 1111 ", "my passport ",
    "-----BEGIN PRIVATE KEY-----\n", "A" * 24 + "\n-----END PRIVATE KEY-----\n", 'password="', "a@", "密码是",
]  # fmt: skip


@rows("text, secrets", SECRETS)
def test_a_secret_is_gone(text, secrets):
    """No secret of the table is left, whole, in what is kept."""
    left = DEFAULT.redact(text).text
    assert not [secret for secret in secrets if secret in left]


@rows("text", DECOYS)
def test_a_text_without_a_secret_stays(text):
    """What only looks like a secret, or talks of one, is kept as it is."""
    assert DEFAULT.redact(text) == Redacted(text, {})


def test_a_marker_names_the_kind_and_counts_are_kept():
    """Readers see what was there; nobody sees its value or its length."""
    result = DEFAULT.redact("wifi password: Otter!99, iban GB82WEST12345698765432")
    assert result.text == "wifi password: [password removed], iban [IBAN removed]"
    assert result.counts == {"password": 1, "iban": 1}


def test_secrets_can_be_kept():
    """With `secrets` off and all policies on `keep` nothing is touched."""
    options = RedactOptions(secrets=False, personal=PersonalOptions(national_id="keep"))
    text = "PIN: 4821, SSN 536-22-8714"
    assert Redactor(options).redact(text).text == text


PERSONAL = [
    ("email", "write to ann.lee+news@mail.example.org please", "ann.lee+news@mail.example.org"),
    ("phone", "call +49 30 1234567 after six", "+49 30 1234567"),
    ("phone", "my number is (415) 555-2671", "(415) 555-2671"),
    ("address", "I live at 12 Rose Street, Leeds", "12 Rose Street"),
    ("address", "Ich wohne in der Lindenstraße 7", "Lindenstraße 7"),
    ("address", "J'habite 8 rue des Lilas", "8 rue des Lilas"),
    ("address", "Vivo en calle Mayor 22", "calle Mayor 22"),
    ("birth_date", "I was born on 14 March 1988", "14 March 1988"),
    ("birth_date", "Geburtsdatum: 14.03.1988", "14.03.1988"),
    ("national_id", "SSN: 536-22-8714", "536-22-8714"),
]


@rows("kind, text, value", PERSONAL)
def test_personal_data_follows_its_policy(kind, text, value):
    """Each kind is found when it is asked for and stays when its policy is `keep`."""
    assert any(value in text[f.start : f.end] for f in find_personal(text, [kind]))
    kept = Redactor(RedactOptions(personal=PersonalOptions(**{kind: "keep"}))).redact(text)
    gone = Redactor(RedactOptions(personal=PersonalOptions(**{kind: "redact"}))).redact(text)
    assert value in kept.text
    assert value not in gone.text
    assert gone.counts == {kind: 1}


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(PIECES), st.text(max_size=8)),
        max_size=12,
    )
)
def test_any_text_is_redacted_once_and_for_all(parts):
    """Whole values become marks, all else stays in order, and redacting again changes nothing."""
    text = "".join(parts)
    found = find_secrets(text)
    edges = [edge for f in found for edge in (f.start, f.end)]
    assert edges == sorted(edges)
    assert all(0 <= f.start < f.end <= len(text) for f in found)
    once = DEFAULT.redact(text)
    assert DEFAULT.redact(once.text) == Redacted(once.text, {})
    kept = regex.split("|".join(map(regex.escape, MARKERS.values())), once.text)
    assert regex.fullmatch(".*?".join(map(regex.escape, kept)), text, flags=regex.DOTALL)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_a_value_is_taken_whole(words):
    """What goes from a sentence is whole words; the words around them keep every letter."""
    text = " ".join(words)
    left = DEFAULT.redact(text).text
    for marker in MARKERS.values():
        left = left.replace(marker, " ")
    assert not Counter(_letters(left)) - Counter(_letters(text))


def _letters(text):
    return regex.findall(r"\w+", text)


@settings(max_examples=examples(200), deadline=None)
@given(st.text())
def test_no_text_is_an_error(text):
    """Any code points, also lone surrogates, go through all rules."""
    strict = RedactOptions(
        personal=PersonalOptions(
            email="redact", phone="redact", address="redact", birth_date="redact"
        )
    )
    Redactor(strict).redact(text)


def test_groups_of_four_digits_are_no_identity_number():
    """They are one where they are called so; a row of them is something else."""
    assert Redactor(RedactOptions()).redact("4111 " * 40).counts == {}
    assert Redactor(RedactOptions()).redact("parcel 2345 6789 0124").counts == {}
    assert Redactor(RedactOptions()).redact("Aadhaar 2345 6789 0124").counts == {"national_id": 1}


def _work(text):
    """How many lines of Python the rules run for `text`."""
    count = 0

    def tracer(frame, event, _arg):
        nonlocal count
        count += event == "line"
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        find_secrets(text)
    finally:
        sys.settrace(before)
    return count


@rows("unit", HOSTILE)
def test_work_grows_with_the_text(unit):
    """Four times the near-misses are about four times the work."""
    small, large = _work(unit * 100), _work(unit * 400)
    assert large < small * 6


@rows("text, only", ROWS["whether a text is a husk"])
def test_whether_a_text_is_a_husk(text, only):
    """Signs, blanks and the label beside the marks say nothing; whose it is and more words do."""
    assert is_empty_remains(text) is only


KEY = "sk-proj-Zx81kQpLm0vTn4RbYc7WdEaH2sUj9fGo"
PEM = f"-----BEGIN PRIVATE KEY-----\n{'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC' * 480}\n-----END PRIVATE KEY-----"


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


TOKEN = "aB3xK9pQ7zL2mN8vR4tY6wE1"
API_KEY = "sk-proj-abcdefghijklmnop1234567890ABCDEFGHIJ"
HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
CARD = "4539 5787 6362 1486"


def redacted(values):
    redactor = Redactor(RedactOptions())
    return redacted_values(values, lambda text: redactor.redact(text).text)


@rows(
    "values, clean",
    [
        ({"note": "my password is hunter2"}, {"note": "my password is [password removed]"}),
        ({"password": "hunter2"}, {"password": "[password removed]"}),
        ({"contraseña": "gato123"}, {"contraseña": "[password removed]"}),
        ({"pin": 4711}, {"pin": "[code removed]"}),
        ({"pins": [4711, "4712"]}, {"pins": ["[code removed]"] * 2}),
        ({"paid": CARD}, {"paid": "[card number removed]"}),
        ({"a": {"b": [{"token": "abc123def456"}]}}, {"a": {"b": [{"token": "[API key removed]"}]}}),
        ({"key_id": API_KEY}, {"key_id": "[API key removed]"}),
        ({API_KEY: 1, f"{API_KEY}x": 2}, {"[API key removed]": 1, "[API key removed] ": 2}),
    ],
)
def test_secrets_go(values, clean):
    """By their form, by what is said around them, or by their name; at any depth, once for all."""
    assert redacted(values) == clean
    assert redacted(clean) == clean


@rows(
    "values",
    [
        {"tag": ["tea", {"deep": None}], "page": 12, "score": 0.5, "ok": True},
        {"id": TOKEN, "session_id": TOKEN, "threadId": TOKEN, "uuid": TOKEN, "doc ids": [TOKEN]},
        {"message_id": 4539578763621486},
        {"sha": HASH, "session": "f3a9c7d2-5b1e-4c8a-9d2f-0a1b2c3d4e5f"},
        {"url": "https://x.example/a?id=1", "room": "101", "source": "slack", "pinned": 7},
    ],
)
def test_all_else_stays(values):
    """Above all what names something: whoever filters by it must find it again."""
    assert redacted(values) == values


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


def test_json_stays_json():
    """A value between quotes is replaced between its quotes."""
    text = json.dumps({"user": "ann", "password": 'Otter"!99', "n": [1, 2]})
    left = json.loads(DEFAULT.redact(text).text)
    assert left == {"user": "ann", "password": "[password removed]", "n": [1, 2]}
