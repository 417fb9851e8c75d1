from recollect.memory.upkeep.consolidate.prompts import Said, read_answer
from tests.support.folding import rows


@rows(
    "answer",
    [
        '{"points": [{"text": "A b.", "notes": [1, 2]}]}',
        'Sure!\n```json\n{"points": [{"text": "A  b.", "notes": [1, "2"]}]}\n```',
        '[{"text": "A b.", "notes": [1, 2]}]',
        '{"sentences": [{"sentence": "A b.", "from": [1, 2]}]}',
        '{"text": "A b.", "notes": [1, 2]}',
        '<think>[{"text": "no", "notes": [3]}]</think>[{"text": "A b.", "notes": [1, 2]}]',
        "[1, 2] A b.",
        "1, 2. A b.",
    ],
)
def test_answers_in_many_forms(answer):
    """JSON with other names or around it, and lists of lines."""
    assert read_answer(answer) == [Said("A b.", (1, 2))]
