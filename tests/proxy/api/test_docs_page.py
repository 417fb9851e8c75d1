"""The page: everything of the document is on it, safely, and its examples work."""

import html
import json
import re
import shlex
from html.parser import HTMLParser

import pytest

from recollect.memory.transfer import Header, end_line, header_line
from recollect.proxy.access.rights import Right
from recollect.proxy.api.docs_page import page
from recollect.proxy.api.docs_style import STYLE
from recollect.proxy.api.fields import text
from recollect.proxy.api.openapi import document
from recollect.proxy.api.operations import Operation
from recollect.proxy.api.tables import ALL
from tests.proxy.wire import request
from tests.support.scripted import ScriptedModel, facts

from .calling import Calling

TOLD = (b"this one is active", b"there is no ", b"no dead job", b"cannot be done over HTTP")
"""What is answered about what does not exist, what is so already, and what is set elsewhere."""
VOID = {"meta", "link"}
EVIL = '</pre><script src="http://evil.test/x">`<b onclick=x>`</script>\'"&amp;'


class Read(HTMLParser):
    """Elements, ids and links; every element that is opened is closed."""

    def __init__(self, said):
        super().__init__()
        self.open, self.elements, self.ids, self.links, self.loads = [], [], [], [], []
        self.feed(said)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.elements.append((tag, known))
        self.ids += [known["id"]] if "id" in known else []
        if tag == "a":
            self.links.append(known["href"])
        self.loads += [
            value for name, value in attrs if name in {"src", "srcset", "action", "data"}
        ]
        self.loads += [known.get("href")] if tag == "link" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def described():
    return document(ALL)


@pytest.fixture(scope="module")
def said(described):
    return page(described)


def article(said, name):
    """What the page says of one operation, without its tags."""
    found = re.search(rf'<article id="{name}">.*?</article>', said, re.DOTALL)
    return html.unescape(re.sub("<[^>]+>", " ", found[0]))


def test_every_operation_is_on_it(said):
    """With method, path, right, what it takes and how it answers."""
    for operation in ALL:
        told = article(said, operation.id)
        for part in (operation.method, operation.path, operation.right.word):
            assert part in told, operation.id
        assert operation.summary.replace("`", "")[:20] in told.replace("  ", " ")
        for field in (*operation.query, *operation.body):
            assert field.name in told
            for bound in ("maximum", "maxLength", "maxItems"):
                assert str(field.schema.get(bound, "")) in told
        assert "curl" in told
        assert f"Answer {operation.status}" in told


def test_every_link_leads_somewhere(said):
    """Within the page, or to the document; no id is there twice."""
    read = Read(said)
    assert len(read.ids) == len(set(read.ids))
    for link in read.links:
        assert link == "/v1/memories/openapi.json" or link.removeprefix("#") in read.ids


def test_nothing_is_loaded(said):
    """No script, no image, no frame, no font and no style from elsewhere."""
    read = Read(said)
    kinds = {tag for tag, _ in read.elements}
    assert not kinds & {"script", "img", "iframe", "object", "embed", "form", "base", "svg"}
    assert read.loads == ["data:,"]
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    assert not [name for _, known in read.elements for name in known if name.startswith("on")]
    assert "prefers-color-scheme:dark" in STYLE


def test_texts_are_escaped():
    """Whatever a summary, a name or a description says, it is text."""
    operation = Operation(
        method="POST",
        path="/v1/" + EVIL.replace("/", "|") + "/{" + EVIL.replace("/", "|") + "}",
        handler=lambda: None,
        right=Right.READ,
        summary=EVIL,
        tag=EVIL,
        name=EVIL,
        answer=str,
        query=(text(EVIL, EVIL),),
        body=(text(EVIL + "2", EVIL),),
    )
    plain = document([operation])
    plain["info"] = dict.fromkeys(("title", "version", "description"), EVIL)
    plain["components"]["schemas"][EVIL] = {"enum": [EVIL]}
    read = Read(page(plain))
    kinds = {tag for tag, _ in read.elements}
    assert "script" not in kinds
    assert not [name for _, known in read.elements for name in known if name.startswith("on")]
    assert read.loads == ["data:,"]


async def test_the_examples_work(said):
    """Each command, as a shell reads it, is answered: nothing in it is malformed or missing."""
    examples = re.findall(r"<h4>Example</h4><pre>(.*?)</pre>", said, re.DOTALL)
    assert len(examples) == len(ALL)
    async with ScriptedModel(facts()) as model, Calling(model.base_url) as api:
        for number, example in enumerate(map(html.unescape, examples)):
            (known,) = await api.remember(f"I drink tea number {number}")
            method, url, body = read_curl(example.replace("$MEMORY_ID", known))
            if url.startswith("/v1/memories/events") or url.endswith("/tenants"):
                continue  # the one has no end, the other is for an operator
            url = re.sub(r"\$[A-Z_]+", "x", url.replace("$ENTITY_TYPE", "user"))
            seen = await api.ask(request(method, url, body))
            if seen.status not in {200, 202}:
                assert any(told in seen.body for told in TOLD), (example, seen.body)


def read_curl(command):
    """Method, path and body of the command."""
    words = shlex.split(command.replace("\\\n", " "))  # shlex keeps the line break
    assert words.pop(0) == "curl"
    method, body = "GET", None
    while words:
        word = words.pop(0)
        if word == "-X":
            method = words.pop(0)
        elif word == "-d":
            body = words.pop(0).encode()
            assert isinstance(json.loads(body), dict)
        elif word == "--data-binary":
            assert words.pop(0) == "@FILE"
            header = Header(embedder="x", dim=1, vectors=False)
            body = header_line(header) + end_line(0)
        elif word == "-H":
            words.pop(0)
        else:
            url = word.removeprefix("$RECOLLECT")
    return method, url, body
