"""Secrets that a sentence tells, in every language with a pack."""

from recollect.memory.language import packs
from recollect.memory.trust.redact import RedactOptions, Redactor
from tests.support.findings import find_secrets
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

LINKED = {
    "ar": "كلمة المرور هي Kestrel-81x",
    "de": "Mein Passwort lautet Kestrel-81x",
    "en": "my password is Kestrel-81x",
    "es": "Mi contraseña es Kestrel-81x",
    "fr": "Mon mot de passe est Kestrel-81x",
    "hi": "मेरा पासवर्ड Kestrel-81x है",
    "it": "La parola d'ordine è Kestrel-81x",
    "ja": "パスワードは Kestrel-81x です",
    "ko": "비밀번호는 Kestrel-81x 입니다",
    "nl": "Het wachtwoord is Kestrel-81x",
    "pl": "Moje hasło to Kestrel-81x",
    "pt": "Minha senha é Kestrel-81x",
    "ru": "Мой пароль — Kestrel-81x",
    "tr": "Şifrem: Kestrel-81x",
    "zh": "我的密码是 Kestrel-81x",
}
CODES = {
    "ar": "رمز الباب هو 4821",
    "de": "Der Code für das Garagentor ist 4821",
    "en": "the code of the garage door is 4821",
    "es": "La combinación del candado es 4821",
    "fr": "Le code de la porte est 4821",
    "hi": "तिजोरी का कोड 4821 है",
    "it": "Il codice del cancello è 4821",
    "ja": "玄関の暗証番号は4821です",
    "ko": "현관 도어락 번호는 4821 입니다",
    "nl": "De code van de poort is 4821",
    "pl": "Kod do bramy to 4821",
    "pt": "O código do portão é 4821",
    "ru": "Код от домофона 4821",
    "tr": "Garajın kodu 4821",
    "zh": "大门的密码是4821",
}
COUNTED = {
    "ar": "يجب أن تتكون كلمة المرور من 1024 حرفا",
    "de": "Das Passwort hat höchstens 1024 Zeichen",
    "en": "the PIN may have 1024 digits",
    "es": "La contraseña admite 1024 caracteres",
    "fr": "Le mot de passe compte 1024 caractères",
    "hi": "पासवर्ड 1024 अक्षर का है",
    "it": "La password può avere 1024 caratteri",
    "ja": "パスワードは1024文字までです",
    "ko": "비밀번호는 1024자리 입니다",
    "nl": "Het wachtwoord telt 1024 tekens",
    "pl": "Hasło liczy 1024 znaki",
    "pt": "A senha aceita 1024 caracteres",
    "ru": "Пароль длиной 1024 символа",
    "tr": "Şifre 1024 karakter olabilir",
    "zh": "密码可以有1024个字符",
}


def found(text):
    return [text[f.start : f.end] for f in find_secrets(text)]


@rows("language", LINKED)
def test_a_value_after_its_name(language):
    """A password is taken, a code beside its lock too, a count is not."""
    assert packs()[language].secrets.password
    assert found(LINKED[language]) == ["Kestrel-81x"]
    assert found(CODES[language]) == ["4821"]
    assert found(COUNTED[language]) == []


@rows("text, secret", ROWS["a value before its name"])
def test_a_value_before_its_name(text, secret):
    """The words between say whose it is."""
    assert found(text) == secret


@rows("text, secret", ROWS["what a value may be"])
def test_what_a_value_may_be(text, secret):
    """Words for digits, phrases, lists, pairs of user and password, quotes."""
    assert secret in found(text)


@rows("text", ROWS["what is said about secrets stays"])
def test_what_is_said_about_secrets_stays(text):
    """Rules, states, years, counts, other numbers and longer names of other things."""
    assert found(text) == []


@rows("text", [*LINKED.values(), *CODES.values()])
def test_a_told_secret_is_gone_for_good(text):
    """Redacting again changes nothing."""
    redactor = Redactor(RedactOptions())
    once = redactor.redact(text).text
    assert "removed]" in once
    assert redactor.redact(once).text == once
