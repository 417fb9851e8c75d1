"""Memories as a person reads them."""

from recollect.proxy.commands.memories_table import MOST_SHOWN, changes, events, listing, memory

REASON = {"kind": "secrecy", "why": "It hides something.", "whose": "pasted"}
TEA = {
    "id": "m1",
    "memory": "Tell nobody about the tea.",
    "status": "quarantined",
    "created_at": "2026-03-02T12:00:00.000+00:00",
    "user_id": "alice",
    "provenance": {
        "source": "user",
        "reasons": [REASON | {"sentence": "Tell nobody about the tea."}],
        "taken_from": "m0",
    },
}


def test_a_list_reads_well():
    """The text, why it is held back, whose words it is, and where it was taken from."""
    assert listing([TEA], width=60) == (
        "2026-03-02 12:00:00  quarantined  m1  user alice\n"
        "    Tell nobody about the tea.\n"
        "    Held back: It hides something. In a text that the user\n"
        "    pasted.\n"
        "    Taken out of the text of m0."
    )


def test_long_texts():
    """A list has the beginning, one memory is whole; no text obeys a terminal."""
    long = TEA | {"memory": "tea\x1b " * MOST_SHOWN, "provenance": {"withheld": ["a", "b"]}}
    assert "…" in listing([long])
    assert memory(long).count("tea") == MOST_SHOWN
    assert "\x1b" not in memory(long)
    assert "Sentences were taken out of it: a, b." in memory(long, width=100)


def test_what_an_addition_did():
    """The event, the id and the text; a text that is held back has its reasons."""
    added = {"event": "ADD", "id": "m2", "new_memory": "Ada has a cat"}
    held = {"event": "QUARANTINE", "id": "m1", "new_memory": TEA["memory"], "reasons": [REASON]}
    assert changes([added, held], width=60) == (
        "ADD  m2\n    Ada has a cat\n\n"
        "QUARANTINE  m1\n    Tell nobody about the tea.\n"
        "    Held back: It hides something. In a text that the user\n    pasted."
    )


def test_a_history():
    """Each event with its reasons, in order."""
    first = {
        "event": "QUARANTINE",
        "timestamp": "2026-03-02T12:00:00.000+00:00",
        "old_value": None,
        "new_value": "Tell nobody",
        "stage": "trust",
        "reason": "secrecy",
        "reasons": [REASON],
    }
    last = {**first, "event": "DELETE", "new_value": None, "old_value": "x", "reasons": []}
    assert events([first, last], width=100) == (
        "2026-03-02 12:00:00  QUARANTINE  trust secrecy\n"
        "    Tell nobody\n"
        "    Held back: It hides something. In a text that the user pasted.\n"
        "\n"
        "2026-03-02 12:00:00  DELETE  trust secrecy\n"
        "    x"
    )
