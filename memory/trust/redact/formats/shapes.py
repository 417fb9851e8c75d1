# ruff: noqa: E501, RUF001, SIM905
"""Classifies a word by its form: a placeholder, a password, a number, or a word of a sentence."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from ....util import lazy_regex as regex

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


class Shape(IntEnum):
    """Ordered from never a secret to a likely one."""

    NONE = 0
    WORD = 1
    NUMBER = 2
    LIKELY = 3


_KNOWN = regex.compile(
    # common words with digits or capitals
    r"(?:\d+(?:st|nd|rd|th|er|eme|e|a|o|ª|º|x|h|am|pm|k|m|s|gb|mb|kb|tb|ghz|mhz|min|sec|km|kg|cm|mm|px|ms|bit|bits|%|€|\$)?"
    r"|\d{1,2}[:h.]\d{2}(?:[:.]\d{2})?(?:am|pm)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:t[\d:.z+-]*)?|\d+[-]\D.*|\d+['’]\p{L}+"
    r"|v?\d+(?:\.\d+)+(?:-[a-z]+\.?\d*)?|v\d+|[a-z]{1,2}-?\d{1,2}|[a-z]{3}-?\d|\d(?:fa|d|g)|(?:aes|sha|rsa|md|utf|wpa|ipv|oauth|http|base|p|k8)[-/]?\d+(?:[-/]\w+)?"
    r"|(?:office|microsoft|bug|pr)[-#]?\d+"
    r"|(?:iphone|firefox|chrome|safari|edge|angular|django|outlook|exchange|playstation|xbox|ipad|pixel|galaxy|windows|android|ubuntu|debian|macos|ios|python|node|java|php|mysql|postgres\w*|redis|gpt|llama|claude|covid|cve|fritz!?box|web|log4j|bcrypt|argon2\w*|pbkdf2|scrypt|ed25519|x509|i18n|l10n|k8s|s3|ec2|h2|o365|m365|1password|7zip|4chan|3com|0auth|oauth2?)[-_ ]?[\d.]*\w*"
    r"|u\+[0-9a-f]+|#\d+|[a-z]#|\w\+\+|\w&\w|at&t|q&a|r&d|and/or|he/she|her/his|his/her|y/o|n/a|24/7|w/o?|c/o|yes/no|on/off|read/write)"
)
_ADDRESS = regex.compile(
    r"\S+@[\w-]+(?:\.[\w-]+)+|(?:https?|ftp|ssh|s3|file)://\S*|(?:[\w-]+\.)+(?:com|org|net|io|dev|app|de|fr|es|it|nl"
    r"|jp|cn|ru|br|pt|in|uk|eu|ch|at|example|test|local|invalid|txt|py|js|ts|tsx|jsx|json|ya?ml|toml|env|md|pdf|png|jpe?g|gif"
    r"|docx?|xlsx?|csv|html?|php|rb|go|rs|java|kt|sh|cfg|conf|ini|log|sql|zip|gz|pem|key|crt|xml|exe|plist|lock|gov|edu|me|ai|co)"
    r"(?:[/:?#]\S*)?|(?:\.{0,2}|~)/\S*|[a-z]:\\\S*|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|[0-9a-f:]*::[0-9a-f:]*"
    r"|(?:[\w.-]+/){2,}[\w.-]*|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\d+)?|[\w.]+\(.*|[\w.]+\[.*|@\w+|\+\d[\d ().-]{6,}\d"
)
_DIGEST = regex.compile(
    r"(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:sha\d*|md5|sha512|sha384)[:-].+"
    r"|\$(?:2[aby]|argon2\w*|6|5|1|y)\$.+|aaaa[bce][0-9a-z].*|pk_(?:live|test)_\w+)",
    regex.IGNORECASE,
)
_NUMBER = regex.compile(r"[#*]{0,2}\d[\d#*]{2,23}|\d{1,4}(?:[- ]\d{1,4}){1,5}[#*]?")
_DATE = regex.compile(r"(?:19|20)\d\d-\d\d?(?:-\d\d?)?|\d\d?-\d\d?-(?:19|20)\d\d|\d{1,2}-\d{1,2}")
_INNER = regex.compile(
    r"[^\W\d_][!@#$%^&*+=?~|<>{}\[\]]+[^\W_]|[!@#$%^&*+=~|]{2,}|[^\W_][#$%^*+=~&@!?]+\Z"
)
_NAMED = regex.compile(r"\^\S|\S*\(\?|[?&]?[A-Za-z_]{2,40}+=[^=]|[A-Z]:[A-Z]+;")
_WORDS = regex.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SNAKE = regex.compile(r"_*[a-z]+(?:_[a-z]+)+_*|_*[A-Z]+(?:_[A-Z]+)+_*|[a-z]+(?:[A-Z][a-z]+)+\(.*")
_JOINED = regex.compile(r"[^\W\d_]{2,}(?:[-_.+][^\W\d_]+)+[-_.+][^\W\d_]{2,}")
_SOME = 4


@lru_cache(maxsize=8192)
def shape(word: str) -> Shape:
    """How much `word` looks like a secret, independent of its context."""
    low = word.lower()
    if not word or is_placeholder(word) or _NAMED.match(word) or _ADDRESS.fullmatch(low):
        return Shape.NONE
    if _NUMBER.fullmatch(word) and not _DATE.fullmatch(word):
        return Shape.NUMBER
    if _KNOWN.fullmatch(low) or _SNAKE.fullmatch(word) or _DIGEST.fullmatch(word):
        return Shape.NONE
    if _WORDS.fullmatch(word):
        return Shape.LIKELY if _JOINED.fullmatch(word) else Shape.WORD
    return _of_mixture(word)


def _of_mixture(word: str) -> Shape:
    digits = any(char.isdigit() for char in word)
    letters = sum(char.isalpha() for char in word)
    if (digits and letters) or _INNER.search(word) or not (digits or letters):
        return Shape.LIKELY if len(word) >= _SOME else Shape.NONE
    if _JOINED.fullmatch(word):
        return Shape.LIKELY
    return Shape.WORD if letters + word.count("_") == len(word) else Shape.NONE


def is_digest(word: str) -> bool:
    """Hashes, UUIDs, public keys."""
    return bool(_DIGEST.fullmatch(word))
