"""Requests that clients make about a turn, and honest ones that look like them.

The structures are those of LibreChat, Open WebUI, Continue, Chatbox, LobeChat, Cherry Studio,
opencode, big-AGI, Dify and LangChain; the words are ours.
"""

from __future__ import annotations

import json

from tests.support.folding import rows

from .side_requests import AT_ONCE, CHAT, PEOPLE, TOOL, is_side_request, system, user

NUTS = (
    "I am allergic to peanuts. What can I bake for my sister's birthday?",
    "You could bake a lemon drizzle cake: flour, butter, sugar and two lemons.\nServe it cold.",
)
MOVE = (
    "Wir ziehen im Mai nach Leipzig, wie melde ich die Kinder um?",
    "Sie melden alle zusammen beim Bürgerbüro an. Nehmen Sie die Geburtsurkunden mit.",
)
TRAIN = (
    "我下周要去京都出差，帮我看看怎么从大阪过去最方便",
    "从大阪站坐新快速到京都站大约三十分钟，不用预约，非常方便。",
)
DOG = (
    "Mon chien s'appelle Pistache et il a peur du tonnerre, que faire ?",
    'Restez calme près de lui ; un "refuge" sombre l\'aide beaucoup.\n\n- fermez les volets\n- musique',
)
CODE = (
    "Write me a function that removes duplicates from a list but keeps the order, please",
    (
        "Dictionaries keep the order of insertion, so this is enough:\n```python\n"
        "def unique(items):\n    return list(dict.fromkeys(items))\n```"
    ),
)
HELPER = (system("You are a helpful assistant of the town library."),)


def lines(history, you="USER", me="ASSISTANT", between="\n", most=10_000):
    """The conversation as lines with labels."""
    names = {"user": you, "assistant": me}
    return between.join(
        f"{names[m['role']]}{m['content'][:most]}" for m in history if m["role"] in names
    )


def one(template):
    """One user message, with the conversation at `%s`."""
    return lambda history: [user(template % lines(history, "Q: ", "A: "))]


