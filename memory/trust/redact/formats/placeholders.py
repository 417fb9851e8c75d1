# ruff: noqa: E501, SIM905 - word lists and patterns of many scripts
"""Recognises placeholders in the position of a secret."""

from __future__ import annotations

from functools import lru_cache

import regex

REMOVED = "\ue000"
"""A private-use character that replaces the markers of an earlier redaction."""

_REFERENCE = regex.compile(
    r"""\$\{|\$\(|\{\{|\$[A-Za-z_]|%[A-Za-z_]++%|<[^<>]*+>|\{[\w.\ ]*+\}\Z|\[[^\]]*+\]?|[«【(]"""
    r"""|@?(?:Microsoft\.KeyVault|op://|vault:|arn:|ssm:|secretsmanager|file:|env:|ENC\[|!vault)"""
)
_MASK = regex.compile(
    r"[xX*•●·.…_\-#?0|:]++|(?:.{0,16}?)(?:[xX]{5,}+|\*{3,}+|•{3,}+|\.{3}|…)[xX*•.…\w]*+"
)
_CODE = regex.compile(
    r"(?:new\ )?[A-Za-z_][\w.>:-]*+[\[(].*+"  # a call or an index
    r"|(?:self|this|os|process|config|conf|settings|env|environ|args|opts|options|params|req|request"
    r"|res|response|user|ctx|context|app|data|form|state|props|secrets|vault|getpass|credentials"
    r"|creds|event|input|body|payload|account|client|session|import|module|sys|var|local|each"
    r"|values|Values|System|Environment|import\.meta)(?:\??\.|->|::)[A-Za-z_].*+"
)
_NAMES = frozenset(
    # types, literals and names of the thing itself
    """string str text any bool boolean number int integer varchar char bytes object null none nil
    true false undefined nan void required optional hidden array list dict map secret secretstr
    password passwords passwd passwort kennwort pwd pass passphrase pw token tokens key keys apikey
    api_key api-key pin code codes contrasena senha parola user username login bearer basic auth
    value redacted removed masked omitted secretref default const let var yes no on off n/a na tbd
    todo unknown empty blank missing changeme change-me change_me hasło пароль mdp motdepasse
    mot_de_passe votremotdepasse tu_contrasena sua_senha ihr-passwort ihrpasswort dein-passwort
    deinpasswort clave kennung foo bar baz abc fixme hunter_placeholder password_hash passwordhash
    new_password newpassword old_password user_password hashed_password""".split()
)
_TELLING = regex.compile(
    r"(?i)(?:[a-z]{2,4}[-_])*(?:your|placeholder|insert|replace|enter|dein|deine|ihr|votre|tu|tua|sua|seu)[-_ ]"
)
"""How words begin that describe a secret: `your-key`, `sk-ant-your-key-here`."""
_MARKER = regex.compile(r"\w++\ removed\]?")
_AWS_EXAMPLE = ("EXAMPLE", "EXAMPLEKEY")
_LONGEST = 200


@lru_cache(maxsize=4096)
def is_placeholder(value: str) -> bool:
    """Whether `value` is a mask, a reference, a type, code, or words like `your-key`."""
    if REMOVED in value:
        return True
    if len(value) > _LONGEST:
        return False
    if _REFERENCE.match(value) or _MASK.fullmatch(value) or _CODE.fullmatch(value):
        return True
    if value.endswith(_AWS_EXAMPLE) or _MARKER.match(value) or len(set(value)) == 1:
        return True
    return value.lower() in _NAMES or bool(_TELLING.match(value))
