"""What embedders of earlier versions are called now."""

from recollect.memory.model.embedder_ids import present_id
from tests.support.folding import rows


@rows(
    "stored, present",
    [
        ("all-MiniLM-L6-v2-int8", "all-MiniLM-L6-v2"),
        ("all-MiniLM-L6-v2-int8+use-multilingual-v3", "all-MiniLM-L6-v2+use-multilingual-v3"),
        ("all-MiniLM-L6-v2+use-multilingual-v3", "all-MiniLM-L6-v2+use-multilingual-v3"),
        ("use-multilingual-v3", "use-multilingual-v3"),
        ("somebody/all-MiniLM-L6-v2-int8", "somebody/all-MiniLM-L6-v2-int8"),
        ("", ""),
    ],
)
def test_what_was_a_choice_has_one_name(stored, present):
    """MiniLM's vectors are called alike, quantised or not; every other id stays."""
    assert present_id(stored) == present
