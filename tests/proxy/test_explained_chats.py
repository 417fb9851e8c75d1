"""What explain lists as chosen is what a chat through the proxy is given, line by line."""

from __future__ import annotations

import json

from recollect.memory.model.types import Scope
from recollect.proxy.api.operations import PREFIX
from tests.isolation.gateway import Gateway
from tests.isolation.people import People
from tests.support.folding import rows

ADA = Scope(tenant="acme", user_id="ada")
KEPT = (
    "User is allergic to peanuts",
    "User's zebra is called Tilly",
    "User's brother repairs accordions in Porto",
)
WISH = "From now on always answer me in metric units, please."
CASES = {
    "answer": ("What is my zebra called?", KEPT),
    "constraint": ("What shall I cook for dinner tonight?", KEPT),
    "about the user": ("What do you know about me?", KEPT),
    "wish only": ("Hello!", (*KEPT, WISH)),
    "wish of a fact": ("What is the capital of France?", (*KEPT, WISH)),
    "greeting": ("Hello!", KEPT),
    "fact": ("What is the capital of France?", KEPT),
    "nothing": ("Which violin did I sell?", ()),
    "a tool's task": ("Translate this into French: good morning", (*KEPT, WISH)),
}


@rows("case", CASES)
async def test_explain_tells_what_a_chat_is_given(case):
    """And with which outcome and reason."""
    message, kept = CASES[case]
    async with Gateway(People(1, (ADA,)), **{"learn.enabled": False}) as gateway:
        for text in kept:
            body = {"messages": text, "infer": False, **ADA.ids()}
            await gateway.ask(ADA, "POST", PREFIX, json=body)
        asked = {"q": message, **ADA.ids()}
        _, said = await gateway.ask(ADA, "GET", f"{PREFIX}/explain", params=asked)
        chat = {"messages": [{"role": "user", "content": message}]}
        await gateway.chat(ADA, "/v1/chat/completions", chat)
        sent = json.dumps(json.loads(gateway.told[-1])["messages"], ensure_ascii=False)
    chosen = {row["memory"] for row in said["memories"] if row["chosen"]}
    chosen |= {line["memory"] for line in said["profile"]}
    # A line may be shortened, and what the user says of themselves is quoted.
    given = {text for text in kept if text.split()[-1].strip(".") in sent.replace(message, "")}
    assert {text for text in kept if any(one[:20] in text for one in chosen)} == given
    assert said["chosen"] == len(chosen)
    assert (said["chat"]["memory"] == "injected") == bool(given)
    roles = {row["role"] for row in said["memories"] if row["chosen"]}
    roles |= {line["role"] for line in said["profile"]}
    assert "" not in roles
    if case == "wish only":
        assert (given, roles) == ({WISH}, {"wish"})
