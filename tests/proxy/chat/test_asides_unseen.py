"""As test_asides.py, with rows written after the code was frozen: what is told at first contact.

At first contact 12 of 14 requests of clients were told, and 21 of 23 turns kept. `MISSED` names the
two that still are not; `WAS_FALSE` the turns that were lost then. The code was changed after that.
"""

from __future__ import annotations

import json

from tests.support.folding import rows

from .asides import AT_ONCE, CHAT, PEOPLE, TOOL, assistant, is_aside, system, user
from .test_asides import lines

RENT = (
    "Vivo en Valencia con mi pareja y pagamos 900 euros de alquiler. ¿Es mucho?",
    "Para Valencia es lo normal.\n\n**En resumen**: si gastáis menos del 30 %, está bien.",
)
KNEE = (
    "У меня с детства болит колено, можно ли мне бегать по утрам?",
    "Лучше начать с ходьбы & плавания, а «бег» обсудить с врачом.",
)
TEA = (
    "コーヒーが苦手なので、朝に飲むお茶を教えてください。",
    "朝なら<ほうじ茶>が香ばしくておすすめです。",
)
JOB = (
    "Sono infermiera al turno di notte e non riesco a dormire di giorno",
    "Prova tende oscuranti e sempre gli stessi orari.\n1. niente caffè dopo le tre\n2. stanza fresca",
)
HI = ("hola", "¡Hola! ¿En qué puedo ayudarte hoy?")
LONG = (
    "My notes so far. " + "The garden has twelve beds and a pond with newts. " * 60,
    "That is a lively garden. " + "Newts like shallow water with plants and no fish. " * 50,
)
TABLE = (
    "Vertel eens, welke fietsroutes zijn er rond Utrecht? Ik heb een ligfiets.",
    '| route | km |\n|---|---|\n| Kromme Rijn | 38 |\n| Vecht | 51 |\n\n"Beide" zijn vlak.',
)
YES = ("Should I take the earlier train to Bergen if I hate crowds?", "Yes.")
KIND = (system("Eres amable y breve. Hoy es 12 de mayo de 2026."),)