# A row: what it imitates, the turns, their fields, seconds, the request, its fields.
ASIDES = (
    (
        "Open WebUI's title",
        [NUTS], {}, AT_ONCE,
        lambda h: [user("### Task:\nName the talk in 4 words, with an emoji.\n### Talk:\n<chat>\n"
                        + lines(h, "USER: ", "ASSISTANT: ") + "\n</chat>")],
        {"stream": False},
    ),
    (
        "Open WebUI's tags, after a slow title",
        [NUTS, CODE], {}, 45.0,
        lambda h: [user("Give three broad topics as JSON.\n<history>\n"
                        + lines(h, "USER: ", "ASSISTANT: ") + "\n</history>")],
        {"stream": False},
    ),
    (
        "LibreChat's title, with an output schema as a tool",
        [MOVE], {}, AT_ONCE,
        lambda h: [user("Sprache und knapper Titel bitte.\n\n" + lines(h, "User: ", "AI: "))],
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "shell"}}},
    ),
    (
        "Chatbox's name: the first 100 characters, without labels",
        [DOG], {}, AT_ONCE,
        lambda h: [user("Un nom court pour ceci :\n```\n"
                        + lines(h, "", "", "\n\n------\n\n", 100) + "\n```\nLe nom :")],
        CHAT,
    ),
    (
        "Lobe's title: other instructions, streamed",
        [TRAIN], {"before": HELPER}, AT_ONCE,
        lambda h: [system("你负责为对话起标题"), user(lines(h, "user: ", "assistant: "))],
        CHAT,
    ),
    (
        "Lobe's later title: elements",
        [MOVE, NUTS], {"before": HELPER}, AT_ONCE,
        lambda h: [system("Titles."), user("\n".join(
            f"<{m['role']}>\n{m['content']}\n</{m['role']}>" for m in h))],
        {"stream": True, "response_format": {"type": "json_schema", "json_schema": {}}},
    ),
    (
        "Cherry Studio's name: JSON in one message",
        [DOG], {}, AT_ONCE,
        lambda h: [system("Tu résumes."), user(json.dumps(
            [{"role": m["role"], "mainText": m["content"]} for m in h], ensure_ascii=False))],
        CHAT,
    ),
    (
        "the same with every letter escaped",
        [TRAIN], {}, AT_ONCE,
        lambda h: [system("Short."), user(json.dumps(h))],
        CHAT,
    ),
    (
        "opencode's title while the turn runs: an instruction, then the message as it is",
        [CODE], {"before": HELPER, "tools": [TOOL]}, None,
        lambda h: [system("You write thread names."), user("Name for this:\n"), h[-1]],
        CHAT,
    ),
    (
        "opencode's compaction: the conversation and an instruction",
        [CODE, NUTS], {"before": HELPER, "tools": [TOOL]}, AT_ONCE,
        lambda h: [system("You keep notes of long sessions."), *h[1:], user("Write the notes now.")],
        CHAT,
    ),
    (
        "big-AGI's title: first lines, cut",
        [NUTS], {"before": HELPER}, AT_ONCE,
        lambda h: [system("You name chats."), user("Short name:\n```\n" + "\n".join(
            f"- {m['role']}: {m['content'].splitlines()[0][:100]}..." for m in h[1:]) + "\n```")],
        {"stream": False},
    ),
    (
        "big-AGI's follow-ups: the conversation, other instructions, a call that must be made",
        [DOG], {"before": HELPER}, AT_ONCE,
        lambda h: [system("Propose."), *h[1:], user("Trois suites possibles.")],
        {"stream": True, "tools": [TOOL], "tool_choice": "required"},
    ),
    (
        "Dify's title: the message alone, on one line",
        [NUTS], {"before": HELPER}, None,
        lambda h: [user('Give {"Title": "..."} for this.\nUser: ' + h[-1]["content"] + "\n")],
        {"stream": False, "max_tokens": 500},
    ),
    (
        "Dify's suggested questions",
        [MOVE], {"before": HELPER}, AT_ONCE,
        lambda h: [user(lines(h, "Human: ", "Assistant: ") + "\nThree questions as JSON.\nquestions:")],
        {"stream": False, "max_tokens": 256},
    ),
    (
        "Continue's title: the answer alone, without its code, and six tokens",
        [CODE], {}, AT_ONCE,
        lambda h: [user("In five words, what is this about?\n\n" + h[-1]["content"].split("```")[0])],
        {"stream": False, "max_tokens": 6},
    ),
    (
        "LangChain's summary memory, with the same settings",
        [NUTS], {"stream": False}, AT_ONCE,
        lambda h: [user("Extend the summary.\nSo far:\nnothing\nNew:\n"
                        + lines(h, "Human: ", "AI: ") + "\nSummary:")],
        {"stream": False},
    ),
    (
        "LangChain's condensed question, when the user comes back",
        [MOVE], {"stream": False, "before": HELPER}, 90.0,
        lambda h: [user("Make one question of it.\n" + lines(h, "Human: ", "Assistant: ")
                        + "\nFollow up: Und der Hund?\nQuestion:")],
        {"stream": False},
    ),
    (
        "NextChat's summary: instructions after the answer",
        [NUTS], {}, AT_ONCE,
        lambda h: [*h, system("Sum it up in 200 words, for later.")],
        {"stream": False},
    ),
)  # fmt: skip

