"""What is read of the exports of ChatGPT, Claude and Gemini: dated turns, the rest counted."""

from __future__ import annotations

from recollect.memory.transfer.chats import read_export
from recollect.memory.transfer.chats.reading import SERVICES
from recollect.proxy.commands import earlier_chats
from tests.support.chat_exports import (
    BEGUN,
    chatgpt,
    chatgpt_message,
    claude,
    claude_message,
    gemini,
    minutes,
    talk,
    written,
    zipped,
)


def read(tmp_path, service, value):
    """The conversations of an export with this list."""
    return list(read_export(service, written(tmp_path / "export.json", value)))


def told(conversation):
    return [(each.text, each.answer) for each in conversation.turns]


def left(conversation):
    return {rule: number for rule, number in conversation.left_out.items() if number}


def test_the_command_knows_every_service():
    """Its arguments are there before the engine is loaded."""
    assert earlier_chats.SERVICES == SERVICES


def test_a_talk_with_chatgpt(tmp_path):
    """Messages are turns with the date and the answer; the same message has the same id again."""
    value = [chatgpt(*talk("I sail.", "Nice!", "On Loch Awe.", "Lovely.")), chatgpt(name="c2")]
    first, empty = read(tmp_path, "chatgpt", value)
    assert told(first) == [("I sail.", "Nice!"), ("On Loch Awe.", "Lovely.")]
    assert [each.at for each in first.turns] == [BEGUN, minutes(2)]
    assert (first.turns[0].model, first.messages, left(first)) == ("gpt-5", 4, {})
    assert (empty.turns, left(empty)) == ([], {})
    longer = chatgpt(*talk("I sail.", "Nice!", "On Loch Awe.", "Lovely.", "Alone."))
    [later] = read(tmp_path, "chatgpt", [longer])
    assert later.id == first.id
    assert [each.id for each in later.turns[:2]] == [each.id for each in first.turns]


def test_the_branch_that_is_current(tmp_path):
    """Edited messages and answers that were asked for again are counted; so is a tree with a loop read."""
    value = chatgpt(*talk("I live in Oslo.", "I see."))
    edited = chatgpt_message("user", "I live in Bergen.", 3)
    value["mapping"]["new"] = {"message": edited, "parent": "root", "children": []}
    value["current_node"] = "new"
    [one] = read(tmp_path, "chatgpt", [value])
    assert told(one) == [("I live in Bergen.", "")]
    assert left(one) == {"messages on branches that were left": 2}
    value["current_node"] = "gone"
    assert told(read(tmp_path, "chatgpt", [value])[0]) == [("I live in Bergen.", "")]
    value["mapping"]["root"]["parent"] = "new"
    assert told(read(tmp_path, "chatgpt", [value])[0]) == [("I live in Bergen.", "")]


def test_what_is_left_out_of_chatgpt(tmp_path):
    """Tools, thoughts, instructions, hidden messages and attachments; spoken words are kept."""
    spoken = [
        {"content_type": "audio_transcription", "text": "I said this aloud."},
        {"content_type": "audio_asset_pointer", "asset_pointer": "file"},
    ]
    value = chatgpt(
        chatgpt_message("user", "", 0, kind="user_editable_context", user_profile="A sailor"),
        chatgpt_message("system", "Be brief.", 0),
        chatgpt_message("user", "", 1, kind="multimodal_text", parts=spoken),
        chatgpt_message("assistant", "", 2, kind="thoughts"),
        chatgpt_message("assistant", "find()", 3, kind="code", recipient="browser"),
        chatgpt_message("tool", "found", 4),
        chatgpt_message("assistant", "Aloud, yes.", 5),
        chatgpt_message("user", "Deleted.", 6, weight=0.0),
        chatgpt_message(
            "user", "Hidden.", 7, metadata={"is_visually_hidden_from_conversation": True}
        ),
        chatgpt_message("user", "", 8, parts=[{"content_type": "image_asset_pointer"}]),
        chatgpt_message("assistant", "A fine boat.", 9),
        chatgpt_message("user", "See this", 10, metadata={"attachments": [{"id": "a"}] * 2}),
    )
    [one] = read(tmp_path, "chatgpt", [value])
    assert told(one) == [("I said this aloud.", "Aloud, yes."), ("See this", "")]
    assert left(one) == {
        "instructions": 2,
        "thoughts of a model": 1,
        "calls and results of tools": 2,
        "hidden or deleted messages": 2,
        "attachments": 4,
    }


def test_a_message_without_content(tmp_path):
    """It is left out and counted, and refuses no other one."""
    empty = chatgpt_message("assistant", "", 1, content=None)
    value = chatgpt(*talk("I sail."), empty, *talk("In a cutter.", "Nice!", first=2))
    [one] = read(tmp_path, "chatgpt", [value])
    assert told(one) == [("I sail.", ""), ("In a cutter.", "Nice!")]
    assert left(one) == {"entries of another kind": 1}


UNDATED = "messages of conversations without a date that can be read"


def undated(*texts, **more):
    """A conversation of ChatGPT's in which no message has a date."""
    said = [each | {"create_time": None} for each in talk(*texts)]
    return chatgpt(*said, name="c2", **{"create_time": None, "update_time": None} | more)


