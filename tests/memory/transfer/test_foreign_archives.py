"""Exports that are refused: each refusal names the file or the place, and what is wrong."""

from __future__ import annotations

import io
import json

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.transfer.chats import archive, json_items, read_export
from tests.support.chat_exports import (
    chatgpt,
    chatgpt_message,
    claude,
    gemini,
    packed,
    talk,
    written,
)
from tests.support.folding import rows

GOOD = chatgpt(*talk("I sail.", "Nice!"))
OUTSIDE = ("../conversations.json", "/etc/conversations.json", "a\\..\\..\\b.json", "C:\\b.json")


def refused(path, service="chatgpt"):
    with pytest.raises(InvalidInputError) as caught:
        list(read_export(service, path))
    return str(caught.value)


@rows("name", OUTSIDE)
def test_a_path_outside_of_the_archive(tmp_path, name):
    """The whole archive is refused, whatever else is in it."""
    path = packed(tmp_path / "export.zip", {"conversations.json": [GOOD], name: b"x"})
    assert "leads outside of the archive" in refused(path)


def test_archives_that_are_damaged_or_empty(tmp_path):
    """Cut off, with other bytes in it, encrypted, or without a file of conversations."""
    path = packed(tmp_path / "export.zip", {"conversations.json": [GOOD] * 50})
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "export.zip" in refused(path)
    assert "not whole" in refused(path)
    middle = whole.index(b"conversations.json") + 60
    path.write_bytes(whole[:middle] + bytes(40) + whole[middle + 40 :])
    assert "conversations.json" in refused(path)
    assert "is damaged" in refused(path)
    packed(path, {"chat.html": b"<html>"})
    assert "has no conversations.json in it" in refused(path)
    packed(path, {"Takeout/My Activity/Gemini Apps/MyActivity.html": b"<html>"})
    assert "MyActivity.json (Google Takeout gives HTML unless JSON is chosen)" in refused(
        path, "gemini"
    )
    # The mark of encryption, in the list at the end.
    at = whole.rindex(b"PK\x01\x02") + 8
    path.write_bytes(whole[:at] + b"\x01" + whole[at + 1 :])
    assert "encrypted" in refused(path)


def test_archives_of_an_absurd_size(tmp_path, monkeypatch):
    """By what the archive says of a file, by its own size, and by how many files it has."""
    path = packed(tmp_path / "export.zip", {"conversations.json": [GOOD], "other.json": b"x"})
    with monkeypatch.context() as less:
        less.setattr(archive, "MOST_BYTES", 100)
        assert "conversations.json: must have at most 100 bytes" in refused(path)
        alone = written(tmp_path / "conversations.json", [GOOD])
        assert "conversations.json: must have at most 100 bytes" in refused(alone)
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1)
    assert "at most 1 files" in refused(path)
    monkeypatch.setattr(archive, "MOST_ARCHIVE_BYTES", 100)
    assert "export.zip: must have at most 100 bytes" in refused(path)


def test_an_archive_of_four_gigabytes(tmp_path):
    """It is refused before anything of it is read."""
    path = tmp_path / "export.zip"
    with path.open("wb") as file:
        file.write(b"PK")
        file.truncate(4 * 2**30)
    assert "must have at most" in refused(path)
    with path.open("r+b") as file:
        file.write(b"[ ")
    assert "must have at most" in refused(path)


