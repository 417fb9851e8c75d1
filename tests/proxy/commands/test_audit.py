"""`recollect audit`: exports what memory did, and names what is missing, changed or elsewhere."""

import asyncio
import json
import os
import sqlite3
from contextlib import redirect_stdout

import pytest

from recollect.memory.model.errors import StateError
from recollect.proxy.cli import main

from .test_explain import TEA, Running

HERS = ["--user", "alice"]


async def audit(*arguments):
    """Run it while the proxy serves."""
    return await asyncio.to_thread(main, ["audit", *arguments])


@pytest.fixture
def kept(environ, tmp_path, capsys):
    """A folder with some events, and their export."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "9")
    for text in (TEA, "Alice owns a red bicycle", "Alice has a cat"):
        assert main(["memories", "add", text, *HERS]) == 0
    file = tmp_path / "audit.jsonl"
    assert main(["audit", "export", str(file), *HERS]) == 0
    capsys.readouterr()
    return file


def verified(capsys, *arguments):
    """The exit status, and what is told."""
    status = main(["audit", "verify", *map(str, arguments)])
    told = capsys.readouterr()
    return status, told.err + told.out


async def test_through_a_running_proxy(environ, capsysbinary, tmp_path):
    """What the proxy keeps is exported and verified; with --text it has the texts."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        assert await audit("export", "-", *HERS) == 0
        plain = capsysbinary.readouterr().out
        assert await audit("export", "-", "--text", *HERS) == 0
        joined = capsysbinary.readouterr().out
        assert await audit("verify", "--all") == 0
        assert b"1 event of 1 chain agree" in capsysbinary.readouterr().err
    assert TEA.encode() not in plain
    assert TEA.encode() in joined
    for name, data in (("plain", plain), ("joined", joined)):
        (tmp_path / name).write_bytes(data)
        assert await audit("verify", str(tmp_path / name)) == 0
    (tmp_path / "joined").write_bytes(joined.replace(b"green", b"black"))
    assert await audit("verify", str(tmp_path / "joined")) == 1
    assert b"tells another text" in capsysbinary.readouterr().err


