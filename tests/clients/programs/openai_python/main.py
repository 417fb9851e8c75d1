"""The `openai` client: chat completions and responses; the user is `user=`."""

import json

from openai import OpenAI
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

client = OpenAI()
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get current weather for a place.",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string"}},
            "required": ["place"],
        },
    },
}


class Allotment(BaseModel):
    number: int


def told(text):
    messages = [{"role": "user", "content": text}]
    first = client.chat.completions.create(model=MODEL, user=USER, messages=messages)
    messages += [first.choices[0].message, {"role": "user", "content": THEN}]
    second = client.chat.completions.create(model=MODEL, user=USER, messages=messages)
    return second.choices[0].message.content


def asked(text):
    completion = client.chat.completions.create(
        model=MODEL, user=USER, messages=[{"role": "user", "content": text}]
    )
    return completion.choices[0].message.content


def streamed(text):
    stream = client.chat.completions.create(
        model=MODEL, user=USER, messages=[{"role": "user", "content": text}], stream=True
    )
    return "".join(c.choices[0].delta.content or "" for c in stream if c.choices)


def tool(text):
    messages = [{"role": "user", "content": text}]
    first = client.chat.completions.create(model=MODEL, user=USER, messages=messages, tools=[TOOL])
    messages.append(first.choices[0].message)
    for call in first.choices[0].message.tool_calls:
        result = WEATHER.format(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    second = client.chat.completions.create(model=MODEL, user=USER, messages=messages, tools=[TOOL])
    return second.choices[0].message.content


def structured(text):
    completion = client.chat.completions.parse(
        model=MODEL,
        user=USER,
        messages=[{"role": "user", "content": text}],
        response_format=Allotment,
    )
    return completion.choices[0].message.parsed.number


def responses(text):
    return client.responses.create(model=MODEL, user=USER, input=text).output_text


def responses_streamed(text):
    with client.responses.stream(model=MODEL, safety_identifier=USER, input=text) as stream:
        pieces = [e.delta for e in stream if e.type == "response.output_text.delta"]
    return "".join(pieces)


def stranger(text):
    completion = client.chat.completions.create(
        model=MODEL, user=STRANGER, messages=[{"role": "user", "content": text}]
    )
    return completion.choices[0].message.content


run(told, asked, streamed, tool, structured, responses, responses_streamed, stranger)
