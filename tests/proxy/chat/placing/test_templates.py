"""Memories reach the model through real chat templates, in every kind of conversation."""

import pytest

from recollect.filters import Place
from tests.support.folding import rows

from .rendering import (
    ANSWER,
    ASKED,
    BLOCK,
    SHAPES,
    TEMPLATES,
    Fate,
    cases,
    fate,
    names,
    rendered,
    sources,
    with_memory,
)

needs_templates = pytest.mark.skipif(
    not names(), reason=f"the chat templates of the evaluation data are not at {TEMPLATES.name}"
)

FIRST_ONLY = """\
{%- for m in messages -%}
{%- if m.role in ('system', 'developer') and not loop.first -%}
{{ raise_exception('System message must be at the beginning.') }}
{%- endif -%}
[{{ m.role }}] {{ m.content if m.content is string else m.content[0].text }}
{% endfor -%}"""
NO_SYSTEM = """\
{%- for m in messages -%}
{%- if m.role not in ('user', 'assistant') -%}{{ raise_exception('no such role') }}{%- endif -%}
[{{ m.role }}] {{ m.content if m.content is string else m.content[0].text }}
{% endfor -%}"""
DROPS_SYSTEM = """\
{%- for m in messages if m.role in ('user', 'assistant') -%}
[{{ m.role }}] {{ m.content if m.content is string else m.content[0].text }}
{% endfor -%}"""
ALTERNATING = """\
{%- set ns = namespace(next='user') -%}
{%- for m in messages -%}
{%- if m.role == 'system' and loop.first -%}{%- else -%}
{%- if m.role != ns.next -%}{{ raise_exception('roles must alternate') }}{%- endif -%}
{%- set ns.next = 'assistant' if m.role == 'user' else 'user' -%}
{%- endif -%}
[{{ m.role }}] {{ m.content if m.content is string else m.content[0].text }}
{% endfor -%}"""
OWN = {
    "first only": FIRST_ONLY,
    "no system": NO_SYSTEM,
    "drops system": DROPS_SYSTEM,
    "alternating": ALTERNATING,
}


@rows("source", OWN.values())
def test_every_kind_of_strictness_takes_the_place_inside_the_user_message(source):
    """System first, no system at all, system left out, strictly alternating roles."""
    found = list(cases(source))
    assert len(found) >= 4
    assert {fate(source, chat, tools, Place.USER) for _, chat, tools in found} == {Fate.REACHES}


@needs_templates
@rows("name", names())
def test_inside_the_user_message_no_template_refuses_or_drops(name):
    """Whatever conversation a template takes without memory, it takes with one, and shows it."""
    source = sources()[name]
    found = list(cases(source))
    assert found, "the template takes no conversation at all"
    lost = [
        (shape, bool(tools), what)
        for shape, chat, tools in found
        if (what := fate(source, chat, tools, Place.USER)) is not Fate.REACHES
    ]
    assert lost == []


@needs_templates
@rows("name", names())
def test_the_prompt_before_the_last_user_message_stays_the_same(name):
    """A provider's cache keeps as much as with a system message at that place."""
    source = sources()[name]
    before = SHAPES["a second turn"]
    plain = rendered(source, before, None)
    if plain is None:
        pytest.skip("the template takes no second turn")

    sent = rendered(source, with_memory(before, Place.USER), None)
    assert sent is not None
    cached = plain[: plain.index(ASKED)]
    assert ANSWER["content"] in cached
    assert sent.startswith(cached)
    assert sent[len(cached) :].startswith(BLOCK)
