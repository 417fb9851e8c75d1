"""Exports of ChatGPT, Claude and Gemini after their public formats, made up for tests."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from itertools import pairwise

BEGUN = (datetime.now(UTC) - timedelta(days=60)).replace(hour=9, minute=0, second=0, microsecond=0)
"""Within what is recalled of what was said."""


def minutes(number):
    return BEGUN + timedelta(minutes=number)


def chatgpt_message(role, text, number, *, kind="text", parts=None, **more):
    """A message of ChatGPT's, so many minutes after the beginning."""
    metadata = {"model_slug": "gpt-5"} if role == "assistant" else {}
    return {
        "id": f"m{number}",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": None if role == "system" else minutes(number).timestamp(),
        "update_time": None,
        "content": {"content_type": kind, "parts": [text] if parts is None else parts},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": metadata | more.pop("metadata", {}),
        "recipient": "all",
        "channel": None,
    } | more


def chatgpt(*messages, name="c1", **more):
    """A conversation with one branch, below the empty system message that each begins with."""
    nodes = ["root", *(f"{name}-{number}" for number in range(len(messages)))]
    said = [chatgpt_message("system", "", 0, weight=0.0), *messages]
    mapping = {
        node: {"id": node, "message": message, "parent": None, "children": []}
        for node, message in zip(nodes, said, strict=True)
    }
    for parent, child in pairwise(nodes):
        mapping[child]["parent"] = parent
        mapping[parent]["children"].append(child)
    return {
        "title": "A chat",
        "create_time": BEGUN.timestamp(),
        "update_time": BEGUN.timestamp(),
        "mapping": mapping,
        "moderation_results": [],
        "current_node": nodes[-1],
        "conversation_id": name,
        "id": name,
        "is_archived": False,
        "is_do_not_remember": False,
    } | more


def talk(*texts, first=0):
    """The messages of a talk: the user's and the assistant's in turn."""
    roles = ("user", "assistant")
    return [chatgpt_message(roles[n % 2], text, first + n) for n, text in enumerate(texts)]


def claude(*texts, name="c1", first=0):
    """A conversation of Claude's export."""
    senders = ("human", "assistant")
    return {
        "uuid": name,
        "name": "A chat",
        "created_at": stamp(first),
        "updated_at": stamp(first),
        "account": {"uuid": "a"},
        "chat_messages": [
            claude_message(senders[n % 2], text, first + n) for n, text in enumerate(texts)
        ],
    }


def claude_message(sender, text, number, **more):
    return {
        "uuid": f"m{number}",
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "sender": sender,
        "created_at": stamp(number),
        "updated_at": stamp(number),
        "attachments": [],
        "files": [],
    } | more


def gemini(title, number, *answers, **more):
    """An activity of Gemini's."""
    return {
        "header": "Gemini Apps",
        "title": title,
        "time": stamp(number),
        "products": ["Gemini Apps"],
        "activityControls": ["Gemini Apps Activity"],
        "safeHtmlItem": [{"html": each} for each in answers],
    } | more


def stamp(number):
    return minutes(number).isoformat().replace("+00:00", "Z")


def written(path, value):
    """A file with this JSON."""
    path.write_text(json.dumps(value), "utf-8")
    return path


def zipped(path, **files):
    """An archive with these files: JSON, or bytes as they are."""
    return packed(path, files)


def packed(path, files):
    """The same, by paths in the archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(name, data)
    return path


def of_years(messages, each=40):
    """Conversations with so many messages in all, as somebody has them in some years."""
    for at in range(0, messages, each):
        count = min(each, messages - at)
        texts = [
            f"In week {at + n} I wrote to Ada about boat number {at + n}. " + "Long talk. " * 20
            if n % 2 == 0
            else f"Here is what I know of boat {at + n}. " + "It floats on water. " * 60
            for n in range(count)
        ]
        yield chatgpt(*talk(*texts, first=at), name=f"c{at}")
