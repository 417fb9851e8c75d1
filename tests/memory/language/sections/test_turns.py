"""What packs say of turns."""

from recollect.memory.language import packs


def test_a_persona_needs_both_its_parts():
    """The beginning of instructions says nothing without a role, and the other way round."""
    assert not [
        code for code, pack in packs().items() if pack.turns.addressed and not pack.turns.role
    ]