def test_a_conversation_without_a_date(tmp_path):
    """It is left out and counted, and refuses no other one; any date of it dates all of it."""
    dated = chatgpt(*talk("I sail."))
    for lost in (None, 0, "yesterday", 1e15):
        value = [dated, undated("I row.", "Nice!", create_time=lost)]
        first, second = read(tmp_path, "chatgpt", value)
        assert (told(first), told(second)) == ([("I sail.", "")], []), lost
        assert left(second) == {UNDATED: 2}
    for name in ("create_time", "update_time"):
        [one] = read(tmp_path, "chatgpt", [undated("I row.", **{name: BEGUN.timestamp()})])
        assert [each.at for each in one.turns] == [BEGUN]
    value = undated("I row.", "Nice!", "At dawn.")
    value["mapping"]["c2-2"]["message"]["create_time"] = minutes(5).timestamp()
    [one] = read(tmp_path, "chatgpt", [value])
    assert told(one) == [("I row.", "Nice!"), ("At dawn.", "")]
    assert [each.at for each in one.turns] == [minutes(5)] * 2


def test_no_date_of_other_services(tmp_path):
    """What has none is left out and counted there too, or has that of its conversation."""
    lost = {"created_at": None, "updated_at": "soon"}
    value = claude("I row.", "Nice!", name="c2") | lost
    value["chat_messages"] = [each | lost for each in value["chat_messages"]]
    kept = claude("I keep bees.") | {"chat_messages": [claude_message("human", "Six.", 0, **lost)]}
    first, second = read(tmp_path, "claude", [kept, value])
    assert ([each.at for each in first.turns], told(second)) == ([BEGUN], [])
    assert left(second) == {UNDATED: 2}
    value = [gemini("Prompted Hello", 1), gemini("Prompted Bye", 2) | {"time": None}]
    first, second = read(tmp_path, "gemini", value)
    assert (told(first), left(second)) == ([("Hello", "")], {UNDATED: 1})


def test_what_its_user_did_not_want_remembered(tmp_path):
    """A conversation with that mark is counted, and not read."""
    value = chatgpt(*talk("I am ill.", "Oh."), is_do_not_remember=True)
    [one] = read(tmp_path, "chatgpt", [value])
    assert (one.turns, left(one)) == ([], {"conversations that are not to be remembered": 1})


def test_half_a_character(tmp_path):
    """What no database keeps is replaced, not refused."""
    [one] = read(tmp_path, "chatgpt", [chatgpt(*talk("A \ud83d boat\0.", "\udc00"))])
    assert told(one) == [("A ? boat.", "?")]


def test_many_files_in_one_archive(tmp_path):
    """Large exports have their conversations in several."""
    path = zipped(
        tmp_path / "export.zip",
        **{
            "conversations-000.json": [chatgpt(*talk("One."))],
            "conversations-001.json": [chatgpt(*talk("Two."), name="c2")],
            "user.json": {"email": "a@b.example"},
            "chat.html": b"<html>",
        },
    )
    assert [told(one) for one in read_export("chatgpt", path)] == [[("One.", "")], [("Two.", "")]]


def test_a_talk_with_claude(tmp_path):
    """Texts of blocks are read, else the one of earlier exports; tools, thoughts, files counted."""
    value = claude("I keep bees.", "Good.")
    value["chat_messages"] += [
        claude_message("human", "Six hives.", 2, content=[], attachments=[{"file_name": "a"}]),
        claude_message(
            "assistant",
            "A mark of a tool",
            3,
            content=[
                {"type": "thinking", "thinking": "Hm."},
                {"type": "tool_use", "name": "search"},
                {"type": "text", "text": "Six!"},
            ],
        ),
    ]
    [one] = read(tmp_path, "claude", [value])
    assert told(one) == [("I keep bees.", "Good."), ("Six hives.", "Six!")]
    assert [each.at for each in one.turns] == [BEGUN, minutes(2)]
    assert left(one) == {
        "attachments": 1,
        "thoughts of a model": 1,
        "calls and results of tools": 1,
    }


def test_branches_of_claude(tmp_path):
    """Where messages name their parents, those up to the newest one count."""
    said = [
        claude_message("human", "I live in Oslo.", 0, parent_message_uuid="none"),
        claude_message("assistant", "I see.", 1, parent_message_uuid="m0"),
        claude_message("human", "No: Bergen.", 2, parent_message_uuid="m1"),
        claude_message("human", "In Bergen, sorry.", 3, parent_message_uuid="m1"),
    ]
    [one] = read(tmp_path, "claude", [claude() | {"chat_messages": said}])
    assert told(one) == [("I live in Oslo.", "I see."), ("In Bergen, sorry.", "")]
    assert left(one) == {"messages on branches that were left": 1}


def test_a_day_with_gemini(tmp_path):
    """Newest first in the file, in order here; the answer is text, the last of several."""
    value = [
        gemini("Gave feedback: Good response", 9),
        gemini("Prompted And at night?", 8, "<p>One.</p>", "<ul><li>A &amp; B</li><li>C</li></ul>"),
        gemini("Prompted I row at dawn.", 7, "<p>Cold, <b>no</b>?</p>", attachedFiles=["a.png"]),
        gemini("Prompted Earlier.", 7 - 24 * 60),
    ]
    last, first = read(tmp_path, "gemini", value)
    assert told(last) == [("I row at dawn.", "Cold, no?"), ("And at night?", "A & B\nC")]
    assert [each.at for each in last.turns] == [minutes(7), minutes(8)]
    assert left(last) == {"attachments": 1, "entries of another kind": 1}
    assert told(first) == [("Earlier.", "")]
