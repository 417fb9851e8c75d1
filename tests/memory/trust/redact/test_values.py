"""Values lose their secrets, with the names that they have; what names something stays."""

from recollect.memory.trust.redact import RedactOptions, Redactor, redacted_values
from tests.support.folding import rows

TOKEN = "aB3xK9pQ7zL2mN8vR4tY6wE1"
KEY = "sk-proj-abcdefghijklmnop1234567890ABCDEFGHIJ"
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
        ({"key_id": KEY}, {"key_id": "[API key removed]"}),
        ({KEY: 1, f"{KEY}x": 2}, {"[API key removed]": 1, "[API key removed] ": 2}),
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