def test_a_reader_of_the_output_may_leave(environ, kept, capsys):
    """As of other output: `head` has what it wants, and nothing failed."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "9")
    read, write = os.pipe()
    os.close(read)
    with capsys.disabled(), os.fdopen(write, "w") as left, redirect_stdout(left):
        assert main(["audit", "export", "-", *HERS]) == 0


def test_of_whom_there_are_no_events(kept, capsys):
    """Nothing that agrees is not told as if it were a proof."""
    status, told = verified(capsys, "--user", "nobody")
    assert (status, told) == (0, "there are no events: user nobody (tenant local)\n")


def test_whose_events_were_looked_at(kept, capsys):
    """Who names nobody is told which user that is, and how to look at everybody."""
    own = "user default (tenant local); --all is everybody"
    assert verified(capsys) == (0, f"there are no events: {own}\n")
    assert main(["memories", "add", TEA]) == 0
    capsys.readouterr()
    assert f"1 event of 1 chain agree: {own}\n" in verified(capsys)[1]
    assert "4 events of 2 chains agree: everybody\n" in verified(capsys, "--all")[1]
    assert "agree: user alice (tenant local)\n" in verified(capsys, *HERS)[1]
    assert main(["audit", "export", "-"]) == 0
    assert f"4 lines of the event log exported: {own}" in capsys.readouterr().err


def test_a_whole_log_and_its_head(kept, capsys):
    """The status is 0, the hash of the last event is told, and a hash from elsewhere is compared."""
    for file in ((), (kept,)):
        status, told = verified(capsys, *file, *HERS)
        assert status == 0
        assert "3 events of 1 chain agree" in told
    head = told.split("head ")[1].split()[0]
    assert f"head {head}  user alice" in told
    assert main(["memories", "add", "Alice plays chess", *HERS]) == 0
    assert verified(capsys, *HERS, "--head", head)[0] == 0
    status, told = verified(capsys, *HERS, "--head", "0" * 64)
    assert status == 1
    assert "is not in the log" in told


def lines_of(kept):
    return kept.read_bytes().splitlines(keepends=True)


def without_second(lines):
    return [*lines[:3], *lines[4:]]


def with_changed(lines):
    return [*lines[:3], lines[3].replace(b'"append"', b'"revoke"'), *lines[4:]]


def with_two_swapped(lines):
    return [*lines[:3], lines[4], lines[3], *lines[5:]]


def cut_in_a_line(lines):
    return [*lines[:3], lines[3][:40]]


def cut_after_a_line(lines):
    return lines[:4]


def without_the_last(lines):
    return [*lines[:4], lines[5]]


def twice_the_same(lines):
    return [*lines[:3], *lines[2:]]


def of_a_newer_version(lines):
    return [b'{"recollect_audit":2}\n', *lines[1:]]


def without_a_header(lines):
    return lines[1:]


def of_something_else(_lines):
    return [b"hello\n"]


def with_another_key(lines):
    return [*lines[:3], lines[3].replace(b'{"at"', b'{"aa":1,"at"'), *lines[4:]]


def without_lines(lines):
    return [*lines[:3], b'{"event":"append"}\n', *lines[4:]]


def with_one_more(lines):
    return [*lines, lines[3]]


def with_another_end(lines):
    return [*lines[:-1], lines[-1].replace(b'"events":3', b'"events":4')]


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (without_second, 4, "event 2 of user alice is missing or elsewhere"),
        (with_changed, 4, "event 2 of user alice was changed"),
        (with_two_swapped, 4, "before event 3, event 2"),
        (cut_in_a_line, 4, "cut off"),
        (cut_after_a_line, 5, "the end is missing"),
        (without_the_last, 5, "event 3 of user alice is missing"),
        (twice_the_same, 4, "event 1 of user alice stands after event 1"),
        (of_a_newer_version, 1, "of version 2, and this program reads 1"),
        (without_a_header, 1, "is not the header"),
        (of_something_else, 1, "no whole line"),
        (with_another_key, 4, "was changed"),
        (without_lines, 4, "no line of an event log"),
        (with_one_more, 7, "stands after the end"),
        (with_another_end, 6, "tells of 4 events"),
    ],
)
def test_a_file_that_was_touched_is_named_by_its_line(kept, capsys, change, line, words):
    """Missing, changed, swapped, cut off, of a newer version: the line and the event are named."""
    kept.write_bytes(b"".join(change(lines_of(kept))))
    status, told = verified(capsys, kept)
    assert status == 1
    assert f"line {line}: " in told
    assert words in told


def test_a_file_that_is_not_there(capsys, tmp_path):
    """It is named."""
    status, told = verified(capsys, tmp_path / "none")
    assert status == 1
    assert "none: No such file" in told


def test_an_export_once_more_written_is_another_log(kept, capsys):
    """Whoever writes all events anew has other hashes: the head that was kept shows it."""
    from recollect.memory.model.deeds import canonical, hash_of

    head = verified(capsys, kept)[1].split("head ")[1].split()[0]
    lines, previous = lines_of(kept), ""
    for at in (2, 3, 4):
        told = json.loads(lines[at]) | {"previous": previous, "why": "UPDATE"}
        told.pop("hash")
        previous = hash_of(canonical(told))
        lines[at] = canonical(told | {"hash": previous}).encode() + b"\n"
    chain = json.loads(lines[1])
    chain["chain"]["head"][1] = previous
    lines[1] = canonical(chain).encode() + b"\n"
    kept.write_bytes(b"".join(lines))
    assert verified(capsys, kept)[0] == 0
    assert verified(capsys, kept, "--head", head)[0] == 1


def test_rows_of_the_database_that_were_touched(kept, capsys, tmp_path):
    """A row that was deleted, and one that was changed, are named without a file, too."""
    file = tmp_path / "data" / "recollect.db"
    with sqlite3.connect(file) as database:
        [row] = database.execute("SELECT * FROM deeds WHERE seq = 2").fetchall()
        database.execute("DELETE FROM deeds WHERE seq = 2")
    status, told = verified(capsys, *HERS)
    assert status == 1
    assert "event 2 of user alice is missing" in told
    with sqlite3.connect(file) as database:
        changed = row[3].replace("ADD", "ODD")
        database.execute("INSERT INTO deeds VALUES (?, ?, ?, ?, ?)", (*row[:3], changed, row[4]))
    status, told = verified(capsys, *HERS)
    assert status == 1
    assert "event 2 of user alice was changed" in told


def test_a_folder_from_before_there_were_events(kept, capsys, tmp_path):
    """It opens, and its chain begins with what is done next."""
    with sqlite3.connect(tmp_path / "data" / "recollect.db") as database:
        for table in ("deeds", "deed_heads", "deed_salts"):
            database.execute(f"DROP TABLE {table}")
    assert "there are no events" in verified(capsys, *HERS)[1]
    assert main(["memories", "add", "Alice plays chess", *HERS]) == 0
    assert "1 event of 1 chain agree" in verified(capsys, *HERS)[1]
    assert kept.exists()


async def test_a_proxy_that_breaks_off_is_no_broken_chain(environ, capsys, monkeypatch):
    """It is told as what it is, not as events that are missing."""

    async def breaks(self, **_ids):
        yield b'{"recollect_audit":1,"at":""}\n'
        yield b""
        raise StateError("gone")

    monkeypatch.setattr("recollect.memory.AsyncMemory.audit_lines", breaks)
    async with Running(environ):
        assert await audit("verify", *HERS) == 1
    told = capsys.readouterr().err
    assert "the proxy breaks off the event log" in told
    assert "missing" not in told
