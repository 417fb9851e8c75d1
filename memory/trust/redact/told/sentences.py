# ruff: noqa: E501, RUF001, SIM905 - word lists and patterns of many scripts
"""Reads the words between a noun and a value: a link between them, or a rule about values."""

from __future__ import annotations

from dataclasses import dataclass

import regex

_OPENING = " \n\r\"'`*([{<«“„_「『‘（【《"
_SEPARATORS = (":", "=", "->", "=>", "→", "⇒", "—>", "|", " -", " --", "\t")
_ADVERBS = frozenset(
    """uh um er uhm erm hmm well ah ahm euh eh hum now still just currently simply literally actually always called again probably maybe also only
    jetzt noch immer nun einfach aktuell weiterhin neu derzeit wieder ubrigens momentan doch ja ahora
    simplemente siempre actualmente todavia solo toujours maintenant desormais encore simplement agora
    sempre atualmente ainda ora adesso ancora nu nog steeds теперь сейчас الان حاليا अब अभी set le la el o de""".split()
)
_PLAIN_COPULAS = frozenset(
    """is was are ist lautet lautete sind war es son era est sont e sao sono luidt to jest brzmi — это
    был है था هي هو c'est it's - – heisst colon equals doppelpunkt puntos pontos points""".split()
)
_COPULAS = _PLAIN_COPULAS | frozenset(
    """'s were am be being become becomes became reads as equals waren bleibt wird auf wurde sera fue
    etait s'est devient foi ficou para por wordt naar на : будет стал ar हैं थी كانت كان اصبحت صارت الى ל של
    היא en a""".split()
)
LINKING = _COPULAS | _ADVERBS | _PLAIN_COPULAS
"""Words that link a noun to the next words, alone or with others."""
_CHANGING = frozenset("to as auf a por en para em naar на".split())
_CHANGES = regex.compile(
    r"\b(?:chang|set|reset|updat|switch|geandert|gesetzt|cambi|puse|mis|mud|troqu|alter|смени|измени)"
)
_CJK = (
    "是", "为", "為", "叫", "成", "改到", "成了", "是：", "は", "が", "を", "に", "은", "는", "이", "가", "를", "을",
    "로", "です",
)  # fmt: skip
_TAIL = 60
RULE = regex.compile(
    # requirements and counts: a number of things follows
    r"\b(?:must|should|at least|minimum|min\.|maximum|max\.|more than|less than|up to|every|longer than|shorter than|between|needs?"
    r"|requires?|exactly|only accepts|expires?|mindestens|hochstens|muss|mussen|soll|sollte|langer|kurzer"
    r"|innerhalb|zwischen|minimo|al menos|por lo menos|debe|deben|debera|cada|como minimo|maximo|mas de|menos de|au moins|au minimum|doit|doivent"
    r"|plus de|moins de|pelo menos|no minimo|deve|devem|mais de|almeno|minstens|moet|elke|co najmniej|musi|минимум|не менее|каждые|должен"
    r"|कम से कम|हर|ज़रूरी|चाहिए|على الاقل|كل|يجب|لا تقل|اكثر من|يتكون)\b|至少|最少|最多|每|不少于|必须|长度|長度|以上|以下|少なくとも|最低|毎|以内|超过|超過|최소|이상|매"
)
UNIT = regex.compile(
    r"[-\s]{0,2}(?:\+ ?)?(?:char|digit|letter|symbol|word|number|time|day|week|month|year|minute|min\b|second|sec\b|hour|people|attempt|tries|bit|byte|percent|%"
    r"|st\b|nd\b|rd\b|th\b|euro|dollar|usd|eur\b|\$|€|£|zeichen|stell|ziffer|zahl|buchstab|tag|woche|monat|jahr|minut|sekund|stund|mal\b|uhr|versuch|wort"
    r"|caracter|digito|letra|simbolo|dia|semana|mes\b|meses|ano|hora|segund|vez|veces|vezes|intent|tentativ|palabra|palavra|caractere|chiffre|lettre|symbole|jour|semaine"
    r"|mois|heure|fois|essai|mot\b|mots|cifre|caratter|giorn|mesi|ore\b|volt|peso|rupee|yen|pound|kron|zlot|tekens|cijfer|dagen|maand|znak|cyfr|dni|символ|цифр|знак|раз\b|дн|час|лет"
    r"|个|個|位|字|天|次|年|月|周|小时|分钟|秒|种|条|文字|桁|日|回|時|週|度|자|글자|자리|번|일|अंक|अक्षर|दिन|बार|महीन|साल|घंट|मिनट|बजे|हफ़|हफ्"
    r"|احرف|حرف|حروف|ارقام|خانات|خانه|يوم|ايام|مره|مرات|شهر|اشهر|سنه|دقيق|ساع|ثاني|اسبوع|رقما|رموز)"
)
EXAMPLE = regex.compile(
    r"(?:\b(?:like|such as|e\.g\.|eg|for example|for instance|say|wie|etwa|z\. ?b\.|zum beispiel|beispielsweise|como|por ejemplo|por exemplo"
    r"|comme|par exemple|tipo|ad esempio|zoals|bijvoorbeeld|например|типа|वगैरह|जैसे|जैसा|مثل|مثلا|such|than|not|contain\w*|enth\w+|contiene|contient)"
    r"|例如|比如|像|诸如|たとえば|例えば|のような|ような)[\s,:(\"'“„«「‘]*\Z"
)
TIME = regex.compile(
    r"\b(?:in|since|from|until|by|im|seit|bis|en|desde|hasta|depuis|jusqu'en|em|ate|nel|dal|sinds|в|с|до|में|से|في|منذ|عام|سنه)\s+\Z"
)
ITEM = regex.compile(
    r"(?:\b(?:number|no\.?|nr\.?|ticket|order|room|page|line|port|error|version|build|issue|case|chapter|step|extension|ext|flat|apartment|house|bus|flight|zip"
    r"|postal|area|postcode|article|zimmer|seite|fehler|bestellnummer|bestellung|auftrag|plz|habitacion|pagina|pedido|error|chambre|commande|erreur|quarto"
    r"|stanza|ordine|комнат\w+|заказ\w*|कमरा|ऑर्डर|غرفه|طلب|at|um|gegen|a las|as|a)\s*(?:is |ist |es |:|#|nr\.? ?)?\s*|#|订单号?|房间|第|注文|ページ|№)\Z"
)
SENTENCE_END = regex.compile(r"[.!?](?=\s|\Z)|[。！？؟।]|\n\s*\n|[;；]\s")
CLAUSE_END = regex.compile(
    r"[,.;!?\n\"”“»)،。，；！？।؟]|\s[-–—]\s|\s\(|\s(?:and|but|und|aber|y|pero|et|mais|e|mas|och|en|all|if|wenn|falls|so|for|für|please|bitte|por|with|mit|"
    r"because|since|when|which|in|on|at|as|और|लेकिन|و|ولكن|और|है|हैं)(?=\s)|\Z"
)
NOT_A_VALUE = frozenset(
    # words after "is" that describe a password
    """a an the my your our his her their its this that these those it i you we they he she not no none nothing never also too very so quite
    really rather pretty extremely almost always already still just only now then there here where what which who when why how whether
    if because for from to of in on at by with without about between into under over after before during until since within same
    different wrong right correct incorrect invalid valid bad good fine ok okay weak strong short long longer shorter easy hard simple
    complex complicated secure insecure safe unsafe secret public private important required necessary needed mandatory optional
    missing empty blank gone lost forgotten old new outdated current expired expiring stored saved written kept managed hidden known unknown
    case sensitive unique shared changed reset set used reused leaked compromised stolen breached hashed encrypted salted random randomly generated
    hard-coded hardcoded case-sensitive up down due something anything everything nothing somewhere stuff ready working broken
    being been going getting not-set locked blocked rejected accepted refused sent enough is are was were be has had have having can could would will may might do does did annoying confusing ridiculous terrible horrible awful
    great perfect better worse best worst harder easier likely probably perhaps maybe usually often sometimes more less most least much many
    all any some each every both either one two three four five six seven eight nine ten several few lots plenty
    automatically manually temporarily permanently securely safely properly correctly ist sind nicht kein keine keinen ein eine einen
    einem einer mein meine dein deine sein ihr unser der die das den dem des zu sehr ganz noch schon immer nie jetzt wieder auch nur so falsch richtig
    korrekt ungultig gultig schwach stark kurz lang sicher unsicher geheim wichtig notig erforderlich leer weg verloren vergessen alt neu abgelaufen
    gespeichert notiert geandert gesperrt bekannt unbekannt gleich dasselbe anders einfach kompliziert schwer leicht im in auf bei mit von fur
    und oder aber weil wenn dass wie was wo wer hier dort da nirgends irgendwo veraltet zurückgesetzt zuruckgesetzt gut schlecht zwingend gehackt
    fallig es un una unos unas el la los las mi tu su nuestro nuestra lo le muy mas menos tan no nunca siempre ya aun todavia solo tambien
    incorrecta incorrecto correcta correcto invalida invalido valida debil fuerte segura seguro insegura corta corto larga largo facil dificil
    importante obligatoria obligatorio necesaria necesario secreta secreto nueva nuevo vieja viejo antigua misma mismo igual distinta diferente demasiado bastante
    algo nada que quien cual como donde cuando porque para por de del en con sin sobre est c ce le les un des du mon ma mes ton ta votre notre son sa trop
    tres plus moins assez bien mal pas jamais toujours deja encore aussi seulement faux fausse incorrect juste invalide valide faible fort forte
    court courte longue facile difficile compliqué complique simple sur sure secret obligatoire nécessaire necessaire nouveau nouvelle ancien ancienne meme même
    different quelque rien que qui quoi ou où quand parce pour par dans avec sans chez enregistré stocké oublie perdu expire o os as um uma meu minha seu sua
    nosso nossa muito mais menos tão tao nao não nunca sempre ja já ainda so só tambem também errada errado certa certo fraca fraco forte curta curto longa longo
    fácil difícil segura obrigatória obrigatoria necessária nova novo velha antiga mesma mesmo igual diferente algo nada quem qual onde quando porque
    em no na nos nas do da dos das com sem sobre pelo pela guardada salva esquecida expirada il lo gli i uno mio mia tuo tua suo sua nostro molto piu meno troppo abbastanza
    non mai sempre gia ancora anche solo sbagliata errata corretta debole sicura lunga corta facile difficile nuova vecchia stessa scaduta dimenticata
    het een de mijn jouw uw zijn haar onze niet nooit altijd al nog ook fout onjuist juist zwak sterk te kort lang veilig onveilig nieuw oud verlopen vergeten
    не нет мой моя мои твой его её наш ваш очень слишком уже еще ещё всегда никогда только неверный неправильный правильный слабый сильный
    короткий длинный простой сложный надежный надёжный новый старый тот такой где как что кто когда почему в на с к о для без от до по за и или но
    गलत सही कमज़ोर मज़बूत कमजोर मजबूत नहीं बहुत नया पुराना लंबा छोटा भूल क्या कहाँ कैसे मेरा मेरी का की के को में से पर और या किसी कोई हर
    ليست ليس غير صحيحه خاطئه صحيح خاطئ ضعيفه قويه طويله قصيره سهله صعبه جديده قديمه نفس في من على الى عن مع ان ما لا هي هو التي الذي جدا اي كل
    """.split()
)
_ENDINGS = regex.compile(
    r"[a-z]{2,}(?:ed|ing|able|ible|ful|less|ive|ous|ary|ory|ly|ated|ized|tion|ness)|ge\w+(?:t|en)|\w+(?:iert|lich|isch|bar|haft|ung|ado|ada|idos?|idas?"
    r"|ados|adas|issime|ement|mente|ées?|és?)|(?:ver|zer|be|ent|er)\w{3,}(?:t|en)|\w+(?:ный|ная|ое|ые|ется|ован|лся)"
)
_STEM = 4