def test_a_file_that_is_cut_off(tmp_path):
    """Wherever it ends, that is found, and no other number of entries is told."""
    data = json.dumps([GOOD, GOOD]).encode()
    path = tmp_path / "conversations.json"
    for end in (0, 1, 2, 300, len(data) // 2, len(data) - 2, len(data) - 1):
        path.write_bytes(data[:end])
        assert refused(path).startswith("conversations.json"), end
    path.write_bytes(data[:-1])
    assert "ends after entry 2" in refused(path)
    path.write_bytes(data + b"[]")
    assert "after entry 2" in refused(path)


NEWER = (
    ("chatgpt", [{"id": "a", "title": "b"}], "entry 1, mapping"),
    (
        "chatgpt",
        [GOOD, claude("Hi")],
        "entry 2, mapping: expected an object: this export is of claude",
    ),
    ("chatgpt", [gemini("Prompted Hi", 1)], "this export is of gemini, import it as that"),
    ("chatgpt", [GOOD | {"mapping": None}], "mapping: expected an object: the export may be of"),
    ("chatgpt", [GOOD | {"mapping": {"a": 1}}], "mapping.a"),
    ("chatgpt", [GOOD | {"conversation_id": None, "id": 1}], "conversation_id"),
    ("chatgpt", {"conversations": []}, "expected a list"),
    ("chatgpt", [1], "expected an object"),
    ("claude", [GOOD], "chat_messages: expected a list: this export is of chatgpt"),
    ("claude", [claude("Hi") | {"chat_messages": [{"uuid": "a"}]}], "chat_messages[0].sender"),
    ("claude", [claude() | {"uuid": None}], "entry 1, uuid"),
    ("gemini", [{"time": "now"}], "entry 1, title"),
    (
        "gemini",
        [GOOD],
        "entry 1, time: expected a time in ISO 8601 with its offset: this export is of",
    ),
    ("gemini", [claude("Hi")], "entry 1, title: expected text: this export is of claude"),
    ("gemini", [gemini("Prompted Hi", 1) | {"time": "now"}], "dates that can be read: the export"),
    ("gemini", [gemini("Prompt eingegeben: Hallo", 1)], "language of the Google account"),
)


@rows("service, value, place", NEWER)
def test_another_format(tmp_path, service, value, place):
    """The place is named, and whose export it may be."""
    assert place in refused(written(tmp_path / "conversations.json", value), service)


def test_an_entry_that_is_too_much(tmp_path, monkeypatch):
    """Long, deep, or of very many values: it is refused before it is parsed."""
    path = tmp_path / "conversations.json"
    path.write_text('[{"a": ' + "[" * 5000 + "]" * 5000 + "}]")
    assert "entry 1: expected at most 200" in refused(path)
    path.write_text('[{"a": [' + "1," * 1_000_000 + "1]}]")
    assert "entry 1: expected at most 1000000" in refused(path)
    monkeypatch.setattr(json_items, "MOST_BYTES", 1000)
    for much in ('[{"a": "' + "x" * 2_000_000, '[{"a": [' + "1," * 600_000):
        path.write_text(much)
        assert "entry 1: must have at most 1000 bytes" in refused(path)


class Drops:
    """A file that gives a few bytes at a time."""

    def __init__(self, data, size):
        self.file, self.size = io.BytesIO(data), size

    def read(self, _size=-1):
        return self.file.read(self.size)


def test_entries_wherever_the_file_is_cut():
    """Brackets and quotation marks in texts end nothing, whatever is read at a time."""
    values = [{"a": 'x"]}[{\\', "b": [{"c": "\\\\"}]}, {}, {"d": "é\U0001f6a3 \\u00e9 ]"}]
    data = b"\xef\xbb\xbf\n" + json.dumps(values, indent=1, ensure_ascii=False).encode()
    for size in range(3, 40):
        found = [value for _, value in json_items.items(Drops(data, size), "file")]
        assert found == values, size


SAMPLES = {
    "chatgpt": chatgpt(*talk("I sail.", "Nice!"), chatgpt_message("user", "", 2, parts=[{"a": 1}])),
    "claude": claude("I sail.", "Nice!"),
    "gemini": gemini("Prompted I sail.", 1, "<p>Nice!</p>", attachedFiles=["a"]),
}
ODD = (None, True, -1.5, 10**400, "x", [], {}, [1], {"a": {}}, [[]])


def places(value, path=()):
    """Where something stands in a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in entries:
        yield (*path, name)
        if isinstance(inner, (dict, list)):
            yield from places(inner, (*path, name))


def changed(value, path, odd):
    """The value with something else in a place."""
    copy = json.loads(json.dumps(value))
    at = copy
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = odd
    return copy


@rows("service", SAMPLES)
def test_whatever_stands_in_an_entry(tmp_path, service):
    """Anything in any place is read or refused with a name, and fails in no other way."""
    sample, path = SAMPLES[service], tmp_path / "conversations.json"
    for place in places(sample):
        for odd in ODD:
            written(path, [changed(sample, place, odd), sample])
            told = ""
            try:
                found = any(each.turns for each in read_export(service, path))
            except InvalidInputError as error:
                told = str(error)
            assert "entry 1" in told or (found and not told), (place, odd)


def test_answers_with_any_html(tmp_path):
    """What is no HTML ends no import, and takes no time."""
    for html in ("<![foo[", "<" * 1_000_000, "<p" * 500_000, "a < b &amp; c", "<!--", "&#0;"):
        value = [gemini("Prompted I sail.", 1, html)]
        [found] = read_export("gemini", written(tmp_path / "a.json", value))
        assert found.turns[0].text == "I sail."
