"""The OpenAI Agents SDK: responses; the user is `ModelSettings(extra_body={"user": ...})`."""

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool
from openai import AsyncOpenAI
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

SETTINGS = ModelSettings(extra_body={"user": USER})


class Allotment(BaseModel):
    number: int


@function_tool
def get_weather(place: str) -> str:
    """Get current weather for a place."""
    return WEATHER.format(place=place)


def agent(**more):
    wanted = {"model": MODEL, "model_settings": SETTINGS} | more
    return Agent(name="Gardener", instructions="You are helpful.", **wanted)


async def told(text):
    first = await Runner.run(agent(), text)
    said = [*first.to_input_list(), {"role": "user", "content": THEN}]
    return (await Runner.run(agent(), said)).final_output


async def asked(text):
    return (await Runner.run(agent(), text)).final_output


async def streamed(text):
    result = Runner.run_streamed(agent(), text)
    return "".join(
        [
            event.data.delta
            async for event in result.stream_events()
            if event.type == "raw_response_event"
            and event.data.type == "response.output_text.delta"
        ]
    )


async def tool(text):
    return (await Runner.run(agent(tools=[get_weather]), text)).final_output


async def structured(text):
    return (await Runner.run(agent(output_type=Allotment), text)).final_output.number


async def chat(text):
    by_chat = OpenAIChatCompletionsModel(model=MODEL, openai_client=AsyncOpenAI())
    return (await Runner.run(agent(model=by_chat), text)).final_output


async def chat_streamed(text):
    by_chat = OpenAIChatCompletionsModel(model=MODEL, openai_client=AsyncOpenAI())
    result = Runner.run_streamed(agent(model=by_chat), text)
    async for _ in result.stream_events():
        pass
    return result.final_output


async def stranger(text):
    settings = ModelSettings(extra_headers={"x-recollect-user": STRANGER})
    return (await Runner.run(agent(model_settings=settings), text)).final_output


run(told, asked, streamed, tool, structured, chat, chat_streamed, stranger)