@dataclass(frozen=True, slots=True)
class Link:
    """How a noun is linked to the next words: by a sign, by any verb, by "is"."""

    sign: bool
    verb: bool
    plain: bool


_UNTIED = Link(sign=False, verb=False, plain=False)


def link(between: str) -> Link:
    """The link at the end of the words between a noun and a candidate."""
    tail = between.rstrip(_OPENING)
    opened = between[len(tail) :].strip() and not tail
    if tail.endswith(_SEPARATORS) or opened:
        return Link(sign=True, verb=True, plain=True)
    if not tail:
        return _UNTIED
    if not tail.isascii() and tail.endswith(_CJK):
        return Link(sign=False, verb=True, plain=True)
    words = tail[-_TAIL:].split()
    if not words or (words[-1] not in LINKING and not words[-1].endswith(("'s", "’s"))):
        return _UNTIED
    last = len(words) - 1
    while last > 0 and words[last] in _ADVERBS and words[last] not in _PLAIN_COPULAS:
        last -= 1
    word = words[last]
    told = word in _COPULAS or word.endswith(("'s", "’s"))
    comma = last > 0 and words[last - 1].endswith(",") and tail.count(",") % 2 == 1
    plain = (word in _PLAIN_COPULAS or word.endswith("'s")) and not comma
    if word in _CHANGING:
        plain = bool(_CHANGES.search(tail))
    return Link(sign=False, verb=told, plain=plain)


def is_said_of_it(word: str) -> bool:
    """Whether a plain word in lower case describes the password instead of being it."""
    return word in NOT_A_VALUE or (bool(_ENDINGS.fullmatch(word)) and len(word) > _STEM)
