"""The `openai` client with and without a tool of its own: everything that it sees."""

import json

from openai import OpenAI
from steps import MODEL, USER, WEATHER, run_ways

client = OpenAI(max_retries=0)
PARAMETERS = {
    "type": "object",
    "properties": {"place": {"type": "string"}},
    "required": ["place"],
    "additionalProperties": False,
}
FUNCTION = {"name": "get_weather", "description": "Get the weather.", "parameters": PARAMETERS}
MOST_TURNS = 4


def weather(arguments):
    return WEATHER.format(**json.loads(arguments))


def chat(text, own):
    messages, answers = [{"role": "user", "content": text}], []
    more = {"tools": [{"type": "function", "function": FUNCTION}]} if own else {}
    for _ in range(MOST_TURNS):
        done = client.chat.completions.create(model=MODEL, user=USER, messages=messages, **more)
        answers.append(done.model_dump())
        message = done.choices[0].message
        if not message.tool_calls:
            return {"raw": True, "text": message.content, "answers": answers}
        messages += [message, *results(message.tool_calls)]
    raise RuntimeError("no end")


def chat_streamed(text, own):
    messages, streams, said = [{"role": "user", "content": text}], [], ""
    more = {"tools": [{"type": "function", "function": FUNCTION}]} if own else {}
    for _ in range(MOST_TURNS):
        chunks = []
        with client.chat.completions.stream(
            model=MODEL,
            user=USER,
            messages=messages,
            stream_options={"include_usage": True},
            **more,
        ) as stream:
            chunks += [event.chunk.model_dump() for event in stream if event.type == "chunk"]
            message = stream.get_final_completion().choices[0].message
        streams.append(chunks)
        said += message.content or ""
        if not message.tool_calls:
            return {"raw": True, "text": said, "streams": streams}
        messages += [message, *results(message.tool_calls)]
    raise RuntimeError("no end")


def results(calls):
    for call in calls:
        content = weather(call.function.arguments)
        yield {"role": "tool", "tool_call_id": call.id, "content": content}


def responses(text, own):
    said, answers = [{"role": "user", "content": text}], []
    more = {"tools": [{"type": "function", **FUNCTION}]} if own else {}
    for _ in range(MOST_TURNS):
        done = client.responses.create(model=MODEL, input=said, user=USER, **more)
        answers.append(done.model_dump())
        calls = [item for item in done.output if item.type == "function_call"]
        if not calls:
            return {"raw": True, "text": done.output_text, "answers": answers}
        said += [*done.output, *outputs(calls)]
    raise RuntimeError("no end")


def responses_streamed(text, own):
    said, streams, spoken = [{"role": "user", "content": text}], [], ""
    more = {"tools": [{"type": "function", **FUNCTION}]} if own else {}
    for _ in range(MOST_TURNS):
        events = list(
            client.responses.create(model=MODEL, input=said, user=USER, stream=True, **more)
        )
        streams.append([event.model_dump() for event in events])
        if failed := [e for e in events if e.type in {"error", "response.failed"}]:
            raise RuntimeError(str(failed))
        spoken += "".join(e.delta for e in events if e.type == "response.output_text.delta")
        output = events[-1].response.output
        calls = [item for item in output if item.type == "function_call"]
        if not calls:
            return {"raw": True, "text": spoken, "streams": streams}
        said += [*output, *outputs(calls)]
    raise RuntimeError("no end")


def outputs(calls):
    for call in calls:
        output = weather(call.arguments)
        yield {"type": "function_call_output", "call_id": call.call_id, "output": output}


run_ways(
    chat=chat,
    chat_streamed=chat_streamed,
    responses=responses,
    responses_streamed=responses_streamed,
)
