"""Tell a fact, begin a new conversation, ask for it: LangChain, unchanged.

pip install langchain-openai
export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=sk-...
python langchain_chat.py
"""

import os

from langchain_openai import ChatOpenAI

llm = ChatOpenAI(  # reads OPENAI_BASE_URL and OPENAI_API_KEY
    model=os.environ.get("MODEL", "gpt-4o-mini"),
    model_kwargs={"user": "ada"},  # whose memory it is; without it: the user `default`
    include_response_headers=True,
)


def conversation(text: str) -> None:
    """A conversation of one message: nothing of the one before is sent."""
    answer = llm.invoke(text)
    print(f"> {text}\n{answer.text}")
    for name, value in answer.response_metadata["headers"].items():
        if name.startswith("x-recollect-"):
            print(f"  {name}: {value}")


conversation("My budget for the Lisbon offsite is 4,000 euros.")
conversation("What may the offsite cost?")
