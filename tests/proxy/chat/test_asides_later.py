"""As test_asides_unseen.py, with rows written after the code was changed for those: first contact again.

Nothing was changed after these rows: `MISSED` and `FALSE` are what is still judged wrongly.
"""

from __future__ import annotations

import json

from tests.support.folding import rows

from .asides import AT_ONCE, CHAT, PEOPLE, TOOL, assistant, is_aside, system, user
from .test_asides import lines

BREAD = (
    "Mój zakwas pachnie acetonem, a karmię go raz w tygodniu. Co robię źle?",
    "Jest głodny! Karm go codziennie przez trzy dni; potem wystarczy raz w tygodniu w lodówce.",
)
EXAM = (
    "나는 다음 달에 운전면허 시험을 보는데 주차가 제일 어려워요",
    "주차는 기준점을 정해서 연습하면 쉬워집니다. 천천히 해 보세요.",
)
PLANT = (
    "عندي نبتة ريحان على الشرفة وأوراقها تصفر، ماذا أفعل؟",
    "قلل الماء قليلا وضعها في مكان مشمس، وتأكد من تصريف التربة.",
)
BIKE = (
    "My gears skip under load\nonly on the two smallest cogs\nand I ride about 40 km a day",
    "Two things wear together:\n\n| part | check |\n|---|---|\n| chain | 0.75 % |\n\nReplace both.",
)
VISA = (
    "मेरी बहन टोरंटो में पढ़ती है, मैं उससे मिलने कब जा सकता हूँ?",
    "पर्यटक वीज़ा में लगभग चार सप्ताह लगते हैं, इसलिए अभी आवेदन करें।",
)
SONG = (
    "Ik speel cello en zoek iets van <Bach> voor bij een bruiloft & niet te moeilijk",
    'Neem de prelude uit de eerste suite: "langzaam" gespeeld klinkt zij al feestelijk genoeg.',
)
PLAIN = (system("You answer briefly and warmly."),)

ASIDES = (
    (
        "tags through a template with the question first and the answer in a fence",
        [BREAD], {}, AT_ONCE,
        lambda h: [user(f"Pytanie: {h[0]['content']}\n```\n{h[1]['content']}\n```\nTrzy tagi:")],
        {"stream": False},
    ),
    (
        "a title by a system message and one user message, cut at 80",
        [EXAM], {"before": PLAIN}, AT_ONCE,
        lambda h: [system("제목만 쓰세요."), user(lines(h, "사용자: ", "도우미: ", most=80))],
        {"stream": False, "max_tokens": 40},
    ),
    (
        "follow-ups, the conversation right to left",
        [PLANT], {}, AT_ONCE,
        lambda h: [user("ثلاثة أسئلة:\n" + lines(h, "المستخدم: ", "المساعد: "))],
        {"stream": False, "response_format": {"type": "json_object"}},
    ),
    (
        "a summary of many turns in one message, streamed, by the same instructions",
        [BREAD, BIKE, SONG], {"before": PLAIN}, AT_ONCE,
        lambda h: [*PLAIN, user("Notes for later.\n\n" + lines(h, "Human: ", "Assistant: "))],
        CHAT,
    ),
    (
        "a title of a message of several lines, on one line, while it is answered",
        [BIKE], {}, None,
        lambda h: [user("Topic of: " + h[-1]["content"].replace("\n", " "))],
        {"stream": False, "max_tokens": 16},
    ),
    (
        "the last answer alone, for speech bubbles",
        [SONG], {"before": PLAIN}, AT_ONCE,
        lambda h: [system("Stel drie antwoorden voor."), user("Bericht: " + h[-1]["content"])],
        {"stream": False},
    ),
    (
        "JSON lines, every letter escaped",
        [VISA], {}, AT_ONCE,
        lambda h: [user("\n".join(json.dumps(m) for m in h) + "\nTitle as JSON.")],
        {"stream": False},
    ),
    (
        "compaction with the old instructions replaced and no tools",
        [BREAD, VISA], {"before": PLAIN, "tools": [TOOL]}, 1.0,
        lambda h: [system("You hand over work."), *h[1:], user("Hand over now.")], CHAT,
    ),
    (
        "the first message only, streamed like the chat and with all its settings",
        [EXAM], {}, None, lambda h: [user("제목을 지어 주세요: " + h[-1]["content"])], CHAT,
    ),
    (
        "a rewritten question for a search, before the next turn",
        [PLANT], {"before": PLAIN, "tools": [TOOL]}, PEOPLE,
        lambda h: [user("Query only.\n" + lines(h, "U: ", "A: ") + "\nU: وماذا عن النعناع؟")],
        {"stream": False},
    ),
)  # fmt: skip
MISSED = {"the first message only, streamed like the chat and with all its settings"}

