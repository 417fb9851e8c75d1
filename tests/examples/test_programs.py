"""Every file of `examples/` is run or checked, and a run that goes wrong would be noticed."""

import shutil
import sys

import pytest

from tests.clients.environments import ROOT
from tests.clients.examples import ASKED, EXAMPLES, FACT, FOLDER, TOLD, output_of, problem
from tests.clients.upstream import UNKNOWN, Received, ScriptedUpstream
from tests.support.folding import rows
from tests.support.here import ProductHere

READ_ELSEWHERE = {
    "README.md": "tests/test_docs.py",
    "compose.yaml": "tests/examples/test_compose.py",
    ".env.example": "tests/examples/test_compose.py",
}
HERE = [example for example in EXAMPLES if example.file in {"curl.sh", "openai_python.py"}]
"""Those that need nothing but what the product needs; `make test-clients` runs all."""


def test_every_file_is_run_or_checked():
    """`make test-clients` runs the programs; a new file has to be put somewhere."""
    ours = {path.name for path in FOLDER.iterdir() if path.name != ".env"}
    assert ours == {example.file for example in EXAMPLES} | set(READ_ELSEWHERE)


@rows("path", [*(e.path for e in EXAMPLES), ROOT / "README.md"])
def test_all_tell_the_same_story(path):
    """So that a reader of the README recognises it, and one check fits all."""
    text = path.read_text("utf-8")
    assert TOLD in text
    assert ASKED in text


@pytest.mark.process
@pytest.mark.parametrize("example", HERE, ids=lambda example: example.file)
async def test_an_example_is_remembered(example, models_dir, tmp_path):
    """Run as it is, its second conversation knows what the first one told, and shows it."""
    python = example.path.suffix == ".py"
    if not python and shutil.which("curl") is None:
        pytest.skip("there is no curl")
    async with ScriptedUpstream() as upstream:
        product = ProductHere(
            tmp_path / "data",
            upstream__base_url=upstream.base_url,
            embedder__model_dir=models_dir,
        )
        async with product:
            command = [sys.executable if python else "sh", str(example.path)]
            printed = await output_of(command, product.base_url, {})
    assert problem(printed, upstream.received) == ""
    assert printed.count(UNKNOWN) == len((TOLD, ASKED))


def chat(text, memory=""):
    """A request, with a memory before what the user says."""
    message = {"role": "user", "content": f"{memory}{text}"}
    return Received("/v1/chat/completions", {}, {"messages": [message]})


SHOWN = "  X-Recollect-Memory: empty\n  x-recollect-memory: injected\n"
REMEMBERED = [chat(TOLD), chat(ASKED, f"User said: {TOLD}\n")]


def test_a_good_run_passes():
    """Wherever the memory stands, and whatever was learned meanwhile."""
    facts = {"json_schema": {"schema": {"properties": {"facts": {}}}}}
    learning = Received("", {}, {"messages": [], "response_format": facts})
    assert problem(SHOWN, [*REMEMBERED, learning]) == ""


@rows(
    "printed, received",
    [
        ("Traceback", []),
        ("", REMEMBERED),
        (SHOWN.replace("injected", "empty"), REMEMBERED),
        (SHOWN, [chat(TOLD), chat(ASKED)]),
        (SHOWN, [chat(TOLD), chat(ASKED, FACT), chat(ASKED, FACT)]),
        (SHOWN, REMEMBERED[:1]),
        (SHOWN, REMEMBERED[::-1]),
    ],
)
def test_a_bad_run_is_noticed(printed, received):
    """Each of these looks almost right."""
    assert problem(printed, received) != ""
