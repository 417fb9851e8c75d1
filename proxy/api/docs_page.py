"""The OpenAPI document as a page: one HTML text without script, which loads nothing. Pure.

Every text of the document is escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .docs_shapes import curl, kind_of, shape_of, type_name
from .docs_style import STYLE

_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"\b[A-Z]\w+\b")
_METHODS = ("get", "post", "put", "patch", "delete")
_FAILURES = 400

Described = Mapping[str, Any]
Listed = tuple[str, str, Described]
"""Method, path, and what the document says of the operation."""


def page(document: Described) -> str:
    """The whole page."""
    info = document["info"]
    title = html.escape(info["title"])
    groups = _groups(document)
    return "".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # Otherwise a browser asks for /favicon.ico, which is a path of the upstream.
            '<link rel="icon" href="data:,">',
            f"<title>{title}</title><style>{STYLE}</style></head><body>",
            f'<nav aria-label="Operations"><a class="brand" href="#top">{title}</a>',
            *_navigation(groups),
            '</nav><main id="top">',
            _head(document),
            *(_group(tag, listed, document) for tag, listed in groups.items()),
            _types(document),
            _statuses(groups),
            "</main></body></html>\n",
        )
    )


def _groups(document: Described) -> dict[str, list[Listed]]:
    """The operations by tag, both in the order of the document."""
    groups: dict[str, list[Listed]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in _METHODS:
                groups[operation["tags"][0]].append((method.upper(), path, operation))
    return groups


def _navigation(groups: Mapping[str, list[Listed]]) -> Iterator[str]:
    for tag, listed in groups.items():
        yield f"<h2>{html.escape(tag)}</h2><ul>"
        for method, path, operation in listed:
            name = html.escape(operation["operationId"])
            link = f'<a href="#{name}" title="{html.escape(path)}">'
            yield f"<li>{link}{_badge(method)}{name}</a></li>"
        yield "</ul>"
    yield '<h2>reference</h2><ul><li><a href="#types">Types</a></li>'
    yield '<li><a href="#statuses">Statuses</a></li></ul>'


def _head(document: Described) -> str:
    info = document["info"]
    return (
        f"<header><h1>{html.escape(info['title'])} <small>{html.escape(info['version'])}</small>"
        f"</h1><p>{_text(info['description'])}</p>"
        "<p>The examples take the server and a credential from the shell. The same as a document "
        'for programs: <a href="/v1/memories/openapi.json">openapi.json</a>.</p>'
        "<pre>export RECOLLECT=http://127.0.0.1:8787\nexport TOKEN=…   # api.token</pre></header>"
    )


def _group(tag: str, listed: Iterable[Listed], document: Described) -> str:
    articles = "".join(_article(*each, document) for each in listed)
    return f"<section><h2>{html.escape(tag)}</h2>{articles}</section>"


def _article(method: str, path: str, operation: Described, document: Described) -> str:
    name, right = html.escape(operation["operationId"]), html.escape(operation["x-right"])
    asked = "".join(_tables(operation))
    return (
        f'<article id="{name}"><h3>{_badge(method)}<code>{html.escape(path)}</code>'
        f'<span class="right" title="the right that a credential needs">{right}</span></h3>'
        f'<p>{_text(operation["summary"])}</p><div class="columns"><div>'
        f"{asked or '<p class=none>No parameters.</p>'}</div><div>"
        f"<h4>Example</h4><pre>{html.escape(curl(method, path, operation))}</pre>"
        f"{''.join(_answers(operation, document))}</div></div></article>"
    )


def _tables(operation: Described) -> Iterator[str]:
    for title, where in (("Path", "path"), ("Query", "query"), ("Headers", "header")):
        rows = [
            _row(each["name"], each["schema"], each.get("description", ""), each.get("required"))
            for each in operation["parameters"]
            if each["in"] == where
        ]
        yield _table(title, rows)
    body = operation.get("requestBody", {})
    for kind, content in body.get("content", {}).items():
        schema = content["schema"]
        rows = [
            _row(name, each, each.get("description", ""), name in schema.get("required", ()))
            for name, each in schema.get("properties", {}).items()
        ]
        title = f"Body ({kind}{'' if body.get('required') else ', optional'})"
        yield _table(title, rows or [_row("the body", schema, "", required=True)])


def _table(title: str, rows: list[str]) -> str:
    if not rows:
        return ""
    return f"<h4>{html.escape(title)}</h4><table><tbody>{''.join(rows)}</tbody></table>"


def _row(name: str, schema: Described, description: str, required: object) -> str:
    needed = ' <span class="required">required</span>' if required else ""
    kind = f'<span class="kind">{html.escape(kind_of(schema))}</span>'
    return (
        f"<tr><th scope=row><code>{html.escape(name)}</code>{needed}</th>"
        f"<td>{kind} {_text(description)}</td></tr>"
    )


def _answers(operation: Described, document: Described) -> Iterator[str]:
    refused = []
    for status, answer in operation["responses"].items():
        if int(status) >= _FAILURES:
            refused.append(f'<a class="status" href="#status-{status}">{html.escape(status)}</a>')
            continue
        yield f"<h4>Answer {html.escape(status)}</h4>"
        if not answer.get("content"):
            yield f"<p>{_text(answer['description'])}</p>"
        for kind, content in answer.get("content", {}).items():
            yield f'<p class="kind">{html.escape(kind)}</p>'
            yield _shape(_looked_up(content["schema"], document), document)
    yield f"<p>Refusals: {' '.join(refused)}</p>"


def _looked_up(schema: Described, document: Described) -> Described:
    """The members of a named type instead of its name."""
    known: Mapping[str, Described] = document["components"]["schemas"]
    return known.get(type_name(schema) or "", schema)


def _types(document: Described) -> str:
    shapes = "".join(
        f'<article id="type-{html.escape(name)}"><h3>{html.escape(name)}</h3>'
        f"{_shape(schema, document)}</article>"
        for name, schema in sorted(document["components"]["schemas"].items())
    )
    return f'<section id="types"><h2>Types</h2>{shapes}</section>'


def _shape(schema: Described, document: Described) -> str:
    """The shape of a value, with a link where it names a type."""
    known = document["components"]["schemas"]

    def linked(word: re.Match[str]) -> str:
        name = word[0]
        return f'<a href="#type-{name}">{name}</a>' if name in known else name

    return f"<pre>{_WORD.sub(linked, html.escape(shape_of(schema), quote=False))}</pre>"


def _statuses(groups: Mapping[str, list[Listed]]) -> str:
    told = {
        status: answer["description"]
        for listed in groups.values()
        for _, _, operation in listed
        for status, answer in operation["responses"].items()
    }
    rows = "".join(
        f'<tr id="status-{html.escape(status)}"><th scope=row>{html.escape(status)}</th>'
        f"<td>{_text(text)}</td></tr>"
        for status, text in sorted(told.items())
    )
    return f'<section id="statuses"><h2>Statuses</h2><table><tbody>{rows}</tbody></table></section>'


def _badge(method: str) -> str:
    return f'<b class="{html.escape(method.lower())}">{html.escape(method)}</b>'


def _text(text: str) -> str:
    """Escaped, with `code` as code."""
    return _CODE.sub(r"<code>\1</code>", html.escape(text))
