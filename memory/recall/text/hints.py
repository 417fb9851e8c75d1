# ruff: noqa: RUF001 - letters of other scripts are meant
"""Evidence of a language besides function words: everyday words and its own letters."""

from __future__ import annotations

_WORDS = {
    "en": """
    hey hi hello thanks thank bye yup nope wow ya em gonna wanna gotta see know like get got go
    going went think really great good time day new love one want need today yesterday tomorrow
    now well here sorry sure nice happy friend work year week last next first been still never
    ever always people something anything user prefers likes loves lives works name wants has
    his her dog cat live moved bought said says told birthday favorite favourite
    take care later haha lol guess glad awesome
    s t d m ll re ve come man men kind plus chat sense met sit ton son door hat hay car pour ate
    till dig barn ten pies war die bin sin tag date gift art fast note bar van fat name brand angel
    wind rot arm hell pest rat mode sang main pain dent four chose lit mere sale vent
    """,
    "de": """
    hallo danke gut gute guten neue neuen neuer neues heute gestern morgen tag jahr leben wohnt
    lebt arbeitet mag gerne gern lieber freund freundin hund katze geburtstag haus kind kinder
    heißt liebt gekauft gegangen gemacht gewohnt stadt urlaub letzte letzten nächste woche
    """,
    "es": """
    hola gracias bueno buena buenos hoy ayer mañana día año vive trabaja gusta gustan amigo amiga
    perro gato casa cumpleaños hijo hija hermano hermana compró fui fuimos voy va hace cada
    nuevo nueva mejor usuario llama prefiere semana pasado
    """,
    "fr": """
    bonjour salut merci aujourd'hui hier demain jour année habite travaille aime ami amie chien
    chat maison anniversaire enfant enfants fils fille frère sœur soeur acheté allé fait faire
    nouveau nouvelle semaine dernier dernière utilisateur appelle préfère voiture
    """,
    "pt": """
    olá obrigado obrigada bom boa hoje ontem amanhã dia ano mora trabalha gosta gosto amigo
    amiga cachorro gato casa aniversário filho filha irmão irmã comprou fui vou vai novo nova
    semana passada usuário prefere chama chamo comprei
    """,
    "it": """
    ciao grazie buono buona oggi ieri domani giorno anno vive abita lavora piace amico amica
    cane gatto casa compleanno figlio figlia fratello sorella comprato andato andata fatto fare
    nuovo nuova settimana scorso scorsa utente chiama preferisce ogni
    """,
    "nl": """
    hallo dank bedankt goed goede vandaag gisteren morgen dag jaar woont werkt houdt vriend
    vriendin hond kat huis verjaardag kind kinderen zoon dochter broer zus gekocht gegaan gedaan
    nieuw nieuwe week vorige graag heet gebruiker naam
    """,
    "sv": """
    hej tack bra god idag igår imorgon dag år bor jobbar arbetar gillar vän hund katt hus
    födelsedag barn son dotter bror syster köpte gick gjorde ny nya nytt vecka förra heter namn
    tycker hellre
    """,
    "da": "hej tak godt dag bor arbejder hund kat købte gik ny nye uge sidste hedder kan lide",
    "no": "hei takk bra dag bor jobber liker hund katt kjøpte gikk ny nye uke forrige heter",
    "ru": """
    привет спасибо хорошо сегодня вчера завтра день год живет живёт работает люблю любит нравится
    друг собака кошка дом новый новая купил купила зовут сын дочь
    """,
    "uk": "привіт дякую добре сьогодні вчора завтра день рік живе працює люблю любить друг собака",
    "id": "hari rumah anjing kucing kerja tinggal suka baru kemarin besok terima kasih nama",
    "tr": "merhaba teşekkürler bugün dün yarın gün yıl köpek kedi ev yeni iyi güzel seviyor adı",
    "pl": "cześć dziękuję dzisiaj dziś wczoraj jutro dzień rok pies kot dom nowy nowa lubi mieszka",
}

HINTS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
"""Everyday words by language, in lower case.

English includes the rest of "she's", and words that are function words in another language ("car",
"son", "die"): in a text taken for French, "car" would be removed as a stop word.
"""

LETTERS = {
    "ß": ("de",), "ä": ("de", "sv", "fi"), "ö": ("de", "sv", "fi", "tr", "hu"),
    "ü": ("de", "tr", "hu"), "ñ": ("es",), "¿": ("es",), "¡": ("es",), "ã": ("pt",),
    "õ": ("pt",), "ç": ("fr", "pt", "tr"), "è": ("fr", "it"), "ê": ("fr", "pt"),
    "ù": ("fr", "it"), "ò": ("it",), "ì": ("it",), "œ": ("fr",), "å": ("sv", "da", "no"),
    "ø": ("da", "no"), "æ": ("da", "no"), "ł": ("pl",), "ż": ("pl",), "ę": ("pl",),
    "ą": ("pl",), "ś": ("pl",), "ř": ("cs",), "ů": ("cs",), "ě": ("cs",), "ő": ("hu",),
    "ű": ("hu",), "ș": ("ro",), "ț": ("ro",), "ă": ("ro", "vi"), "ğ": ("tr",), "ş": ("tr",),
    "ı": ("tr",), "đ": ("vi",), "ơ": ("vi",), "ư": ("vi",), "ạ": ("vi",), "ế": ("vi",),
    "ố": ("vi",), "ộ": ("vi",), "ả": ("vi",), "ы": ("ru",), "э": ("ru",), "ъ": ("ru",),
    "ё": ("ru",), "і": ("uk",), "ї": ("uk",), "є": ("uk",), "ґ": ("uk",), "پ": ("fa",),
    "چ": ("fa",), "گ": ("fa",), "ژ": ("fa",),
}  # fmt: skip
"""Languages by letter; a letter counts as much as a function word."""
