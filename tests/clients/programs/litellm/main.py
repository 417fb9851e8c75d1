"""LiteLLM drops `user=` for models that it does not know; `safety_identifier=` always arrives."""

import json

import litellm
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

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


def complete(text, user=USER, **more):
    messages = more.pop("messages", None) or [{"role": "user", "content": text}]
    headers = {"x-recollect-user": user}
    return litellm.completion(
        model=f"openai/{MODEL}", messages=messages, extra_headers=headers, **more
    )


def told(text):
    first = complete(text).choices[0].message
    messages = [{"role": "user", "content": text}, first, {"role": "user", "content": THEN}]
    return complete(text, messages=messages).choices[0].message.content


def asked(text):
    return complete(text).choices[0].message.content


def streamed(text):
    return "".join(part.choices[0].delta.content or "" for part in complete(text, stream=True))


def tool(text):
    first = complete(text, tools=[TOOL]).choices[0].message
    messages = [{"role": "user", "content": text}, first]
    for call in first.tool_calls:
        result = WEATHER.format(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    return complete(text, messages=messages, tools=[TOOL]).choices[0].message.content


def structured(text):
    answer = complete(text, response_format=Allotment).choices[0].message.content
    return Allotment.model_validate_json(answer).number


async def responses(text):
    answer = await litellm.aresponses(
        model=f"openai/{MODEL}", input=text, extra_headers={"x-recollect-user": USER}
    )
    return answer.output[0].content[0].text


def safety_identifier(text):
    """With a model that LiteLLM does not know."""
    unknown = litellm.completion(
        model="openai/smollm2",
        safety_identifier=USER,
        messages=[{"role": "user", "content": text}],
    )
    return unknown.choices[0].message.content


def stranger(text):
    return complete(text, STRANGER).choices[0].message.content


run(told, asked, streamed, tool, structured, responses, safety_identifier, stranger)
