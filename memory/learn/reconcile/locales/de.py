"""German."""

from .model import Terms

TERMS = Terms(
    code="de",
    user="""
    nutzer nutzerin nutzers benutzer benutzerin benutzers user users er sie ich ihm ihn mir
    """,
    lead="""
    der|die|das|dem|den|des|ein|eine|nutzers?|nutzerin|benutzers?|user|users|sein|seine|seinem
    |seiner|seinen|ihr|ihre|ihrem|ihrer|mein|meine|meiner|von|vom|alte|ältere|älterer|ältester
    |älteste|jüngere|jüngerer|jüngste|jüngster|große|großer|kleine|kleiner|beste|bester|neue
    |neuer
    """,
    ceased="""
    nicht (?:mehr|länger)|kein\\w*(?= (?:\\w+ )?mehr)|nie mehr|nie wieder|aufgehört|aufgegeben
    |beendet|gekündigt|ausgetreten|abgebrochen|abgesagt|abgemeldet|abgeschafft|eingestellt
    |verkauft|ist vorbei|ist zu ende|zu ende|abgeschlossen|sich getrennt|getrennt|hört auf
    |geschlossen|nicht(?= \\w+ (?:\\w+ )?mehr)
    """,
    refuted="""
    nie (?:ein|eine|einen)|hatte nie|hat nie|hatte noch nie|hat noch nie|war nie|noch nie
    |stimmt nicht|war ein irrtum|war falsch|war ein fehler
    """,
    replaced="""
    stattdessen|statt|anstatt|gewechselt|wechselte|ersetzt|umgestiegen|umgestellt|lieber
    |getauscht
    """,
    changed="""
    jetzt|nun|inzwischen|mittlerweile|neuerdings|seit|ab sofort|umgezogen|befördert|verlängert
    |erhöht|gesenkt|gekürzt|gestiegen|gesunken|verschoben|verlegt|geändert|aktualisiert|künftig
    |wurde|gewachsen|neu|angehoben|reduziert|aufgestockt
    """,
    added="""
    auch|ebenfalls|außerdem|zusätzlich|zudem|noch ein|noch eine|noch einen|weiterer|weitere
    |weiteres|seit kurzem|hat angefangen mit
    """,
    intended="""
    überlegt|überlegt sich|denkt darüber nach|denkt daran|plant|möchte vielleicht
    |will vielleicht|hat vor|erwägt|träumt davon|vielleicht|spielt mit dem gedanken|irgendwann
    """,
    negated="""
    nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|nichts|ohne|weder|noch|nirgends|meidet
    |vermeidet|außer
    """,
    kin={
        "mother": "mutter mama mutti", "father": "vater papa", "parent": "eltern",
        "brother": "bruder brüder halbbruder", "sister": "schwester schwestern halbschwester",
        "sibling": "geschwister", "son": "sohn söhne sohnes", "daughter": "tochter töchter",
        "child": "kind kinder", "baby": "baby", "wife": "frau ehefrau", "husband": "ehemann mann",
        "partner": "partner partnerin freundin verlobte verlobter",
        "ex": "ex exfrau ex-frau exmann ex-mann ex-freund ex-freundin",
        "grandmother": "großmutter oma", "grandfather": "großvater opa",
        "grandparent": "großeltern", "grandchild": "enkel enkelin enkelkind", "aunt": "tante",
        "uncle": "onkel", "cousin": "cousin cousine", "niece": "nichte", "nephew": "neffe",
        "godchild": "patenkind patensohn patentochter", "godparent": "patentante patenonkel",
        "stepparent": "stiefmutter stiefvater",
        "in_law": "schwiegermutter schwiegervater schwager schwägerin schwiegereltern",
        "friend": "freund freunde", "roommate": "mitbewohner mitbewohnerin",
        "neighbour": "nachbar nachbarin nachbarn", "boss": "chef chefin vorgesetzter vorgesetzte",
        "colleague": "kollege kollegin kollegen", "landlord": "vermieter vermieterin",
        "client": "kunde kundin", "teacher": "lehrer lehrerin", "doctor": "arzt ärztin zahnarzt",
        "dog": "hund hündin hunde welpe", "cat": "katze kater katzen", "rabbit": "kaninchen",
        "horse": "pferd", "bird": "papagei", "team": "team", "family": "familie",
        "company": "firma arbeitgeber",
    },
    contrasts={
        "side": {"left": "links linke linken linkes linker linkem",
                 "right": "rechts rechte rechten rechtes rechter rechtem"},
        "environment": {"production": "produktion produktiv", "staging": "staging", "test": "test"},
        "place": {"home": "hause zuhause daheim wohnung", "work": "büro arbeit",
                  "cabin": "ferienhaus ferienwohnung"},
        "owner": {"private": "privat private privates", "work": "dienstlich dienstliche beruflich"},
        "age": {"older": "ältere älterer ältester älteste große großer",
                "younger": "jüngere jüngerer jüngster jüngste kleine kleiner"},
        "order": {"first": "erste erster ersten erstes", "second": "zweite zweiter zweiten zweites",
                  "third": "dritte dritter dritten drittes"},
        "season": {"summer": "sommer", "winter": "winter"},
        "meal": {"breakfast": "frühstück", "lunch": "mittagessen", "dinner": "abendessen"},
        "vehicle": {"car": "auto", "bike": "fahrrad e-bike", "motorbike": "motorrad",
                    "trailer": "fahrradanhänger anhänger"},
        "device": {"laptop": "laptop", "phone": "handy", "tablet": "tablet"},
        "document": {"passport": "reisepass pass", "visa": "visum", "licence": "führerschein"},
    },
    months="""
    januar|jänner februar|feber märz april mai juni juli august september oktober november
    dezember
    """,
    weekdays="""
    montag|montags dienstag|dienstags mittwoch|mittwochs donnerstag|donnerstags freitag|freitags
    samstag|samstags|sonnabend sonntag|sonntags
    """,
    counts={"2": "zwei zweimal", "3": "drei dreimal", "4": "vier", "5": "fünf", "6": "sechs",
            "7": "sieben", "8": "acht", "9": "neun", "10": "zehn", "11": "elf", "12": "zwölf",
            "20": "zwanzig", "30": "dreißig", "1": "einmal"},
    several="spricht|spielt|sammelt|lernt|ist allergisch gegen|besitzt|mag|kann",
    single="""
    wohnt arbeitet fährt nachname vorname name spitzname adresse geburtstag größe gewicht gehalt
    """,
    billed="rechnung abrechnung miete beitrag gehaltsabrechnung stromrechnung",
    light="""
    will möchte wünscht bevorzugt mag macht machen hat haben geht gehen nutzt benutzt bekommen
    braucht gern gerne sehr wirklich nur schon noch komplett ganz bitte jedes jede jeder alle
    immer regelmäßig dieses diese jahr woche liegt beträgt
    """,
    spelling="""
    gross groß|strasse straße|fuss fuß|photo foto|telephon telefon|graphik grafik
    potential potenzial|eur euro €|prozent %|kilogramm kg kilo|stunde stunden std
    minute minuten min|e-mail email|samstag sonnabend|ca circa ungefähr etwa|tel telefon
    jede jeder jedes alle|joghurt jogurt
    """,
    same="""
    wohnen leben|arbeit job beruf büro|auto wagen|fahrrad rad bike|mutter mama|vater papa
    mögen lieben|kind sohn tochter|kaufen erwerben|garten schrebergarten|handy telefon|film kino
    """,
    articles="der die das den dem des ein eine einen einem einer",
    comparing="als von nach zu vor statt über bis zwischen für ohne gegen aber",
    reason="weil .*|wegen .*|aufgrund .*|aus \\w+ gründen|mit hilfe .*|nach \\w+ jahren",
    past="war|waren|hatte|lief|bezahlte|kaufte|hat|gestern|heute|letzt\\w+|wurde",
    verbs="""
    ist|sind|war|hat|haben|wird|kostet|liegt|beträgt|läuft|wiegt|braucht|geht|beginnt
    """,
    conjunctions="und|oder|aber|sondern|weil|während|sowie|mit",
)  # fmt: skip
