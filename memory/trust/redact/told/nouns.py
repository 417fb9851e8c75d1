# ruff: noqa: E501, RUF001, ISC004 - word lists and patterns of many scripts
"""Words for passwords, PINs, keys and phrases in many languages.

They are in lower case without accents, like `View.low`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache

import regex

from ..formats.openings import Beginnings, branches, openings


class Noun(StrEnum):
    """The kind of secret that a noun names, which determines its possible forms."""

    PASSWORD = "password"  # noqa: S105 - a name
    WEAK = "weak"
    PIN = "pin"
    KEY = "key"
    PHRASE = "phrase"
    CODES = "codes"
    LOGIN = "login"
    OPENING = "opening"
    WALLET = "wallet"
    RESET = "reset"


_PLACES = (
    r"(?:door|gate|alarm|safe|garage|building|lock|lockbox|house|flat|keypad|shed|locker|elevator|luggage|suitcase|briefcase|padlock|bike lock|bike"
    r"|lift|entrance|office|vault|cabin|apartment|phone|burglar alarm)"
)
_SPACED: dict[Noun, tuple[str, ...]] = {
    Noun.PHRASE: (
        r"pass ?-?phrases?|(?:seed|recovery|mnemonic|backup|secret|wallet) ?-?(?:phrases?|words|seed)"
        r"|(?:12|24|twelve|twenty-four)[- ]word (?:seed|phrase|mnemonic)|mnemonics?|seed",
        r"(?:zwolf|vierundzwanzig|12|24) worter(?: (?:meiner|der) wallet)?|worter meiner wallet|(?:doce|12|24) palabras|(?:douze|12|24) mots|(?:doze|12|24) palavras|12 words|24 words|twelve words|seed-?phrase|wiederherstellungs(?:phrase|worter|satz)|merkworter",
        r"frase (?:semilla|de (?:recuperacao|recuperacion|contrasena|acceso)|secreta|seed|di recupero)",
        r"palabras (?:semilla|de recuperacion)|palavras[- ](?:semente|de recuperacao)|frase[- ]senha",
        r"phrase (?:secrete|de (?:recuperation|passe)|mnemonique)|wachtwoordzin|herstelzin",
        r"(?:сид|мнемоническ\w{1,16}|секретн\w{1,16})[- ]?фраз\w{1,16}|रिकवरी (?:फ्रेज|फ़्रेज़|फ्रेज़)|सीड (?:फ्रेज|फ़्रेज़|फ्रेज़)"
        r"|عباره (?:الاسترداد|المرور|الاستعاده)|كلمات الاسترداد|العباره السريه",
    ),
    Noun.CODES: (
        r"(?:recovery|back-?up|rescue|emergency|scratch|2fa|two-factor|mfa)[ -](?:codes?|keys?)",
        r"einmal-?codes?",
        r"codigos? de (?:respaldo|recuperacion|seguridad|recuperacao|backup|reserva|emergencia)",
        r"codes? de (?:secours|recuperation|sauvegarde|secour)|codici? di (?:backup|recupero)",
        r"herstelcodes?|резервн\w{1,16} код\w{0,12}|код\w{0,12} восстановления|(?:बैकअप|रिकवरी) कोड"
        r"|(?:رموز|رمز|اكواد) (?:الاسترداد|النسخ الاحتياطي|الاحتياطيه|الطوارئ)",
    ),
    Noun.PASSWORD: (
        r"passwd|pwd|(?:snmp )?community[- ]string|snmp[- ]community|psswd|pswd|passcodes?|pass-?word|logon password|p/w|watchword"
        r"|(?:security|secret) answer|answer to (?:my|the|his|her|their) (?:security|secret) question|(?:safe|magic|memorable) ?-?word|psk|wpa2?-?key|wi-?fi key|wlan-?key",
        r"(?:security|secret) question[^.?\n]{0,60}\?? ?(?:the |my )?answer|sicherheitsfrage[^.?\n]{0,60}\?? antwort|pregunta (?:secreta|de seguridad)[^.?\n]{0,60}\?? (?:la )?respuesta"
        r"|question (?:secrete|de securite)[^.?\n]{0,60} ?\?? (?:la )?reponse|pergunta (?:secreta|de seguranca)[^.?\n]{0,60}\?? (?:a )?resposta",
        r"(?:la|mi|tu|su|nueva) contra(?= (?:del?|es|era|nueva|para)\b|:)",
        r"(?:losungswort|wlan-?schlussel|netzwerkschlussel|wlanschlussel|zugangswort)",
        r"contrasenas?|contrasenya|clave (?:secreta|de acceso|personal|del? wifi|del? wi-fi|de la wifi|maestra"
        r"|de usuario|bancaria|del banco|del router|de administrador)|clave(?! (?:del?|para)(?: el| la| un| una)? (?:exit|tod|problem|asunt|cuestion|felicidad|vida|negocio|victori|tema|sol\b|futuro))|palabra clave",
        r"mots? de passe|mots?-de-passe|mdp|(?:cle|clef) (?:wifi|wi-fi|wpa2?|du wifi|de securite)|phrase secrete",
        r"senhas?|palavras?-?[ -]passe|palavra[- ]chave(?! d[oae]s? (?:artigo|texto|anuncio|pesquisa|busca|campanha|site|blog))|password",
        r"parola d'ordine|parola chiave|chiave (?:wifi|wi-fi|di rete)",
        r"wachtwoord(?:en)?|wachtwrd",
        r"hasl(?:o|a|em|ach)|hasł(?:o|a|em|ach)|парол(?:ь|я|ем|и|ю|е|ей|ям)|кодовое слово|sifre(?:m|si|niz|miz|n)?"
        r"|sifresi|parola(?:m|si)?|losenord(?:et)?|adgangskoden?|passord(?:et)?|salasana(?:ni)?|hesl(?:o|a|em)"
        r"|jelszo|jelszavam|mat khau|kata sandi|kata kunci|κωδικ(?:ος|ο|ου)(?: προσβασης)?|lozinka|zaporka|geslo",
        r"पासवर्ड\w{0,12}|कूटशब्द|पासकोड|गुप्त शब्द|संकेत शब्द|पास वर्ड|পাসওয়ার্ড|கடவுச்சொல்|رمز عبور|پاس ورڈ|پسورد|گذرواژه",
        r"[وبلف]?(?:كلم(?:ه|ات|ت|تي) (?:ال)?(?:مرور|سر)\w{0,12}|كلمه المرور|كلمه السر|كلمتي السريه|(?:ال)?باسورد\w{0,12}|(?:ال)?باسوورد"
        r"|كلمه مروري?|كلمه سري?|(?:ال)?باسبورد)|סיסמ\w{1,16}|הסיסמה|รหัสผ่าน",
    ),
    Noun.PIN: (
        r"pin[- ]?codes?|pin[- ]?numbers?|pin-?nummer|pins?|cvv2?|cvc2?|csc|cid(?=:? \d{3,4}\b)|otps?|puk2?|m?tans?|totp|mpin|upi pin",
        r"(?:access|door|gate|entry|alarm|security|verification|unlock|lock|safe|garage|building|keypad|lockbox"
        r"|one[- ]time|2fa|login|sign-?in|voicemail|screen|sim|secret|disarm|entrance|front door|shed|authenticat\w{1,16}"
        r"|vault|parental|locker|fob|key safe|key box|panic|duress) ?-?codes?",
        rf"codes? (?:for|to|of|on|at) (?:the |my |our |his |her |their )?(?:\w{{1,16}} ){{0,2}}{_PLACES}",
        r"(?:safe|door|gate|alarm|lock|locker|garage|phone|house|bike)'s (?:code|combination)|keypad|(?:safe|lock|locker|padlock|gate|door|garage|phone|suitcase|vault) (?:opens|unlocks) with"
        r"|(?:code|digits|number) on (?:the )?back(?: of (?:the|my|your) card)?",
        r"(?:four|six|eight|[4-8])[- ]digit (?:pass)?code|[4-8]-?stellige[rn]? code|codigo de (?:cuatro|quatro|seis|[4-8]) digitos|code a (?:quatre|six|[4-8]) chiffres",
        r"(?:bike lock|lock|locker|safe|padlock|gate|door|alarm|keypad) number",
        r"(?:lock|locker|safe|padlock|bike lock|suitcase|gym lock|vault)(?:'s)? combination|combination (?:for|to|of|on)"
        r" (?:the |my |our )?(?:\w{1,16} ){0,2}(?:lock|locker|safe|padlock|suitcase|vault)|(?:safe|locker|vault|lock|padlock) combo",
        r"geheimzahl|geheimnummer|sms-?code|sperrcode|prufziffer|kartenprufnummer"
        r"|zahlenkombination|(?:schloss|tresor)-?kombination|code (?:fur|von|vom|zum|zur) (?:\w{1,16} ){0,2}"
        r"(?:tur|haustur|alarmanlage|tresor|garage|schloss|safe|tor)",
        r"confirmation code(?=[^.\n\d]{0,24}\d{3}[- ]?\d{3}\b)(?! for (?:the |my |our )?(?:flight|hotel|booking|train))|code de confirmation",
        r"(?:your|ihr|dein|votre|ton) code(?=(?: is| lautet| ist| est)?:? (?:\w-)?\d{3}[ -]?\d{3}\b)",
        r"(?:combination|kombination|combinacion|combinaison|combinacao|combinazione)(?=(?:(?: is| ist| es| est| e|:) \d{1,2}(?:[- ]\d{1,2}){2,5}|,? \d{1,2}(?:[- ]\d{1,2}){3,5}|,? \d\d(?:[- ]\d\d){2,5})\b)",
        r"nip|codigo (?:pin|secreto|de (?:acceso|seguridad|verificacion|desbloqueo|entrada|la (?:alarma|puerta|caja"
        r"|entrada|cochera|casa)|acesso|seguranca|verificacao)|del? (?:portal|porton|garaje|candado|alarma))"
        r"|clave de (?:cajero|la alarma|seguridad)|numero secreto|combinacion (?:de la caja|del candado|de la)",
        rf"{_PLACES}(?:'s| has| uses| takes| needs)?(?: the| a)? code",
        r"(?:tor|tur|haustur|garage|alarmanlage|tresor|safe|schloss|keller|eingang|gartentor|aufzug)(?: \w{1,16}){1,3} code"
        r"|(?:der|die|das) (?:fur|von|vom) (?:(?:die|der|den|das|dem) )?(?:alarmanlage|garage|tresor|tor|haustur|safe)",
        r"(?:puerta|porton|alarma|garaje|caja fuerte|portal|candado|garagem|porta|portao|alarme|cofre|cadeado|predio)(?: \w{1,12}){0,4} codigo",
        r"(?:porte|portail|alarme|coffre|garage|immeuble|cadenas)(?: \w{1,12}){0,4} code|celui (?:de l'alarme|de la porte|du (?:portail|garage|coffre|cadenas|bureau))",
        r"(?:el|la|o|a) (?:del?|d[oa])(?: la| el)? (?:alarma|alarme|puerta|porta|garaje|garagem|porton|portao|candado|cadeado|caja fuerte|cofre)",
        r"code (?:pin|secret|confidentiel|d'acces|d'entree|de (?:la |l')?(?:porte|securite|verification|alarme"
        r"|validation|deverrouillage|carte bleue|carte|immeuble|coffre|entree)|d'alarme|de carte|du (?:portail|coffre"
        r"|cadenas|telephone|digicode|garage|parking|hall)|puk|cb)|digicode|cryptogramme",
        r"codigo do (?:portao|cofre|alarme|cadeado|predio)|codigo da (?:porta|portaria|garagem)|combinacao do (?:cofre"
        r"|cadeado)|senha numerica",
        r"codice (?:pin|di (?:accesso|sicurezza|sblocco|verifica)|segreto|del (?:cancello|portone)|dell'allarme|della porta)"
        r"|pincode|toegangscode|deurcode|beveiligingscode|alarmcode|kod (?:pin|dostepu|do (?:bramy|drzwi|alarmu))",
        r"пин(?:-?код\w{0,12})?|код (?:от|для) (?:\w{1,16} )?(?:домофона|двери|сейфа|сигнализации|подъезда)|код (?:доступа|подтверждения)"
        r"|kod pin|pin kodu?|dogrulama kodu",
        r"(?:तिजोरी|लॉकर|गेट|घर|बैग|सूटकेस|फ्लैट) का कोड|पिन कोड|पिन नंबर|(?:एटीएम|यूपीआई) पिन|पिन|ओटीपी|सुरक्षा कोड|सत्यापन कोड|गुप्त कोड|दरवाज़े का कोड|दरवाजे का कोड"
        r"|ताले का (?:कोड|नंबर)|सीवीवी|लॉक कोड|अलार्म (?:का )?कोड|(?:फोन|फ़ोन|मोबाइल|स्क्रीन) (?:का|की) लॉक|गेट का कोड|पिन नम्बर",
        r"[وبلف]?(?:(?:ال)?رمز (?:ال)?(?:سري|دخول|تحقق|امان|باب|امن|مرور|قفل|بوابه|خزنه|انذار|بطاقه|بين|تاكيد|تفعيل)\w{0,12}"
        r"|(?:ال)?رقم[يك]? (?:ال)?(?:سري|بين|pin)|رمز فتح|رمز pin|رمز الـ ?pin|كود (?:ال)?(?:دخول|تحقق|باب|بوابه|تفعيل|انذار|خزنه|قفل|مرور)\w{0,12}"
        r"|رمز (?:ال)?صراف)",
    ),
    Noun.OPENING: (
        # a lock that opens with a number, before the number
        rf"{_PLACES}(?: \w{{1,16}}){{0,3}} (?:opens?|unlocks?) with|combination to open|(?:{_PLACES}|tresor|schloss|zahlenschloss|tor|cofre|candado|cadenas|coffre|cadeado)(?: \w{{1,16}}){{0,3}}(?=: ?\d\d[- ]\d\d[- ]\d\d\b)|(?:gira|gire|girar|turn|dial|drehe?|giro)(?= \d{{1,2}}-\d{{1,2}}-\d{{1,2}}\b)|(?:pdf|zip|file|archive|doc|document|attachment|datei|archivo|fichier|arquivo)(?: \w{{1,16}}){{0,2}} (?:opens?|unlocks?) with",
        rf"(?:and|then)(?= \d{{4,6}}[#*]? (?:at|for|on) (?:the|my|our) {_PLACES}\b)",
        r"(?:type|enter|press|punch in|punch|dial|key in|tap in|tap|hit|put in)(?= \d{3,8}[#*]? (?:on|into|in|at|and|to|for|then)\b[^.\n]{0,40}"
        r"(?:keypad|door|gate|alarm|lock|panel|buzzer|intercom|open|safe|garage|disarm))",
        r"(?:schloss|tresor|tur|haustur|safe|tor|garage|kasten|koffer|spind|keller|box)(?: \w{1,16}){0,4} (?:geht|offnet(?: sich)?|lasst sich) mit",
        r"(?:tippe?|gib|gebe|drucke?|eingeben)(?= \d{3,8}[#*]?\b[^.\n]{0,40}(?:tur|tor\b|alarm|tastenfeld|schloss|safe|tresor))",
        r"(?:se abre|abre|se desbloquea|desbloqueo|se desactiva) con|s'ouvre (?:avec|en tapant|en faisant)|(?:abre|destrava|desbloqueia) com",
        r"(?:marca|marcas|teclea|pulsa|introduce|tape|tapez|compose|composez|faites|digite|digita|tecle|aperte)(?:r)?(?= (?:le |el |o )?\d{3,8}[#*]?\b[^.\n]{0,40}"
        r"(?:puerta|portal|teclado|alarma|porte|digicode|portail|clavier|alarme|porta|portao|cofre|interfone|abrir|ouvrir|entrar|entrer))",
        r"(?:तिजोरी|लॉकर|ताला|ताले|गेट|दरवाज़ा|दरवाजा|सूटकेस|अलमारी|फोन|फ़ोन)(?= (?:\S{1,12} ){0,3}?\d[\d-]{2,9} से (?:खुल|अनलॉक))",
        r"(?:الخزنه|القفل|الباب|البوابه|الهاتف|الحقيبه)(?: \w{1,12}){0,2} (?:يفتح|تفتح)(?: \w{1,12})?|(?:يفتح|تفتح) (?:الخزنه|القفل|الباب|البوابه|الهاتف|الحقيبه)(?: \w{1,12})?",
    ),
    Noun.WALLET: (
        r"metamask|ledger(?: nano)?(?: [sx]\b)?|trezor|electrum|exodus|phantom|trust wallet|coinbase wallet|wallet|bip-?39",
    ),
    Noun.RESET: (
        r"(?:changed|reset|set|updated|switched|changing|resetting) (?:it|that one|mine|this one) (?:back )?to",
        r"(?:cambie|cambiado|cambiada|puse|puesto) (?:a|por|en)|(?:auf|zu)(?= \S{7,40} (?:geandert|zuruckgesetzt))|je l'ai (?:change|mis|remplace)(?:e)? (?:en|par|a|pour)|(?:mudei|troquei) (?:para|pra|por)",
    ),
    Noun.LOGIN: (
        r"credentials?|creds|log-?ins?|log-?in details|logging in|log in|sign in|logged in|ssh in",
        r"zugangsdaten|anmeldedaten|logindaten|login-daten|credenciales|credenciais|identifiants?|dati di accesso|inloggegevens"
        r"|acesso|acceso|dados de acesso|datos de acceso|учетн\w{1,16} данн\w{1,16}|логин\w{0,12}|बيانات الدخول|بيانات الدخول|लॉगिन",
        r"user ?name|username|benutzername|nutzername|usuario|utilisateur|admin|root",
    ),
    Noun.WEAK: (
        r"pass|pw|psw|pwrd|pwort|kw|passe|clave|contra|pss|wifi|wi-fi|wlan|geheim|segredo|sesam",
    ),
    Noun.KEY: (
        r"api[- ]?keys?|api[- ]?tokens?|api[- ]?secrets?|tokens?|secrets?|(?:access|secret|private|signing"
        r"|encryption|master|service|license|licence|product|activation|developer|account|deploy|shared|storage|webhook"
        r"|auth|authentication|bearer|client|server|admin|live|prod|production|test|recovery|app|personal|session|hmac"
        r"|bitlocker|subscription|set-?up|manual entry|authenticator|openai|claude|mistral|aws|azure|gcp|stripe|wallet) ?-?(?:key|token|secret|key id)s?"
        r"|(?:access|api|app|client|key|secret|account)[ _]?(?:key)?[ _]?secret|accesskeysecret|secretaccesskey"
        r"|secret access key|app ?password|bearer|session cookie|credential",
        r"(?:api-?|zugriffs-?|geheim|zugangs|lizenz|produkt|privater? |secret-?)schlussels?|api-?schlussel|schlussel",
        r"(?:clave|llave|clau) (?:de )?(?:la )?(?:api|privada|secreta|de acceso|de licencia)|token de \w{1,16}|secreto",
        r"(?:cle|clef)s? (?:d'api|api|secrete|privee|d'acces|de licence|de l'api)|jeton\w{0,12}|jeton",
        r"chave (?:de |da )?(?:api|privada|secreta|acesso|licenca)|chave|segredo do cliente|chiave (?:api|segreta|privata)"
        r"|(?:api-?)?sleutel|klucz(?:a)? (?:api|prywatny|dostepu)?|(?:api-?)?ключ\w{0,12}|токен\w{0,12}|секрет\w{0,12}|anahtar\w{0,12}",
        r"(?:एपीआई|api|सीक्रेट|एक्सेस|प्राइवेट|गुप्त) (?:की|कुंजी|key)|टोकन|कुंजी|सीक्रेट",
        r"[وبلف]?(?:مفتاح|المفتاح|مفاتيح|(?:ال)?توكن|رمز الوصول|رمز (?:ال)?واجهه|الرمز المميز|رمز مميز)\w{0,12}",
    ),
}
_ANYWHERE: dict[Noun, str] = {
    # last parts of compounds, long enough to need no boundary before them
    Noun.PHRASE: "passphrase",
    Noun.PASSWORD: r"passwords?|passwort(?:s|es|er|ern)?|kennwort(?:s|es|er|ern)?|wachtwoord(?:en)?",
    Noun.CODES: r"(?:wiederherstellungs|backup-?|ersatz|notfall|sicherungs)(?:codes?|schlussel)",
    Noun.PIN: r"(?:zugangs|tur|sicherheits|bestatigungs|alarm|tor|entsperr|freischalt|zutritts|tresor"
    r"|garagen|prufungs|anmelde)-?code|-pin",
    Noun.OPENING: r"(?:schloss|schlussel-?(?:kasten|safe|tresor|box)|spind|keller|tresor)(?: \w{1,16}){0,4} (?:geht|offnet(?: sich)?|lasst sich) mit",
    Noun.KEY: r"api-?schlussel|lizenzschlussel|-token",
}
_UNSPACED: dict[Noun, str] = {
    Noun.PHRASE: "助记词|助記詞|恢复短语|恢復短語|种子短语|助憶詞|シードフレーズ|リカバリーフレーズ|復元フレーズ|パスフレーズ|니모닉|시드 ?구문|复苏词|口令短语|密码短语",
    Noun.CODES: "恢复码|备用码|备份码|恢復碼|備用碼|恢复代码|备用验证码|救援码|リカバリーコード|バックアップコード|復旧コード|回復コード|복구 ?코드|백업 ?코드|一次性恢复码",
    Noun.PASSWORD: r"密码|密碼|口令|パスワード|パスコード|パス(?=[は：:がを]\s?[「!-~])|合言葉|合い言葉|パスワ-ド|パスワ|비밀번호|비번|암호|패스워드|暗号キー|暗号化キー|暗語|暗语|口座暗証",
    Noun.PIN: "暗証番号|暗証コード|認証コード|確認コード|セキュリティコード|セキュリティ番号|ロック解除番号|解錠番号|解除コード|アクセスコード|ピンコード"
    "|验证码|驗證碼|安全码|安全碼|校验码|门禁码|门锁码|动态码|取件码|开锁码|pin码|pin碼|门禁|핀번호|핀 ?코드|인증번호|보안코드|ワンタイム|暗証|オートロックの番号"
    "|ドアコード|金庫の番号|ダイヤル番号|鍵の番号|門禁密碼|解锁码|提款密码|开门码",
    Noun.OPENING: r"(?:保险箱|保险柜|门锁|锁|柜子|行李箱|大门|车库|保險箱)(?=[^。\n]{0,12}?\d{3,8}[^。\d\n]{0,4}(?:打开|开门|就能开|能开|可以开|解锁|開))"
    r"|(?:金庫|鍵|ロッカー|ドア|玄関|自転車|スーツケース|ポスト|オートロック|宅配ボックス)(?=[^。\n]{0,12}?\d{3,8}[#*]?(?:で開|を押|を入れ|って入れ|と入れ))",
    Noun.KEY: "密钥|密鑰|金鑰|秘钥|令牌|私钥|私鑰|授权码|授權碼|激活码|apiキー|api キー|トークン|シークレット|アクセスキー|秘密鍵|ライセンスキー|キー|토큰|시크릿|비밀 ?키|api ?키",
    Noun.LOGIN: "账号|帳號|账户|登录|ログイン|アカウント|계정|로그인",
}  # fmt: skip
_NOT_AFTER = (
    # following words that change the meaning: a manager, a policy, a count
    r"(?![\w]|[-_ ](?:manager|managers|policy|policies|generator|hash|hashes|hashing|strength|length|vault|protected"
    r"|field|fields|rules?|requirements?|limit|limits|count|usage|budget|window|free(?!\s?[:=])|less|based|holder|economy|price"
    r"|ring|board|points?|entropy|rotation|type|ids?|url|bucket|stuffing|spraying|cracker|complexity|expiry"
    r"|expiration|screen|prompt|dialog|form|page|tab|name|metrics)\b|-(?:reset|manager|richtlinie|safe)\b"
    r"|[-_.@#$%&*+~!]\w{0,20}[-_.@#$%&*+~!]?\w{0,20}\d)"
)


def _pattern(first: str | None = None) -> regex.Pattern[str]:
    """The pattern of all nouns, or of those that begin with the letters `first`."""
    spaced = _named("", {noun: "|".join(words) for noun, words in _SPACED.items()}, first)
    anywhere, unspaced = _named("__", _ANYWHERE, first), _named("_", _UNSPACED, first)
    ways = [f"(?:{unspaced})"] if unspaced else []
    if anywhere:
        ways.append(f"(?:{anywhere}){_NOT_AFTER}")
    if spaced:
        ways.append(rf"(?<![^\W_])(?=\w)(?:{spaced}){_NOT_AFTER}")
    return regex.compile("|".join(ways))


def _named(mark: str, words: Mapping[Noun, str], first: str | None) -> str:
    """An alternation with a group for each noun that has words, in the order of `Noun`."""
    table = [(noun, [b for b in branches(words.get(noun, "")) if b]) for noun in Noun]
    if first:
        table = [(noun, [b for b in ways if _begins(b, first)]) for noun, ways in table]
    return "|".join(f"(?P<{noun.name}{mark}>{'|'.join(ways)})" for noun, ways in table if ways)


def _begins(branch: str, first: str) -> bool:
    return any(first.startswith(start) or start.startswith(first) for start in _firsts(branch))


@cache
def _firsts(branch: str) -> frozenset[str]:
    return frozenset(openings(branch, 2))


@cache
def _beginning(first: str) -> regex.Pattern[str]:
    return _pattern(first)


NOUNS = _pattern()
"""Finds nouns in `View.low`; the last matched group is named after the noun, with `_` at its end
for some patterns."""

_WORDS = {start for either in _SPACED.values() for words in either for start in openings(words)}
_PARTS = {
    start for words in (*_ANYWHERE.values(), *_UNSPACED.values()) for start in openings(words)
}
_GATE = Beginnings(_WORDS, _PARTS)
_ASCII_GATE = Beginnings(set(filter(str.isascii, _WORDS)), set(filter(str.isascii, _PARTS)))


def find_nouns(low: str) -> Iterator[regex.Match[str]]:
    """The result of `NOUNS.finditer(low)`, computed faster."""
    gate = _ASCII_GATE if low.isascii() else _GATE
    at = 0
    for start in gate.starts(low, 0, len(low)):
        match = _beginning(low[start : start + 2]).match(low, start) if start >= at else None
        if match:
            yield match
            at = match.end()
