"""Instructor: answers of a given shape; the user is `user=`."""

import instructor
from openai import AsyncOpenAI
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, run

client = instructor.from_provider(f"openai/{MODEL}")


class Allotment(BaseModel):
    number: int


def create(text, shape, **more):
    messages = [{"role": "user", "content": text}]
    return client.create(response_model=shape, messages=messages, **{"user": USER, **more})


def told(text):
    messages = [{"role": "user", "content": text}]
    first = client.create(response_model=None, messages=messages, user=USER)
    messages += [first.choices[0].message.model_dump(), {"role": "user", "content": THEN}]
    second = client.create(response_model=None, messages=messages, user=USER)
    return second.choices[0].message.content


def asked(text):
    return create(text, None).choices[0].message.content


def structured(text):
    return create(text, Allotment).number


def structured_streamed(text):
    messages = [{"role": "user", "content": text}]
    *_, last = client.create_partial(response_model=Allotment, messages=messages, user=USER)
    return last.number


async def structured_json(text):
    by_schema = instructor.from_openai(AsyncOpenAI(), mode=instructor.Mode.JSON_SCHEMA)
    found = await by_schema.chat.completions.create(
        model=MODEL,
        user=USER,
        response_model=Allotment,
        messages=[{"role": "user", "content": text}],
    )
    return found.number


def stranger(text):
    headers = {"x-recollect-user": STRANGER}
    messages = [{"role": "user", "content": text}]
    answer = client.create(response_model=None, messages=messages, extra_headers=headers)
    return answer.choices[0].message.content


run(told, asked, structured, structured_streamed, structured_json, stranger)
