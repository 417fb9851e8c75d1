"""Whose words the parts of a message are, by its structure; nothing of it is lost."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.structure import own_words, parts_of
from recollect.memory.language.supplied_parts import is_field, is_item, opens
from tests.memory.language.test_any_text import calls
from tests.support.budget import sampled
from tests.support.folding import rows

DOG = "My dog is called Bruno."
TRACE = 'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: no'
MAIL = "From: a@b.example\nTo: d@e.example\nSubject: Hi\n\nI live in Rome.\n\nRegards,\nBob"
LETTER = "Dear Ms Abara,\nI live in Rome.\nKind regards,\nBob"
CHAT = "Bob: I live in Rome.\nAnn: Me too.\nBob: Nice."


@rows(
    "material",
    [
        "```\nI live in Rome.\n```",
        '```json\n{"sender": "x"}\n```',
        "~~~\nx\n~~~",
        '"""\nI live in Rome.\n"""',
        "> I live in Rome.\n> I have a cat.",
        "<log>\nI live in Rome.\n</log>",
        '<page id="1">I live in Rome.</page>',
        '{"a": {"b": 1}}',
        '[{"a": 1},\n {"b": 2}]',
        "@@ -1 +1 @@\n-old = 1\n+new = 2",
        "def f(x):\n    return g(x);\n}",
        TRACE,
        '"name": "prod-eu",',
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "1;2;3\n4;5;6",
        MAIL,
        LETTER,
        CHAT,
        "[12:30] I live in Rome.\n[12:31] Me too.",
    ],
)
def test_what_is_handed_over_is_material(material):
    """What stands before it and behind it is the user's own, and all of it is kept as written."""
    found = parts_of(
        f"This is the output.\n\n{material}\n\n{DOG}" if material != MAIL else material
    )
    assert [part.text for part in found if not part.own] == [material]
    if material != MAIL:  # it may go on to the end
        assert [part.text for part in found if part.own] == ["This is the output.", DOG]


@rows(
    "text",
    [
        DOG,
        "My allergies are:\n- nuts\n- cats",
        "I have two dogs:\n1. Rex\n2. Bo",
        "Name: Jonas\nCity: Graz\nAllergies: penicillin",
        "My package manager is `pnpm`.",
        "My school is 'Little Oaks', and \"Two Elms\" before.",
        "My shop is <b>Elm & Sons</b>.",
        f"[12:30] {DOG} [sent from my phone]",
        "Here is my address:\n\nElm Street 5",
        "I pay 1,200 a month; I have 3 cats.",
        "Hi there,\nI live in Rome.",
        f'"""\n{DOG}',
        "Bob: hi",
    ],
)
def test_what_is_told_is_the_users_own(text):
    """Lists, forms, values in backticks, quotes and elements, and what only begins as material."""
    [part] = parts_of(text)
    assert part == (text, True)


@rows(
    "text",
    [
        f"<b>{DOG}</b>", f'<message id="1">\n{DOG}\n</message>', f'{{"text": "{DOG}"}}',
        f'{{"time": 7, "content": "{DOG}"}}',
    ],
)  # fmt: skip
def test_envelopes_of_clients_are_opened(text):
    """Around the whole message, an element or an object says nothing of whose it is."""
    assert own_words(text).strip() == DOG


@rows(
    "text, own",
    [
        ("Translate this: I live in Rome.", "Translate this: "),
        ("Translate this:\n\nI live in Rome.", "Translate this:"),
        (f"{DOG}\n\nProofread this:\n\nMy name is Bob.", f"{DOG}\n\nProofread this:"),
        ("My name is Bob.\n\nSummarise this text.", "Summarise this text."),
        (f"Summarise this:\n```\nI am Bob.\n```\n{DOG}", f"Summarise this:\n\n{DOG}"),
        (f"Summarise this: “I am Bob.” {DOG}", f"Summarise this: \n\n {DOG}"),
        ("The text is:\n\nI live in Rome.", "The text is:"),
    ],
)
def test_what_is_to_be_worked_on_is_material(text, own):
    """What an order hands over; what stands before it is the user's own."""
    assert own_words(text) == own


def test_what_a_client_asks_by_itself_is_material():
    """As a title for a chat; an empty message has no part."""
    chore = "Generate a concise, 3-5 word title for this chat.\n\n<chat>I live in Rome.</chat>"
    assert "Rome" not in own_words(chore)
    assert parts_of(" \n\t") == []


PIECES = st.sampled_from(
    ["```", "~~~", '"""', "'''", "> ", "<a>", "</a>", "<b c='d'>", "{", "}", "[", "]", '"a": 1', ":",
     "- ", "+ ", "1. ", "|", ",", ";", "\n", "\n", "\n\n", " ", "From: x", "To: y", "Bob: ", "12:30 ",
     "Dear A,", "I live in Rome.", "Translate this: ", "“", "”", "=", "日本。", "\ud800", "\x85", "\u2028"],
)  # fmt: skip


@given(st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=60)))
def test_nothing_is_lost(text):
    """All that is not blank is in some part, in order, unless all of it was one envelope."""
    told = "".join("".join(part.text for part in parts_of(text)).split())
    whole = "".join(text.split())
    assert told == whole or (whole[:1] in ("<", "{") and told in whole)


def test_items_fields_and_headings():
    """Told by their signs in any script."""
    assert all(map(is_item, ["- a", "* a", "• a", "1. a", "2) a", "a) x", "１. x", "  - a"]))
    assert not any(map(is_item, ["a", "-", "1.5 km", "12:30 x", "I am."]))
    assert all(map(is_field, ["Name: Jonas", "City = Graz", "名前：太郎", "Cat - Bo"]))
    assert not any(map(is_field, ["Jonas", "Name:", "12: x"]))
    assert all(map(opens, ["My list:", "リスト："]))


NASTY = {
    "open elements": "<a>\n", "elements in a line": "<a>", "attributes": "<a b=", "fences": "```\n",
    "other fences": "~~~\n```\n", "quotes": '""" x\n', "brackets": "[\n", "depth": "[", "objects": '{"a":\n',
    "small objects": '{"a": 1} x\n', "calls": "a(", "quoted": ">\n", "colons": "a: ", "keys": "a:\n",
    "headings": "a:\n\n", "spaces": " ", "items": "- a\n", "numbers": "1. ", "paragraphs": "a\n\n",
    "mails": "From: a\nTo: b\n\n", "chat": "A: b\n", "letters": "Dear A,\n", "cells": "\t|",
    "orders": "Translate this: ", "more orders": "Translate this\n\n", "open quotes": ": “",
}  # fmt: skip


@rows("kind", sampled([*NASTY]))
def test_work_grows_with_the_text(kind):
    """Four times what is never closed is about four times the work, but for rules of short texts."""
    short, long = ((NASTY[kind] * most)[:most] for most in (25_000, 100_000))
    calls(parts_of, short)
    few, many = calls(parts_of, short), calls(parts_of, long)
    assert many <= 4.8 * few + len(long) / 4


def test_elements_of_many_names_cost_one_look():
    """Each is sought from the line on in which it begins."""
    short, long = ("\n".join(f"<a{n}>" for n in range(most)) for most in (500, 2000))
    assert calls(parts_of, long) <= 4.8 * calls(parts_of, short)
