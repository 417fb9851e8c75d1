"""LangChain's `ChatOpenAI`, and an agent on it; the user is `model_kwargs={"user": ...}`."""

from langchain.agents import create_agent
from langchain.messages import HumanMessage
from langchain.tools import tool as as_tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from steps import MODEL, STRANGER, THEN, USER, WEATHER, run

llm = ChatOpenAI(model=MODEL, model_kwargs={"user": USER})


class Allotment(BaseModel):
    """An allotment."""

    number: int


@as_tool
def get_weather(place: str) -> str:
    """Get current weather for a place."""
    return WEATHER.format(place=place)


def told(text):
    messages = [HumanMessage(text)]
    messages += [llm.invoke(messages), HumanMessage(THEN)]
    return llm.invoke(messages).text


def asked(text):
    return llm.invoke([("human", text)]).text


def streamed(text):
    return "".join(chunk.text for chunk in llm.stream(text))


def tool(text):
    agent = create_agent(llm, tools=[get_weather])
    done = agent.invoke({"messages": [{"role": "user", "content": text}]})
    return done["messages"][-1].text


def structured(text):
    return llm.with_structured_output(Allotment).invoke(text).number


def responses(text):
    by_responses = ChatOpenAI(model=MODEL, use_responses_api=True, model_kwargs={"user": USER})
    return by_responses.invoke(text).text


async def responses_streamed(text):
    by_responses = ChatOpenAI(model=MODEL, use_responses_api=True, model_kwargs={"user": USER})
    return "".join([chunk.text async for chunk in by_responses.astream(text)])


def stranger(text):
    return ChatOpenAI(model=MODEL, default_headers={"x-recollect-user": STRANGER}).invoke(text).text


run(told, asked, streamed, tool, structured, responses, responses_streamed, stranger)
