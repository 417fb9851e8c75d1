"""Tokens that no person would make up."""

from recollect.memory.trust.redact.formats.tokens import find_random
from recollect.memory.trust.redact.formats.view import view
from tests.support.findings import find_secrets
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


@rows(
    "token",
    [
        "rk_prod_eh6CfyuCIOUpizs",
        "sm_aat_HdyqyoWKEsGq2sFz",
        "sgp_4f1d83c09ab27e56d1c04b7f9a3e68d25b07c1f4",
        "fio-u-z1z5hnkf79dk4wmeqn281n2ls8f7oab4dhg0z3zej1ykf9cbh15fm0czarm5ecnf",
        "ico-oa8QZVAeYDsO1SmYnhV3GxG7f3F9Z2sP",
        "dnkey-6qxz38elnzdx0r7ejqtne5eugi-eke836gmln0gtizcc35l9d3dlkg47",
        "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",
        "GR1348941xwh2l1NEsuRTO2aIWZFG",
        "API-WJ5QAOILABMABW0I71RRI5KC08",
        "PZY7Q~MeKRpXgIDJOdhUwMYIDAbIhTUWBBoiFD3",
        "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",
    ],
)
def test_a_vendors_token_is_found_by_its_form(token):
    """Of each kind that gitleaks has a rule for, beside those of `examples.py`."""
    text = f"Please keep {token} for me"
    assert [text[one.start : one.end] for one in find_secrets(text)] == [token]
