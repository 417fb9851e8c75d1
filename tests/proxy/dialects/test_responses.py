"""The Responses API as a dialect, against the values the vendor's own client makes and reads."""

import json

from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from recollect.filters import ToolCall
from recollect.proxy.dialects.responses import RESPONSES

OUTPUT = [
    {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
    {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Let me look.", "annotations": []}],
    },
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"q":"x"}'},
]
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "output": OUTPUT,
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}


def test_answers_as_the_vendors_types_have_them():
    """A valid response, by the vendor's own model, is read as that model reads it."""
    response = Response.model_validate(RESPONSE)
    answer = RESPONSES.read([response.model_dump_json().encode()])
    assert answer is not None
    assert answer.text == response.output_text == "Let me look."
    assert answer.tool_calls == (ToolCall("look", '{"q":"x"}', "c1"),)
    assert answer.response_id == response.id


def test_events_as_the_vendors_types_have_them():
    """Valid events, by the vendor's own models, are read without the last one and with it."""
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "logprobs": []}
    call = {"item_id": "fc_1", "output_index": 1}
    begun = {**OUTPUT[2], "arguments": ""}
    events = [
        {"type": "response.created", "response": {**RESPONSE, "output": []}},
        {"type": "response.output_text.delta", "delta": "Let me ", **place},
        {"type": "response.output_item.added", "item": begun, "output_index": 1},
        {"type": "response.output_text.delta", "delta": "look.", **place},
        {"type": "response.function_call_arguments.delta", "delta": '{"q":', **call},
        {"type": "response.function_call_arguments.delta", "delta": '"x"}', **call},
        {"type": "response.completed", "response": RESPONSE},
    ]
    valid = TypeAdapter(list[ResponseStreamEvent]).validate_python(
        [{**event, "sequence_number": number} for number, event in enumerate(events)]
    )
    sent = [event.model_dump_json().encode() for event in valid]
    assert RESPONSES.read(sent) == RESPONSES.read(sent[:-1])
    assert RESPONSES.read(sent) == RESPONSES.read([json.dumps(RESPONSE).encode()])
