"""LlamaIndex ignores `OPENAI_BASE_URL`: `api_base` names it; the user is in `additional_kwargs`."""

import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai import OpenAI
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

URL = os.environ["OPENAI_BASE_URL"]
llm = OpenAI(model=MODEL, api_base=URL, additional_kwargs={"user": USER})


class Allotment(BaseModel):
    """An allotment."""

    number: int


def get_weather(place: str) -> str:
    """Get current weather for a place."""
    return WEATHER.format(place=place)


def told(text):
    messages = [ChatMessage(role="user", content=text)]
    messages += [llm.chat(messages).message, ChatMessage(role="user", content=THEN)]
    return llm.chat(messages).message.content


def asked(text):
    return llm.chat([ChatMessage(role="user", content=text)]).message.content


def streamed(text):
    return "".join(part.delta for part in llm.stream_chat([ChatMessage(role="user", content=text)]))


async def tool(text):
    agent = FunctionAgent(tools=[get_weather], llm=llm, system_prompt="You are helpful.")
    return str(await agent.run(text))


def structured(text):
    answer = llm.as_structured_llm(Allotment).chat([ChatMessage(role="user", content=text)])
    return answer.raw.number


def stranger(text):
    other = OpenAI(model=MODEL, api_base=URL, default_headers={"x-recollect-user": STRANGER})
    return other.chat([ChatMessage(role="user", content=text)]).message.content


run(told, asked, streamed, tool, structured, stranger)
