"""What is left of a run that failed."""

import json
from dataclasses import replace

import pytest

from recollect.memory.learn.procedure import MIN_STEPS
from recollect.memory.learn.unfinished import (
    FIRST_STEPS,
    LAST_STEPS,
    MAX_ERRORS,
    MAX_PART_CHARS,
    STEPS_CHARS,
    bounded_run,
    ended_badly,
    errors_in,
    summarize,
    unfinished_record,
)
from recollect.memory.model.errors import ExtractionError
from recollect.memory.model.inputs import MAX_METADATA_BYTES
from recollect.memory.model.types import Source, ToolStep
from tests.memory.learn.doubles import Says
from tests.memory.learn.extract.turns import turn
from tests.support.folding import rows

FOUND = ToolStep("search_flights", '{"to": "Porto"}', '[{"id": "ZX-991"}]')
DECLINED = ToolStep("book_flight", '{"flight_id": "ZX-991"}', '{"error": "card declined"}')
RUN = replace(turn("Book me a flight to Porto", "I could not book it."), steps=(FOUND, DECLINED))
TOLD = {
    "goal": "A flight to Porto.",
    "progress": "ZX-991 is found.",
    "next_step": "Ask for a card.",
}


@rows(
    "steps, answer, bad",
    [
        ((FOUND, DECLINED), "I could not book it.", True),
        ((FOUND, DECLINED), "", True),
        ((FOUND, FOUND), "", True),
        ((FOUND, FOUND), "Booked.", False),
        ((DECLINED, FOUND), "Booked.", False),
        ((DECLINED,), "", False),
    ],
)
def test_which_runs_ended_badly(steps, answer, bad):
    """Those of several steps whose last one failed, or that end without an answer."""
    assert ended_badly(replace(RUN, steps=steps, assistant_text=answer)) is bad
    assert MIN_STEPS == 2


async def test_a_summary_to_go_on_from():
    """The model tells three parts; the errors are copied from the results."""
    model = Says(f"<think>hm</think>{json.dumps(TOLD)}")
    candidate = await summarize(model, RUN)
    assert candidate.text == (
        "Not finished: A flight to Porto. Done: ZX-991 is found. "
        'Failed: book_flight: {"error": "card declined"} Next: Ask for a card.'
    )
    assert candidate.source is Source.TOOL
    [request] = model.requests
    assert 'result: {"error": "card declined"}' in request.messages[1].content


@rows(
    "said",
    ["It went wrong.", "{}", json.dumps({**TOLD, "goal": ""}), json.dumps({**TOLD, "progress": 7})],
)
async def test_an_answer_without_its_parts(said):
    """It is an error with what was said, never half of a summary."""
    with pytest.raises(ExtractionError) as caught:
        await summarize(Says(said), RUN)
    assert caught.value.raw == said


async def test_a_long_part_is_cut():
    """However much a model tells."""
    long = " ".join(f"Page {number} of the catalogue is read." for number in range(900))
    text = (await summarize(Says(json.dumps({**TOLD, "progress": long})), RUN)).text
    assert len(text) < 4 * MAX_PART_CHARS


def test_a_run_of_ten_thousand_steps():
    """Its record has the first and the last of them, fits, and tells how many there were."""
    steps = tuple(
        ToolStep("fetch", f'{{"page": {n}}}', f"page {n} \u6f22 " + "x" * 9000)
        for n in range(10_000)
    )
    long = replace(RUN, user_text="\u6f22" * 90_000, steps=(*steps, DECLINED))
    run = bounded_run(long, str)
    assert [step.arguments for step in (run.steps[0], run.steps[FIRST_STEPS])] == [
        '{"page": 0}',
        f'{{"page": {10_001 - LAST_STEPS}}}',
    ]
    assert run.steps[-1] == DECLINED
    assert sum(len(step.arguments + step.result) for step in run.steps) < 2 * STEPS_CHARS
    record = unfinished_record(run, len(long.steps))
    assert record["step_count"] == 10_001
    assert len(json.dumps(record, ensure_ascii=False).encode()) < MAX_METADATA_BYTES


def test_the_last_errors():
    """Not all of a run that tried again and again."""
    steps = tuple(replace(DECLINED, name=f"try_{n}") for n in range(9))
    found = errors_in(replace(RUN, steps=(*steps, FOUND)))
    assert [each.partition(":")[0] for each in found] == ["try_6", "try_7", "try_8"]
    assert len(found) == MAX_ERRORS


def test_a_secret_is_removed_before_anything_is_cut():
    """Half of a key is not known as one."""
    secret = "k" * 4000
    run = replace(RUN, steps=(FOUND, replace(DECLINED, result=f"error: {secret}")))
    assert "kk" not in str(bounded_run(run, lambda text: text.replace(secret, "[key]")).steps)


async def test_instructions_of_ones_own():
    """They replace ours; the form of the answer is appended."""
    model = Says(json.dumps(TOLD))
    await summarize(model, RUN, prompt="For the night shift.")
    told = model.requests[0].messages[0].content
    assert told.startswith("For the night shift.\n\nAnswer as JSON:")
    assert set(model.requests[0].schema["properties"]) == {"goal", "progress", "next_step"}
