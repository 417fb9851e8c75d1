"""What the documents say about code, keys, headers and commands is so."""

import ast
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from aiohttp import ClientSession
from pydantic import BaseModel

from recollect.config import Settings
from recollect.filters.gate.reasons import GateReason
from recollect.memory.engine.options import read_options
from recollect.memory.model import errors
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from recollect.proxy.cli import command_line
from tests.support.folding import rows
from tests.support.here import ProductHere
from tests.support.syntax import parsed
from tests.test_layout import modules

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "examples", "helm")
PAGES = sorted([*ROOT.glob("*.md"), *(p for name in FOLDERS for p in (ROOT / name).rglob("*.md"))])
README = (ROOT / "README.md").read_text("utf-8")
NUMBER = r"\d+ of \d+|\d(?:[\d.,]*\d)?(?: [a-zA-Z]+)?"
"""A figure as tables have it: `0 of 120`, `9.6 ms`, `0.82`, `0`."""
MEASURED = ("performance.md", "figures.md")
CODE = {path.as_posix(): (ROOT / path).read_text("utf-8") for path in modules()}
SECTIONS = "|".join(name for name in Settings.model_fields if name != "data_dir")


def unknown(page, pattern, known):
    """What a page says in code spans that matches the pattern and is not known."""
    spans = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    return sorted({found for span in spans for found in re.findall(pattern, span)} - set(known))


@pytest.fixture(scope="module")
def keys():
    """Every dotted key of the configuration, those of sections and of maps too."""

    def of(model, prefix):
        for name, field in model.model_fields.items():
            yield f"{prefix}{name}"
            for inner in kinds(field.annotation):
                yield from of(inner, f"{prefix}{name}.")

    def kinds(annotation):
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield annotation
        for argument in getattr(annotation, "__args__", ()):
            yield from kinds(argument)

    return set(of(Settings, ""))


MOST_WORDS = 40_000
"""Of all pages together: what a stranger reads in three hours."""


def test_pages_begin_with_what_their_reader_can_do():
    """Each says it in its first paragraph, and all of them are short enough to be read."""
    texts = {page.name: page.read_text("utf-8") for page in PAGES if page.parent.name == "docs"}
    silent = [name for name, text in texts.items() if "After this page " not in text[:600]]
    assert silent == []
    assert sum(len(text.split()) for text in texts.values()) <= MOST_WORDS


@rows("page", PAGES)
def test_configuration_keys_exist(page, keys):
    """A key that a page names can be set."""
    pattern = rf"(?<![\w./-])(?:{SECTIONS})(?:\.[a-z_]+)+(?![\w/(*-])"
    files = {
        ".md",
        ".py",
        ".db",
        ".yaml",
        ".json",
        ".key",
        ".milvus",
        ".qdrant",
        ".chroma",
        ".faiss",
    }
    named = {name for name in unknown(page, pattern, keys) if Path(name).suffix not in files}
    assert named == set()


@rows("page", PAGES)
def test_headers_exist(page):
    """Every header of ours that a page names is read or sent by the code."""
    known = {name for text in CODE.values() for name in re.findall(r"x-recollect-[a-z-]+", text)}
    named = set(re.findall(r"x-recollect-[a-z-]+", page.read_text("utf-8")))
    assert named - known == set()


@rows("page", PAGES)
def test_files_exist(page):
    """A file or folder of the repository that a page names is there."""
    pattern = r"(?<![\w/.-])((?:proxy|config|filters|memory|tests|benchmarks|tools|docs|examples)/[\w./-]+\w)"
    made = ("benchmarks/results/", "tests/upgrade/format")
    named = [name for name in unknown(page, pattern, ()) if not name.startswith(made)]
    assert [name for name in named if not (ROOT / name).exists()] == []


def anchors(page):
    """The anchors that GitHub gives the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@rows("page", PAGES)
def test_links_lead_somewhere(page):
    """Every relative link of a page, with the heading that it names."""
    links = re.findall(r"\]\((?!https?://|mailto:)([^)#\s]*)#?([^)\s]*)", page.read_text("utf-8"))
    targets = [(page.parent / name if name else page, anchor) for name, anchor in links]
    assert [path for path, _ in targets if not path.exists()] == []
    assert [
        (path, anchor) for path, anchor in targets if anchor and anchor not in anchors(path)
    ] == []


def shell(page):
    """The lines of a page that a reader types, without prompt, continued ones as one."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    fenced = "\n".join(block for language, block in blocks if language in {"", "console", "sh"})
    lines = fenced.splitlines() + re.findall(r"^    (.+)$", text, re.MULTILINE)
    return [line.strip().removeprefix("$ ").removesuffix("; done") for line in lines]


