"""German."""

from .table import Table

GERMAN = Table(
    months="januar|jänner|jan februar|feber|feb märz|maerz april|apr mai juni|jun juli|jul "
    "august|aug september|sept|sep oktober|okt november|nov dezember|dez",
    weekdays="montag|montags dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    seasons="frühling|frühjahr|fruehling sommer herbst winter",
    units={
        "minute": "minute|minuten",
        "hour": "stunde|stunden",
        "day": "tag|tage|tagen",
        "week": "woche|wochen",
        "weekend": "wochenende|wochenenden",
        "month": "monat|monate|monaten|monats",
        "quarter": "quartal|quartals",
        "year": "jahr|jahre|jahren|jahres",
        "decade": "jahrzehnt|jahrzehnte",
    },
    days={
        "-2": "vorgestern",
        "-1": "gestern",
        "0": "heute",
        "1": "morgen",
        "2": "übermorgen|uebermorgen",
    },
    last="letzte|letzten|letzter|letztes|letztem|vergangene|vergangenen|vergangener|vergangenes|"
    "vorige|vorigen|voriger|voriges",
    this="diese|diesen|dieser|dieses|diesem|diesjährigen",
    next="nächste|nächsten|nächster|nächstes|nächstem|kommende|kommenden|kommender|kommendes|"
    "naechste|naechsten|naechstes",
    before_last="vorletzte|vorletzten|vorletzter|vorletztes",
    ago="zuvor",
    ago_or_before="vor",
    before="bis|bevor",
    after="nach",
    since="seit|ab",
    between="zwischen|von|vom",
    to="bis|bis_zum|-",
    and_="und|oder",
    in_="im|in|während|waehrend",
    vague="um|gegen|über",
    on="am|an",
    the="der|die|das|dem|den|des",
    one="ein|eine|einem|einer|einen",
    numbers="zwei drei vier fünf|fuenf sechs sieben acht neun zehn elf zwölf",
    ordinals="erste|ersten|erster|erstes zweite|zweiten|zweiter|zweites dritte|dritten|drittes "
    "vierte|vierten|viertes fünfte|fünften",
    few="paar|ein_paar|einigen|einige|wenigen|wenige|mehreren|mehrere",
    parts="vormittag|früh nachmittag abend nacht",
    tonight={
        "0 0": "heute_morgen|heute_früh|diesen_morgen",
        "-1 0": "gestern_morgen|gestern_früh",
        "1 0": "morgen_früh",
        "-1 3": "letzte_nacht|vergangene_nacht",
    },
    early="anfang|beginn|anfangs",
    mid="mitte",
    late="ende",
    holidays={
        "christmas": "weihnachten",
        "christmas eve": "heiligabend|heiliger_abend",
        "new year's eve": "silvester",
        "new year": "neujahr",
        "valentine": "valentinstag",
        "halloween": "halloween",
        "easter": "ostern",
    },
    recently={
        30: "kürzlich|neulich|vor_kurzem|in_letzter_zeit|jüngst",
        7: "vor_ein_paar_tagen",
    },
    amounts={"6 month": "halbes_jahr|halben_jahr|einem_halben_jahr", "14 day": "vierzehn_tagen"},
    numbered="zimmer raum version seite nummer flug haus linie kapitel gleis",
    common="ich du er sie es wir ihr mein meine dein deine was wer wo wann wie warum war waren ist "
    "sind hat habe haben hatte mit für auf nicht zu von mir mich wird werde hier gemacht "
    "ging gesagt über",
)
