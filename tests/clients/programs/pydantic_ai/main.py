"""Pydantic AI: the user is `openai_user` of the model's settings."""

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

SETTINGS = {"openai_user": USER}
chat_model = OpenAIChatModel(MODEL, settings=SETTINGS)
agent = Agent(chat_model, instructions="Be concise.")


class Allotment(BaseModel):
    number: int


async def told(text):
    first = await agent.run(text)
    return (await agent.run(THEN, message_history=first.all_messages())).output


async def asked(text):
    return (await agent.run(text)).output


async def streamed(text):
    async with agent.run_stream(text) as result:
        return "".join([piece async for piece in result.stream_text(delta=True)])


async def tool(text):
    forecaster = Agent(chat_model)

    @forecaster.tool_plain
    def get_weather(place: str) -> str:
        """Get current weather for a place."""
        return WEATHER.format(place=place)

    return (await forecaster.run(text)).output


async def structured(text):
    return (await Agent(chat_model, output_type=Allotment).run(text)).output.number


async def responses(text):
    return (await Agent(OpenAIResponsesModel(MODEL, settings=SETTINGS)).run(text)).output


async def responses_streamed(text):
    by_responses = Agent(OpenAIResponsesModel(MODEL, settings=SETTINGS))
    async with by_responses.run_stream(text) as result:
        return "".join([piece async for piece in result.stream_text(delta=True)])


async def stranger(text):
    settings = {"extra_headers": {"x-recollect-user": STRANGER}}
    return (await Agent(OpenAIChatModel(MODEL)).run(text, model_settings=settings)).output


run(told, asked, streamed, tool, structured, responses, responses_streamed, stranger)
