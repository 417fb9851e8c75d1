# ruff: noqa: E501 - word lists and patterns of many scripts
"""Finds keys and tokens by their vendor's prefix.

Prefixes and shapes are those that vendors document for secret scanners. Public identifiers
(Stripe's `pk_`, Twilio's account ids) are not secrets and are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from ..findings import Finding
from .placeholders import is_placeholder
from .view import View

_WORD = r"[A-Za-z0-9]{%d,}+"
_DASHED = r"[A-Za-z0-9_-]{%d,}+"
_HEX = r"[0-9a-f]{%d,}+"
_DOTTED = r"[A-Za-z0-9_.~+/=-]{%d,}+"

_PREFIXES: dict[str, str] = {
    # what follows a prefix, and the prefixes
    _DASHED % 16: "sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- sk- tskey- PRIVATE-TOKEN:",
    r"[A-Za-z0-9]{20,}+(?![_-])": "ghp_ gho_ ghu_ ghs_ ghr_",
    r"\w{20,}+": "github_pat_",
    _DOTTED % 16: "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
    r"[A-Za-z0-9.%-]{16,}+": "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp- xoxe.",
    r"[A-Za-z0-9+/=_]{10,}+": "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sk_prod_",
    _DASHED
    % 28: """AIza 1//0 r8_ gsk_ xai- pplx- nvapi- pcsk_ jina_ tvly- csk- fw_ lsv2_pt_ lsv2_sk_ co_
        e2b_ voyage- pa- CFPAT- vk1.a. APP_USR- shippo_live_ shippo_test_ duffel_live_
        duffel_test_ xkeysib- xsmtpsib- pnu_ pnb_ rdme_ squ_ sqp_ sqa_ bkua_ bkaj_
        bkct_ CCIPAT_ lip_ sha_tok_ ops_ IGQV ops_eyJ phx_ phc_secret_ rpa_ ak_ sdk-""",
    _DASHED
    % 20: """GOCSPX- sq0atp- sq0csp- sq0idp- dckr_pat_ dckr_oat_ vcp_ vck_ vci_ vca_ vcr_ nfp_ nfc_
        nfo_ rnd_ sbp_ sb_secret_ napi_ supabase_ hvs. hvb. hvr. figd_ figdh_ figo_ figu_ PMAK-
        PMAT-""",
    _DOTTED % 20: "ya29. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. sk.eyJ bedrock-api-key-",
    r"[\w-]{16,}+\.[\w-]{16,}+": "SG.",
    r"[0-9a-z]{32}(?![0-9a-z])": "key-",
    _WORD % 38: "EAAA EAAC EAAB EAAG EAAJ AKCp",
    _WORD % 20: "shpat_ shpca_ shppa_ shpss_ shptka_ shprt_",
    _WORD % 28: "npm_ lin_api_ lin_oauth_ ntn_ secret_ EZAK EZTK",
    _DASHED % 32: "live_ test_",
    _DASHED % 38: "pypi- tk-us- tk_us_ cfat_ cfut_ v4-",
    _HEX % 40: "rubygems_ dop_v1_ doo_v1_ dor_v1_",
    r"[a-z0-9]{43}(?![a-z0-9])": "oy2",
    r"[a-z0-9]{50,}+": "CLOJARS_",
    r"[A-Za-z0-9]{20,}+(?!_)": "hf_ api_org_",
    r"[0-9a-f]{32}(?:-\d)?+(?![0-9a-f])": "dapi",
    r"\ ?[A-Za-z0-9_=+/,-]{24,}+": "HRKU- fo1_ fm1_ fm2_ fm1r_ FlyV1",
    r"[\w.=-]{20,}+": "pscale_tkn_ pscale_pw_ pscale_oauth_",
    r"[0-9a-f]{40}": "pul-",
    r"[A-Za-z0-9_=-]{20,}+": "ATATT3 ATCTT3 ATBB ATSTT3",
    _DASHED % 12: "NRAK- NRJS- NRAA- NRII- NRIQ- NRRA- NRAL- FLWSECK_TEST- FLWSECK-",
    r"[A-Za-z0-9+/=_]{30,}+": "sntrys_ sntryu_",
    r"[A-Za-z0-9+/=_]{28,}+": "glsa_ glc_",
    r"[A-Z0-9]{16,}+(?:\.[A-Z0-9]{16,}+)?+": "dt0c01. dt0s01. dt0s02. dt0e01.",
    r"[A-Za-z0-9]{12,26}(?![A-Za-z0-9])": "LTAI",
    r"[A-Za-z0-9]{28,36}(?![A-Za-z0-9])": "AKID",
    r"[A-Z0-9]{14,18}(?![A-Za-z0-9])": "AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA ANVA",
    r"[A-Za-z0-9+/=]{80,}+": "ABSK",
    r"[A-Za-z0-9/-]{24,}+": "bce-v3/",
    _DOTTED % 28: "AQVN y0_ YCAJE YCO YCM t1.",
    _WORD % 12: "rzp_secret_",
    r"\w++\$[a-z0-9]++\$[0-9a-f]{20,}+": "access_token$",
    r"[0-9a-f-]{30,}+": """access-sandbox- access-development- access-production- pat-na1- pat-eu1- pat-na2-""",
    r"[A-Za-z0-9_.=-]{30,}+": "tfp_",
    r"[a-z0-9]{30}(?![a-z0-9])": "oauth:",
    r"[A-Za-z0-9%]{60,}+": "AAAAAAAAA",
    r"[A-Z0-9]{40,}+": "AGE-SECRET-KEY-1",
    r"[1-9A-HJ-NP-Za-km-z]{90,}+": "xprv yprv zprv tprv",
    r"[0-9a-f]{24}-[0-9a-f]{60,}+": "v1.0-",
}

_OTHERS: dict[str, str] = {
    # a required substring, and the shape around it
    ":AA": r"(?:(?<=bot)|(?<![\w:]))\d{8,10}:AA[\w-]{30,36}(?![\w-])",
    "hooks.slack.com/": r"hooks\.slack\.com/(?:services|workflows|triggers)/\K[A-Za-z0-9/_-]{20,}+",
    "/api/webhooks/": r"/api/webhooks/\d{10,25}/\K[\w-]{40,}+",
    "webhook.office.com": r"webhook\.office\.com/webhookb2/\K[A-Za-z0-9@/_-]{40,}+",
    "-us": r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\d)",
    ".atlasv1.": r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{40,}+",
    "pat": r"(?<![\w.])pat[A-Za-z0-9]{14}\.[0-9a-f]{60,64}",
    "8Q~": r"(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{30,36}",
    "-": r"(?<![\w-])\d{6}(?:-\d{6}){7}(?![\w-])",
    "s.": r"(?<![\w.])s\.(?=[A-Za-z]*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9]{24}(?![A-Za-z0-9])",
    "/1": r"(?<![\w/])[12]/\d{13,18}:[0-9a-f]{32}(?!\w)",
    "A3-": r"(?<!\w)A3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}|[A-Z0-9]{5}-[A-Z0-9]{5})(?:-[A-Z0-9]{5,6}){2,4}",
    "sig=": r"[?&;]sig=\K[A-Za-z0-9%/+=_-]{30,}+",
    "T3BlbkFJ": r"(?<![\w-])[\w-]{10,60}T3BlbkFJ[\w-]{10,80}",
}
_WIFI = regex.compile(r"WIFI:(?:[TSHtsh]:[^;\n]{0,64};){0,3}P:\K(?:\\.|[^;\\\n]){1,80}")
_SHORTEST = 16
"""Least length of a token."""
_DISCORD = regex.compile(r"(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])")
_DISCORD_END = regex.compile(r"\.[\w-]{6}\.[\w-]{27}", regex.ASCII)
_JWT = regex.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{6,}+(?:\.[\w-]*+){0,3}+", regex.ASCII)
_ELLIPSIS = ("...", "…")
_FEW = 24
"""A token shorter than this before an ellipsis is abbreviated."""
_BY_SHAPE = [(part, regex.compile(shape, regex.ASCII)) for part, shape in _OTHERS.items()]
_WRITTEN = 12


def _by_head() -> dict[str, list[tuple[str, regex.Pattern[str]]]]:
    """Prefixes by their first two letters, longer ones first, with what follows them."""
    table: dict[str, list[tuple[str, regex.Pattern[str]]]] = {}
    for body, names in _PREFIXES.items():
        for name in sorted(names.split(), key=len, reverse=True):
            table.setdefault(name[:_HEAD], []).append((name, regex.compile(body, regex.ASCII)))
    return table


_HEAD = 2
_BY_HEAD = _by_head()
_WORD_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9](?=[!-~]{2})")


def find_tokens(view: View) -> Iterator[Finding]:
    """API keys, web tokens and webhook addresses; their kinds are `api_key` and `token`."""
    text = view.text
    if "WIFI:" in text:
        yield from (Finding(*m.span(), "password") for m in _WIFI.finditer(text))
    long = "\n".join([word for word in text.split() if len(word) >= _SHORTEST])
    if long:
        yield from _find_long(text, long)


def _find_long(text: str, long: str) -> Iterator[Finding]:
    """Tokens in `text`; searches only for those that may occur in `long`, its long words."""
    yield from _prefixed(text)
    for part, pattern in _BY_SHAPE:
        if part in long:
            yield from (Finding(*m.span(), "api_key") for m in pattern.finditer(text))
    if "eyJ" in long:
        yield from (Finding(*m.span(), "token") for m in _JWT.finditer(text))
    if _DISCORD_END.search(long):
        found = _DISCORD.finditer(text)
        yield from (Finding(*m.span(), "api_key") for m in found if is_random(m.group()))


def _prefixed(text: str) -> Iterator[Finding]:
    done = 0
    for word in _WORD_START.finditer(text):
        start = word.start()
        known = _BY_HEAD.get(text[start : start + _HEAD]) if start >= done else None
        for prefix, body in known or ():
            match = (
                body.match(text, start + len(prefix)) if text.startswith(prefix, start) else None
            )
            if match:
                done = match.end()
                shortened = done - start < _FEW and text.startswith(_ELLIPSIS, done)
                if (
                    is_random(match.group())
                    and not shortened
                    and not is_placeholder(text[start:done])
                ):
                    yield Finding(start, done, "api_key")
                break


def is_random(body: str) -> bool:
    """Whether a token looks random: it has a digit, or changes case within a long word."""
    if is_placeholder(body) or len(set(body)) < min(5, len(body)):
        return False
    digits = any(char.isdigit() for char in body)
    mixed = body.upper() != body and body.lower() != body
    words = body.replace("_", "-").split("-")
    return digits or (mixed and any(len(word) > _WRITTEN for word in words))