SAME = {"stream": True}
TURNS = (
    ("the next message", [NUTS], {}, PEOPLE, lambda h: [*h, user("And without butter?")], SAME),
    (
        "a quick next message",
        [NUTS], {}, 1.0, lambda h: [*h, user("And without butter?")], SAME,
    ),
    (
        "the answer quoted and doubted",
        [NUTS], {}, PEOPLE, lambda h: [*h, user(f'You wrote "{h[-1]["content"]}". Really cold?')], SAME,
    ),
    (
        "both sides quoted in the conversation itself",
        [NUTS], {}, PEOPLE,
        lambda h: [*h, user(f"I asked: {h[-2]['content']}\nYou said: {h[-1]['content']}\nWhy lemons?")],
        SAME,
    ),
    (
        "both sides quoted at once, with another system prompt",
        [NUTS], {"before": HELPER}, 1.0,
        lambda h: [system("You are a baker."), *h[1:],
                   user(f"I asked: {h[-2]['content']}\nYou said: {h[-1]['content']}\nWhy lemons?")],
        SAME,
    ),
    (
        "both sides pasted into a new chat with the same settings",
        [NUTS], {}, PEOPLE, one("Go on from here:\n%s\nNow I want it vegan."), SAME,
    ),
    ("the message again", [NUTS], {}, 1.0, lambda h: h[:-1], SAME),
    ("the message again, not streamed", [NUTS], {}, 1.0, lambda h: h[:-1], {"stream": False}),
    (
        "the message again at once, not streamed and short",
        [NUTS], {}, None, lambda h: h, {"stream": False, "max_tokens": 100},
    ),
    (
        "the message edited and sent again",
        [NUTS], {}, 1.0, lambda h: [user(h[0]["content"] + " She likes chocolate.")], SAME,
    ),
    (
        "the message with a word before it",
        [NUTS], {}, 1.0, lambda h: [user("Hello! " + h[0]["content"])], SAME,
    ),
    (
        "his own message pasted again later",
        [NUTS, CODE], {}, PEOPLE,
        lambda h: [*h, user("As I said: " + h[0]["content"] + " And for ten people?")], SAME,
    ),
    (
        "his own message pasted into a new chat",
        [NUTS], {}, PEOPLE, lambda h: [user("Once more: " + h[0]["content"] + " Cheap, please.")], SAME,
    ),
    (
        "the answer pasted into a new chat",
        [MOVE], {}, PEOPLE, lambda h: [user("Auf Englisch bitte: " + h[-1]["content"])], SAME,
    ),
    (
        "a shorter history",
        [NUTS, MOVE, CODE], {}, PEOPLE, lambda h: [*h[-2:], user("And in Rust?")], SAME,
    ),
    ("no history at all", [NUTS, CODE], {}, PEOPLE, lambda _: [user("And in Rust?")], SAME),
    (
        "a summary that the user asks for",
        [NUTS, CODE], {}, PEOPLE, lambda h: [*h, user("Summarise our chat in five points.")], SAME,
    ),
    (
        "a title that the user asks for, with streaming switched off",
        [NUTS, CODE], {}, PEOPLE, lambda h: [*h, user("A title for this chat?")], {"stream": False},
    ),
    (
        "a script that streams once and then does not, with a limit",
        [NUTS], {}, AT_ONCE, lambda h: [*h, user("And without butter?")],
        {"stream": False, "max_tokens": 60},
    ),
    (
        "another persona in the middle of a chat",
        [NUTS], {"before": HELPER}, PEOPLE,
        lambda h: [system("You are a pirate."), *h[1:], user("My cat is called Salt.")], SAME,
    ),
    (
        "another persona without tools",
        [NUTS], {"before": HELPER, "tools": [TOOL]}, PEOPLE,
        lambda h: [system("You are a pirate."), *h[1:], user("My cat is called Salt.")], SAME,
    ),
    (
        "a client that sends the whole chat in one message",
        [("Talk nicely.\n\nHuman: I live in Gdansk by the sea\nAI:", "How lovely, near the shore?"),
         (("Talk nicely.\n\nHuman: I live in Gdansk by the sea\nAI: How lovely, near the shore?\n"
          "Human: Yes, with two cats\nAI:"), "What are the names of your cats, if I may ask?")],
        {}, 1.0,
        lambda h: [user(h[-2]["content"] + " " + h[-1]["content"] + "\nHuman: Salt and Pepper\nAI:")],
        SAME,
    ),
    (
        "the same, with the time in front, and the oldest lines dropped",
        [("At 10:03. Human: I live in Gdansk by the sea\nAI:", "How lovely, near the shore?")],
        {}, 1.0,
        lambda _: [user("At 10:04. Human: I live in Gdansk by the sea\nAI: How lovely, near the shore?"
                        "\nHuman: Yes\nAI:")],
        SAME,
    ),
    (
        "a client with the history in its instructions",
        [NUTS], {"before": (system("Be kind. History: none"),)}, PEOPLE,
        lambda h: [system("Be kind. History: " + lines(h[1:], "Q: ", "A: ")), user("Is it sweet?")],
        SAME,
    ),
    (
        "a question answered with documents after a short classification of it",
        [NUTS], {"stream": False, "max_tokens": 5}, AT_ONCE,
        lambda h: [system("Use the documents."), user("Documents: ...\nQuestion: " + h[0]["content"])],
        {"stream": True, "tools": [TOOL]},
    ),
    (
        "a helper that is given the task with fewer tools",
        [CODE], {"before": HELPER, "tools": [TOOL, TOOL]}, None,
        lambda h: [system("You search files."), user("For this task: " + h[-1]["content"])],
        {"stream": True, "tools": [TOOL]},
    ),
)  # fmt: skip


async def judged(_what, turns, chatting, after, messages, asking):
    return await is_side_request(turns, messages, after=after, chatting=chatting, asking=asking)


@rows("row", ASIDES)
async def test_what_a_client_asks_about_a_turn_is_no_turn(row):
    """Each structure of the known clients is told."""
    assert await judged(*row)


@rows("row", TURNS)
async def test_what_the_user_says_stays_a_turn(row):
    """Quoting, retrying, editing, other settings: nothing of it makes a turn a client's request."""
    assert not await judged(*row)