def typed(page):
    """The calls of `recollect` among them, as lists of words."""
    lines = [re.sub(r"^(?:\.venv/bin/|[A-Z_]+=\S+ )+", "", line) for line in shell(page)]
    calls = [line for line in lines if re.match(r"recollect [a-z]", line)]
    return [shlex.split(re.sub(r"\s[|>;].*", "", line), comments=True)[1:] for line in calls]


@rows("page", PAGES)
def test_commands_are_understood(page):
    """A call of `recollect` in a block is parsed by its own parser; ID, FILE and such are values."""
    for words in typed(page):
        try:
            command_line().parse_args(words)
        except SystemExit as end:
            raise AssertionError(f"recollect {' '.join(words)}") from end


@rows("page", PAGES)
def test_commands_and_flags_exist(page):
    """Those that a page names within its text; a target of `make` and an example wherever."""
    text = page.read_text("utf-8")
    for said in re.findall(r"`recollect ([a-z][^`\n]*)`", text):
        command, words = command_line(), [word for each in said.split() for word in each.split("|")]
        for word in words:
            inner = [a.choices for a in command._actions if isinstance(a.choices, dict)]
            command = next((choices[word] for choices in inner if word in choices), command)
        assert command.prog.split()[1:2] == words[:1], said
        flags = {word.strip("[]").partition("=")[0] for word in words if "--" in word[:3]}
        assert flags - set(command._option_string_actions) == set(), said
    programs = re.findall(r"(?:python|node|sh) (examples/\S+\w)", text)
    assert [name for name in programs if not (ROOT / name).exists()] == []
    targets = set(re.findall(r"(?:`|\$ |[A-Z]+=\S+ )make ([a-z][\w-]*)", text))
    known = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets - known == set()


@rows("page", PAGES)
def test_routes_exist(page):
    """A path of ours that a page names with its method is a route, `…` for what it leaves out."""
    spans = re.findall(
        r"\b(GET|POST|PUT|DELETE) (/(?:v1/(?:memor|entit)|mem0|docs)[^\s`?\"]*)",
        page.read_text("utf-8"),
    )
    for method, path in spans:
        wanted = re.sub(r"\{[^/}]*\}|…", "*", path.rstrip("/"))
        alike = [
            each
            for each in (*ALL, *SERVER_OPERATIONS)
            if each.method == method and fnmatch(re.sub(r"\{[^/}]*\}", "x", each.path), wanted)
        ]
        assert alike, f"{method} {path}"


@pytest.mark.process
async def test_requests_are_answered(tmp_path):
    """Each `curl` of a page is one that a server understands, with its fields and its query."""
    calls = [
        shlex.split(line) for page in PAGES for line in shell(page) if line.startswith("curl ")
    ]
    assert len(calls) > 6
    settings = {"embedder__backend": "fake", "upstream__base_url": "http://127.0.0.1:9/v1"}
    async with ProductHere(tmp_path, **settings) as product, ClientSession() as client:
        for words in calls:
            [address] = [word for word in words if word.startswith("http://127.0.0.1:8787")]
            data = words[words.index("-d") + 1] if "-d" in words else None
            url = address.replace("http://127.0.0.1:8787", product.url)
            method = "GET" if data is None else "POST"
            async with client.request(method, url, data=data) as answer:
                said = await answer.text()
            # What needs a model or an operator's token was understood.
            assert answer.status in {200, 403, 503}, f"{words}: {said}"


@rows("page", PAGES)
def test_variables_exist(page, keys):
    """A variable of the environment that a page names sets a key."""
    others = {"RECOLLECT_CONFIG", "RECOLLECT_PROFILE", "RECOLLECT_TOKEN", "RECOLLECT_WEB_PORT"}
    text = re.sub(r"RECOLLECT_\w+__\*", "", page.read_text("utf-8"))
    named = set(re.findall(r"RECOLLECT_[A-Z_]*[A-Z]", text)) - others
    settable = {name.removeprefix("RECOLLECT_").lower().replace("__", ".") for name in named}
    assert settable - keys == set()


