"""LangChain's agent on `ChatOpenAI`, with and without a tool: every message that it has."""

from langchain.agents import create_agent
from langchain.messages import AIMessageChunk
from langchain.tools import tool as as_tool
from langchain_openai import ChatOpenAI
from steps import MODEL, USER, WEATHER, run_ways


@as_tool
def get_weather(place: str) -> str:
    """Get the weather."""
    return WEATHER.format(place=place)


def agent(own, **more):
    told = {"model": MODEL, "model_kwargs": {"user": USER}, "max_retries": 0} | more
    return create_agent(ChatOpenAI(**told), tools=[get_weather] if own else [])


def whole(text, own, **more):
    done = agent(own, **more).invoke({"messages": [{"role": "user", "content": text}]})
    messages = done["messages"]
    return {"text": messages[-1].text, "answers": [each.model_dump() for each in messages]}


def streamed(text, own, **more):
    asked = {"messages": [{"role": "user", "content": text}]}
    chunks = [c for c, _ in agent(own, **more).stream(asked, stream_mode="messages")]
    said = "".join(chunk.text for chunk in chunks if isinstance(chunk, AIMessageChunk))
    return {"text": said, "answers": [chunk.model_dump() for chunk in chunks]}


run_ways(
    chat=whole,
    chat_streamed=lambda text, own: streamed(text, own, streaming=True),
    responses=lambda text, own: whole(text, own, use_responses_api=True),
    responses_streamed=lambda text, own: streamed(
        text, own, use_responses_api=True, streaming=True
    ),
)
