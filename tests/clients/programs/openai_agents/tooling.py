"""The OpenAI Agents SDK with and without a tool: every item and every event that it has."""

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
)
from openai import AsyncOpenAI
from steps import MODEL, USER, WEATHER, run_ways

SETTINGS = ModelSettings(extra_body={"user": USER})


@function_tool
def get_weather(place: str) -> str:
    """Get the weather."""
    return WEATHER.format(place=place)


def agent(model, own):
    client = AsyncOpenAI(max_retries=0)
    return Agent(
        name="Gardener",
        instructions="You are helpful.",
        model=model(model=MODEL, openai_client=client),
        model_settings=SETTINGS,
        tools=[get_weather] if own else [],
    )


async def whole(model, text, own):
    done = await Runner.run(agent(model, own), text)
    seen = [done.to_input_list(), [str(each) for each in done.raw_responses]]
    return {"text": done.final_output, "answers": seen}


async def streamed(model, text, own):
    result = Runner.run_streamed(agent(model, own), text)
    events = [event async for event in result.stream_events()]
    raw = [event.data for event in events if event.type == "raw_response_event"]
    said = "".join(each.delta for each in raw if each.type == "response.output_text.delta")
    return {"text": said, "answers": [result.to_input_list(), [str(each) for each in raw]]}


run_ways(
    chat=lambda text, own: whole(OpenAIChatCompletionsModel, text, own),
    chat_streamed=lambda text, own: streamed(OpenAIChatCompletionsModel, text, own),
    responses=lambda text, own: whole(OpenAIResponsesModel, text, own),
    responses_streamed=lambda text, own: streamed(OpenAIResponsesModel, text, own),
)
