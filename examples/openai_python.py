"""Tell a fact, begin a new conversation, ask for it: the `openai` package, unchanged.

pip install openai
export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=sk-...
python openai_python.py
"""

import os

from openai import OpenAI

client = OpenAI()  # reads OPENAI_BASE_URL and OPENAI_API_KEY
MODEL = os.environ.get("MODEL", "gpt-4o-mini")


def conversation(text: str) -> None:
    """A conversation of one message: nothing of the one before is sent."""
    answer = client.chat.completions.with_raw_response.create(
        model=MODEL,
        user="ada",  # whose memory it is; without it: the user `default`
        messages=[{"role": "user", "content": text}],
    )
    print(f"> {text}\n{answer.parse().choices[0].message.content}")
    for name, value in answer.headers.items():
        if name.startswith("x-recollect-"):
            print(f"  {name}: {value}")


conversation("My budget for the Lisbon offsite is 4,000 euros.")
conversation("What may the offsite cost?")
