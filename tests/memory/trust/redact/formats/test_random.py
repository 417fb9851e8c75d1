"""Tokens that no person would make up."""

from recollect.memory.trust.redact.formats.random import find_random
from recollect.memory.trust.redact.formats.view import view
from tests.support.folding import rows


def found(text):
    """The tokens in a text."""
    return [text[one.start : one.end] for one in find_random(view(text))]


@rows(
    "token",
    [
        "zq_7Rm2TxVt91LwKpVb0sYc4NdE",
        "qx-live-9f31c07ab2e84d55a6",
        "vyTst.4fPq88ZmLw0.kN7x",
        "kk-9d2fA7XqW1mZt6",
    ],
)
def test_a_token_is_found_by_its_look(token):
    """Without a known prefix and without a word beside it."""
    assert found(f"I put {token} there and it works") == [token]


@rows(
    "text",
    [
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "550e8400-e29b-41d4-a716-446655440000",
        "IMG_20240101_123456.jpg and Screenshot-2026-11-23",
        "claude-3-5-sonnet-20241022 and Meta-Llama-3.1-8B-Instruct",
        "https://video.example/watch?v=dQw4w9WgXcQaB1cD2eF",
        "pod web-7d9f8b6c5d-x2x4z restarts",
        "1Z999AA10123456784 left the hub",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
        "aGVsbG8gd29ybGQgYW5k",
        "ThinkPad-X1-Carbon-Gen12",
    ],
)
def test_names_hashes_and_identifiers_stay(text):
    """Hashes, files, models, addresses, parcels, pictures and plain base64 are no tokens."""
    assert found(text) == []