@rows("page", PAGES)
def test_settings_are_accepted(page):
    """A block of YAML with settings can be copied into a configuration file."""
    blocks = re.findall(r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for values in [yaml.safe_load(block) for block in blocks if "{{-" not in block]:
        if isinstance(values, dict) and set(values) <= set(Settings.model_fields):
            for name in {"state", "history"} & set(values):
                # Addresses have passwords: they come from the environment.
                values[name] |= {"url": f"{values[name]['backend']}://h"}
            read_options(Settings, values)


def test_the_readme_is_short():
    """At most 700 words and 120 lines, code and links too: what is longer is a page in docs/."""
    assert len(README.split()) <= 700
    assert README.count("\n") <= 120


def measured(text):
    """Figures with the command that measures them, from the rows of a page's tables."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n")]
    return {(row[1], row[2]) for row in cells if len(row) > 2 and row[2].startswith("`make ")}


def claimed(text):
    """The same of the README, whose cells may have words around a figure."""
    return {
        (number, command)
        for cell, command in measured(text)
        for number in re.findall(NUMBER, cell.replace("BM25", ""))
    }


def by_bench(figures):
    return {each for each in figures if each[1] == "`make bench`"}


def test_the_figures_of_the_readme_are_those_of_the_pages():
    """Each stands in a page with its command; a number in the text stands there too."""
    page = "".join((ROOT / "docs" / name).read_text("utf-8") for name in MEASURED)
    assert claimed(README) - measured(page) == set()
    numbers = set(re.findall(r"\d[\d.,]* (?:ms|MB|GB|tokens|%)", README))
    assert {number for number in numbers if number not in page} == set()
    row = "\n| time | 7.77 ms | `make bench` |\n"
    assert claimed(README + row) - measured(page) == {("7.77 ms", "`make bench`")}


def test_what_make_bench_measured_is_written_by_it():
    """The README and docs/figures.md quote docs/performance.md: nobody types these figures."""
    written, figures = (measured((ROOT / "docs" / name).read_text("utf-8")) for name in MEASURED)
    assert by_bench(claimed(README) | figures) - written == set()


def test_the_places_have_a_place():
    """The table of templates and places is written between two marks."""
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    section = page.partition("## Where memories go\n")[2].partition("\n## ")[0]
    assert section.index("<!-- places: begin -->") < section.index("<!-- places: end -->")


def reasons():
    """Each word that can stand in `x-recollect-reason`."""
    found = {reason.value for reason in GateReason}
    found |= {
        error.code
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, errors.RecollectError)
    }
    for text in CODE.values():
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Verdict":
                found |= {each.value for each in node.args[1:2] if isinstance(each, ast.Constant)}
    return found


def test_every_reason_is_documented():
    """Whoever meets a word in a header or of a job finds it in one of two pages."""
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("observe.md", "repair.md")]
    named = set(re.findall(r"`([a-z_]+)`", "".join(pages)))
    never = {
        "recollect_error",
        "invalid_configuration",
        "not_found",
        "unusable_answer",
        "model_rests",  # each such error has the word of the failure that led to it
    }
    assert reasons() - named - never == set()


@rows(
    "said, value",
    [
        ("at most 512 tokens", lambda s: s.recall.token_budget == 512),
        ("at most 400 ms", lambda s: s.recall.deadline_ms == 400),
        ("after ten turns", lambda s: s.learn.every_turns == 10),
        ("five\nminutes of silence", lambda s: s.learn.idle_seconds == 300),
        ("127.0.0.1:8787", lambda s: (s.listen.host, s.listen.port) == ("127.0.0.1", 8787)),
        ("https://api.openai.com/v1", lambda s: s.upstream.base_url == "https://api.openai.com/v1"),
    ],
)
def test_the_readme_tells_the_defaults(said, value):
    """A number in the README is the default it speaks of."""
    assert re.sub(r"\s+", " ", said) in re.sub(r"\s+", " ", README)
    assert value(Settings())