ASIDES = (
    (
        "tags, with the question in quotation marks",
        [RENT], {}, AT_ONCE,
        lambda h: [user("Etiquetas en JSON.\n" + "\n".join(
            f'{m["role"]}: """{m["content"]}"""' for m in h))],
        {"stream": False},
    ),
    (
        "a title as XML with entities",
        [KNEE], {"before": KIND}, AT_ONCE,
        lambda h: [system("Заголовок."), user("".join(
            f"<turn by='{m['role']}'>{m['content'].replace('&', '&amp;')}</turn>" for m in h[1:]))],
        {"stream": False},
    ),
    (
        "an emoji for an answer",
        [JOB], {"before": KIND}, AT_ONCE,
        lambda h: [user("Una sola emoji per questo testo: " + h[-1]["content"])],
        {"stream": False, "max_tokens": 4},
    ),
    (
        "follow-ups of the last exchange of a long chat",
        [RENT, KNEE, TEA, JOB], {}, AT_ONCE,
        lambda h: [user("3 domande.\n\n" + lines(h[-2:], "Utente: ", "Assistente: "))],
        {"stream": False, "response_format": {"type": "json_object"}},
    ),
    (
        "a title of a very long exchange, its middle left out",
        [LONG], {}, AT_ONCE,
        lambda h: [user("Title?\n" + "\n".join(
            f"{m['role']}: {m['content'][:300]}[...]{m['content'][-300:]}" for m in h))],
        {"stream": False},
    ),
    (
        "a title of the first message alone, beside the chat, in the instructions",
        [TABLE], {"before": KIND}, None,
        lambda h: [system("Titel van dit bericht, vijf woorden."), user("<m>" + h[-1]["content"] + "</m>")],
        {"stream": False, "max_tokens": 20},
    ),
    (
        "a title as a Python list of tuples",
        [TEA], {}, AT_ONCE,
        lambda h: [user("題名: " + repr([(m["role"], m["content"]) for m in h]))],
        {"stream": False},
    ),
    (
        "a summary in the role developer, the conversation in it",
        [RENT, JOB], {"before": KIND}, AT_ONCE,
        lambda h: [{"role": "developer", "content": "Riassumi.\n" + lines(h, "U: ", "A: ")}, user("Ora.")],
        {"stream": False, "max_tokens": 300},
    ),
    (
        "a short answer after a long question",
        [YES], {}, AT_ONCE,
        lambda h: [user("Name it:\n" + lines(h, "User: ", "Assistant: "))],
        {"stream": False},
    ),
    (
        "a greeting and its answer",
        [HI], {}, AT_ONCE, lambda h: [user("Título:\n" + lines(h, "User: ", "AI: "))], {"stream": False},
    ),
    (
        "compaction of an agent, streamed, without its tools",
        [TABLE, RENT], {"before": KIND, "tools": [TOOL, TOOL]}, AT_ONCE,
        lambda h: [system("Condenseer."), *h[1:], user("Vat alles samen voor een nieuwe sessie.")],
        CHAT,
    ),
    (
        "a summary by the same assistant of what will be dropped, with the old summary",
        [KNEE, TEA, RENT], {}, 2.0,
        lambda h: [user("Old summary: none.\nNew lines:\n" + lines(h[:4], "H: ", "A: ") + "\nSummary:")],
        {"stream": False, "max_tokens": 1000},
    ),
    (
        "a title an hour later, when the list of chats is opened",
        [KNEE], {"before": KIND}, 3600.0,
        lambda h: [system("Заголовок."), user(lines(h, "A: ", "B: "))], {"stream": False},
    ),
    (
        "a title asked for in the resent conversation, by the same instructions",
        [RENT], {"before": KIND}, AT_ONCE,
        lambda h: [*h, user("Ponle un título de cuatro palabras a esta conversación.")],
        {"stream": False, "max_tokens": 30},
    ),
)  # fmt: skip
MISSED = {
    "a title an hour later, when the list of chats is opened",
    "a title asked for in the resent conversation, by the same instructions",
}

