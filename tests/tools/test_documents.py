"""What `make docs` writes: current, and made of what the product has."""

import importlib.util
import inspect
import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from recollect.memory.language import packs
from recollect.memory.language.pack_reader import SECTIONS
from recollect.memory.tools import TOOLS
from recollect.memory.util.providers import providers
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows
from tools.vendor_frontend import LOCK, PACKAGES, check

ROOT = Path(__file__).parents[2]


@cache
def tool(name):
    """A program of `tools/` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, *arguments):
    """The status of the program; some take their arguments, others look for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [f"{name}.py", *arguments])
        main = tool(name).main
        return main(list(arguments)) if inspect.signature(main).parameters else main()


@rows(
    "name, page, said",
    [
        ("document_languages", "PAGE", "`pl` Polish"),
        ("document_providers", "PAGE", "ANTHROPIC_API_KEY"),
        ("document_operations", "PAGE", "| admin |"),
        ("document_operations", "COMMANDS_PAGE", "recollect serve"),
        ("document_tools", "PAGE", "| person |"),
        ("document_config", "YAML_FILE", "8787"),
        ("draw_flow", "TARGET", "Recollect"),
    ],
)
def test_pages_are_current_and_a_change_is_noticed(monkeypatch, tmp_path, name, page, said):
    """`make docs` would change nothing; a page that differs is found, and written."""
    module = tool(name)
    assert run(name, "--check") == 0
    text = getattr(module, page).read_text("utf-8")
    assert said in text
    stale = tmp_path / getattr(module, page).name
    stale.write_text(text.replace(said, "another"), "utf-8")
    monkeypatch.setattr(module, page, stale)
    if hasattr(module, "ROOT"):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    assert run(name, "--check") == 1
    assert run(name) == 0
    assert run(name, "--check") == 0
    monkeypatch.undo()


@rows("name", ["languages", "providers", "tools"])
def test_a_page_without_the_place_is_refused(name):
    """A mark that somebody deleted."""
    with pytest.raises(ValueError, match="no place"):
        tool(f"document_{name}").page("# A page\n")


def test_everything_is_in_its_table():
    """Each section and language, each route of ours with its right, each tool with its guard."""
    languages = tool("document_languages")
    assert languages.sections_table().count("\n| `[") == len(SECTIONS)
    named = re.findall(r"`(\w+)` ", languages.languages_table())
    assert sorted(named) == sorted(packs())
    table = tool("document_operations").routes()
    for each in ALL:
        listed = table.count(f"| `{each.method} {each.path}` | {each.right.word} |")
        assert listed == int(tool("document_operations").is_listed(each))
    table = tool("document_tools").table()
    for each in TOOLS:
        assert table.count(f"| `{each.name}` | {each.guard.value} |") == 1
    assert table.count("if a model is configured") == sum(each.needs_model for each in TOOLS)


def test_every_provider_has_its_line():
    """In the order of their file."""
    lines = tool("document_providers").table().splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == list(providers())


def test_no_box_of_the_picture_lies_outside_or_on_another():
    """And the picture is one."""
    picture = tool("draw_flow")
    boxes = [each[:4] for each in picture.BOXES.values()]
    for n, (x, y, width, height) in enumerate(boxes):
        assert 0 <= x < x + width <= picture.WIDTH
        assert 0 <= y < y + height <= picture.HEIGHT
        for left, top, wide, high in boxes[:n]:
            beside = x + width <= left or left + wide <= x
            assert beside or y + height <= top or top + high <= y
    assert ET.parse(picture.TARGET).getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_what_is_vendored_is_what_was_pinned():
    """A new pin without a new run of the tool is noticed; a registry cannot replace a version."""
    locked = [
        (each["package"], each["version"], each["integrity"])
        for each in json.loads(LOCK.read_text())
    ]
    assert locked == [(each.name, each.version, each.integrity) for each in PACKAGES]
    with pytest.raises(ValueError, match="expected sha512-"):
        check(b"something else", PACKAGES[0].integrity)
