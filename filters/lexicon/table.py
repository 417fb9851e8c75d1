"""The packs' requests, by the code of their language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from recollect.memory.language import LanguagePack, from_packs, packs

from .model import Cue, Lexicon

ANY_LANGUAGE = "any"
"""The pack of what is written the same everywhere; always applies."""
LATIN = frozenset({"en", "de", "es", "fr", "pt", "hi"})
"""Languages a text in Latin letters may be (romanised Hindi included)."""


@from_packs
def lexicons() -> Mapping[str, Lexicon]:
    """The languages that can read a request."""
    return {
        code: _lexicon(pack)
        for code, pack in packs().items()
        if pack.requests.greet or code == ANY_LANGUAGE
    }


def _lexicon(pack: LanguagePack) -> Lexicon:
    given = pack.requests
    names = {f.name: getattr(given, f.name) for f in fields(given)}
    names["self"] = names.pop("self_")
    return Lexicon(
        code=pack.code,
        stop=" ".join(given.stop),
        cues={cue: "|".join(names[cue.value]) for cue in Cue if names[cue.value]},
        imperatives_lead=given.imperatives_lead,
        suffixes={Cue.SELF: tuple(given.suffixes["self_"])} if given.suffixes else None,
        suffix_exceptions=" ".join(given.suffix_exceptions),
    )


LEXICONS = lexicons()