TURNS = (
    ("the next turn", [KNEE], {"before": KIND}, PEOPLE, lambda h: [*h, user("А плавать?")], CHAT),
    (
        "the next turn, the date in the instructions changed",
        [RENT], {"before": KIND}, PEOPLE,
        lambda h: [system(KIND[0]["content"].replace("12", "13")), *h[1:], user("¿Y con mascota?")],
        CHAT,
    ),
    (
        "a part of the answer quoted as Markdown",
        [JOB], {}, PEOPLE, lambda h: [*h, user("> 1. niente caffè dopo le tre\n\nNemmeno il tè?")], CHAT,
    ),
    (
        "the answer pasted whole and corrected",
        [TABLE], {}, PEOPLE, lambda h: [*h, user(h[-1]["content"] + "\n\nDe Vecht is 49 km.")], CHAT,
    ),
    (
        "the answer pasted into a new chat of another assistant",
        [RENT], {"before": KIND}, PEOPLE,
        lambda h: [system("Eres abogado."), user("¿Es verdad esto? " + h[-1]["content"])], CHAT,
    ),
    (
        "the same question to another assistant",
        [KNEE], {"before": KIND}, 2.0, lambda h: [system("Вы врач."), h[1]], CHAT,
    ),
    (
        "the same question to another assistant, with a word before it",
        [KNEE], {"before": KIND}, 2.0,
        lambda h: [system("Вы врач."), user("Доктор, " + h[1]["content"])], CHAT,
    ),
    (
        "the same question in a script, not streamed",
        [JOB], {}, PEOPLE, lambda h: [user("Domanda: " + h[0]["content"])], {"stream": False},
    ),
    (
        "a regenerated answer with tools switched off",
        [TABLE], {"tools": [TOOL]}, PEOPLE, lambda h: h[:-1], CHAT,
    ),
    (
        "tools and streaming switched off in the middle",
        [TABLE], {"before": KIND, "tools": [TOOL]}, PEOPLE,
        lambda h: [*h, user("En zonder ligfiets? Ik heb er ook een gewone.")], {"stream": False},
    ),
    (
        "JSON asked for by the user's program in the next turn",
        [RENT], {"before": KIND}, PEOPLE, lambda h: [*h, user("Dame los datos.")],
        {"stream": False, "response_format": {"type": "json_object"}},
    ),
    (
        "an agent's round with a tool",
        [TABLE], {"tools": [TOOL]}, PEOPLE,
        lambda h: [*h, user("Zoek het op"),
                   {"role": "assistant", "content": "", "tool_calls": [
                       {"id": "1", "type": "function", "function": {"name": "shell", "arguments": "{}"}}]},
                   {"role": "tool", "tool_call_id": "1", "content": lines(h, "", "")}],
        {"stream": True, "tools": [TOOL]},
    ),
    (
        "the last round, without tools and streaming",
        [TABLE], {"tools": [TOOL]}, 1.0,
        lambda h: [*h, user("Zoek het op"),
                   {"role": "assistant", "content": "", "tool_calls": [
                       {"id": "1", "type": "function", "function": {"name": "shell", "arguments": "{}"}}]},
                   {"role": "tool", "tool_call_id": "1", "content": lines(h, "", "")}],
        {"stream": False},
    ),
    (
        "an unrelated question in another chat right away",
        [RENT], {}, 0.5, lambda _: [user("What is the boiling point of ethanol?")], {"stream": False},
    ),
    (
        "the answer to be continued by the model",
        [JOB], {}, 2.0, lambda h: h, CHAT,
    ),
    (
        "a reminder of the client after each message",
        [JOB], {}, PEOPLE, lambda h: [*h, user("E se lavoro di giorno?"), system("Rispondi in italiano.")],
        CHAT,
    ),
    (
        "two messages in a row, the first without an answer",
        [JOB], {}, PEOPLE, lambda h: [*h, user("Un momento."), user("E se ho un bambino piccolo?")], CHAT,
    ),
    (
        "both sides told in the user's own order in a chat without history",
        [YES], {}, PEOPLE, lambda h: [user(f"You said yes when I asked '{h[0]['content']}'. Why?")], CHAT,
    ),
    (
        "a long text pasted that contains the answer somewhere",
        [RENT], {}, PEOPLE, lambda h: [user("Resume esta nota.\n" + "Texto. " * 500 + h[-1]["content"])],
        CHAT,
    ),
    (
        "an earlier turn branched off with another model's settings",
        [RENT, JOB], {}, PEOPLE, lambda h: [*h[:2], user("¿Y en Alicante?")], {"stream": True, "max_tokens": 400},
    ),
    (
        "a translation of the answer by a small tool of the user",
        [KNEE], {}, PEOPLE, lambda h: [system("Translate."), user("To English: " + h[-1]["content"])],
        {"stream": True, "max_tokens": 4000},
    ),
    (
        "a second opinion on the whole chat, asked for in another client by the user",
        [JOB], {}, PEOPLE,
        lambda h: [system("Sei un medico."), user("Ho parlato con un altro.\n" + lines(h, "Io: ", "Lui: ")
                                                  + "\nSono anche asmatica: che ne pensi?")],
        CHAT,
    ),
    (
        "few examples in the request of a program",
        [RENT], {}, 1.0,
        lambda _: [user("A: good"), assistant("positive"), user("B: bad"), assistant("negative"),
                   user("C: " + json.dumps("fine"))],
        {"stream": False, "max_tokens": 3},
    ),
)  # fmt: skip


WAS_FALSE = {
    "a translation of the answer by a small tool of the user",
    "a second opinion on the whole chat, asked for in another client by the user",
}


async def judged(_what, turns, chatting, after, messages, asking):
    return await is_aside(turns, messages, after=after, chatting=chatting, asking=asking)


@rows("row", ASIDES)
async def test_what_a_client_asks_about_a_turn_is_no_turn(row):
    """Structures that nobody looked at before."""
    assert await judged(*row) is (row[0] not in MISSED)


@rows("row", TURNS)
async def test_what_the_user_says_stays_a_turn(row):
    """Decoys that nobody looked at before."""
    assert await judged(*row) is False