TURNS = (
    ("a next turn", [VISA], {"before": PLAIN}, PEOPLE, lambda h: [*h, user("और खर्च?")], CHAT),
    (
        "a next turn after the answer, dictated at once",
        [BREAD], {"before": PLAIN}, 1.5, lambda h: [*h, user("A mąka żytnia? Mam tylko ją.")], CHAT,
    ),
    (
        "a question about a table of the answer, pasted",
        [BIKE], {}, PEOPLE, lambda h: [*h, user("| chain | 0.75 % |\nMine shows 0.9, is that worse?")], CHAT,
    ),
    (
        "the user's own words and the answer, disagreed with, instructions changed, no tools any more",
        [SONG], {"before": PLAIN, "tools": [TOOL]}, PEOPLE,
        lambda h: [system("Nederlands graag."), *h[1:],
                   user(h[1]["content"] + "\n" + h[2]["content"] + "\nNee, liever iets van Fauré.")],
        CHAT,
    ),
    (
        "a request for a title in a chat about a novel",
        [BREAD], {}, PEOPLE, lambda h: [*h, user("Wymyśl tytuł dla tej rozmowy, max 5 słów.")], CHAT,
    ),
    ("the message again, louder", [EXAM], {}, 2.0, lambda h: [user(h[0]["content"] + "!!!")], CHAT),
    (
        "the message again with a picture's text before it",
        [EXAM], {}, PEOPLE, lambda h: [user("[image]\n" + h[0]["content"])], CHAT,
    ),
    (
        "the message stopped and begun anew with more before it",
        [PLANT], {}, None, lambda h: [user("مرحبا! " + h[-1]["content"] + " أسكن في عمّان.")], CHAT,
    ),
    (
        "an answer pasted into a mail that is to be checked",
        [SONG], {}, PEOPLE, lambda h: [user("Check deze mail: Beste Jo, " + h[-1]["content"])], CHAT,
    ),
    (
        "the transcript pasted after a page reload, no history, same settings",
        [VISA], {"before": PLAIN}, PEOPLE,
        lambda h: [*PLAIN, user(lines(h[1:], "", "") + "\nमेरा पासपोर्ट नया है।")], CHAT,
    ),
    (
        "JSON mode in an unrelated chat at the same time",
        [BIKE], {"tools": [TOOL]}, 0.5,
        lambda _: [system("Extract."), user("Invoice 17 of 3 May, 40 euros, for a saddle")],
        {"stream": False, "response_format": {"type": "json_object"}},
    ),
    (
        "a fork of the chat with the answer edited by the user",
        [BREAD], {}, PEOPLE,
        lambda h: [h[0], assistant("Jest głodny! Karm go dwa razy dziennie."), user("Czym?")], CHAT,
    ),
    (
        "another chat that begins with the same words",
        [BIKE], {}, 2.0, lambda h: [user(h[0]["content"].split("\n")[0] + " on my old bike")],
        {"stream": False, "max_tokens": 50},
    ),
    (
        "a grammar check of the user's own message by a program, with its own instructions",
        [SONG], {"before": PLAIN}, PEOPLE,
        lambda h: [system("Corrigeer de zin."), user("Zin: " + h[1]["content"])], CHAT,
    ),
    (
        "the answer handed to a second model of the same program for the next step",
        [BIKE], {"stream": False}, AT_ONCE,
        lambda h: [system("Write a shopping list."), user("From this: " + h[-1]["content"])],
        {"stream": True, "tools": [TOOL]},
    ),
    (
        "an agent's next task, its instructions with the date",
        [BIKE], {"before": (system("Agent. 2026-05-12 10:00"),), "tools": [TOOL]}, 2.0,
        lambda h: [system("Agent. 2026-05-12 10:01"), *h[1:], user("Order the chain.")],
        {"stream": True, "tools": [TOOL]},
    ),
)  # fmt: skip
FALSE: set[str] = set()


async def judged(_what, turns, chatting, after, messages, asking):
    return await is_aside(turns, messages, after=after, chatting=chatting, asking=asking)


@rows("row", ASIDES)
async def test_what_a_client_asks_about_a_turn_is_no_turn(row):
    """Structures that nobody looked at before."""
    assert await judged(*row) is (row[0] not in MISSED)


@rows("row", TURNS)
async def test_what_the_user_says_stays_a_turn(row):
    """Decoys that nobody looked at before."""
    assert await judged(*row) is (row[0] in FALSE)
