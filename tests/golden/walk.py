"""One walk through the library and REST: what each answers, without what no two runs share."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.surfaces.library import Library
from tests.surfaces.place import Place
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Refused, Surface

from .surfaces import as_json

_ID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<="id": ")[0-9a-f]{32}')
_VARIES = {
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)": "<time>",
    r"\d{4}-\d\d-\d\d": "<day>",
    r"(?<=- )\d\d:\d\d": "<hour>",
    r"(?<=recollect-)\d+": "<tag>",
    # Of what is forgotten: it may not have been linked yet.
    r'(?<="entities": )\d+|(?<="links": )\d+': "0",
}
ALICE = {"user_id": "alice"}


def walk(place: Place) -> str:
    """The answers of the library, and those of REST where they differ."""
    one, other = (_walked(kind(place, place.tenant())) for kind in (Library, Rest))
    differ = {step: _beside(one[step], other[step]) for step in one if one[step] != other[step]}
    return as_json({"library": one, "rest": differ})


def _beside(one: Any, other: Any) -> Any:
    """The other, without the values that are the same in one."""
    if one == other:
        return "<same>"
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: _beside(one.get(key), other[key]) for key in other}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_beside(*pair) for pair in zip(one, other, strict=True)]
    return other


def _walked(surface: Surface) -> dict[str, Any]:
    """The answers by their steps: ids by their order, no times, short floats."""
    told: dict[str, Any] = {}

    def ask(operation: str, **asked: Any) -> Any:
        try:
            found = surface.run(operation, **asked)
        except Refused as refusal:
            found = {"refused": refusal.kind, "text": refusal.text}
        told[f"{len(told) + 1:02} {operation}"] = found
        return found

    texts = ("I live in Bern", "I live in Bern", "My dog is called Waldo")
    live, _, dog = [ask("add", messages=each, infer=False, **ALICE) for each in texts]
    live, dog = (each["results"][0]["id"] for each in (live, dog))
    ask("search", query="Where do I live?", **ALICE)
    ask("explain", query="Where do I live?", **ALICE)
    ask("update", memory_id=live, text="I live in Basel")
    ask("get", memory_id=live)
    ask("get_all", **ALICE)
    ask("forget", memory_id=dog, **ALICE)
    ask("get", memory_id=dog)
    ask("search", query="dog")
    ask("search", query="dog", limit=0, **ALICE)
    ask("delete", memory_id=live)
    ask("history", memory_id=live)
    text = json.dumps(told, default=str, ensure_ascii=False)
    for number, each in enumerate(dict.fromkeys(_ID.findall(text)), start=1):
        text = text.replace(each, f"<id {number}>")
    for pattern, name in _VARIES.items():
        text = re.sub(pattern, name, text)
    return json.loads(text, parse_float=lambda each: round(float(each), 3))
