"""German."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="de",
    stop="""
    der die das den dem des ein eine einen einem einer eines und oder aber wenn ob als wie zu
    zum zur im in am an auf aus bei beim mit nach von vom vor für über unter durch um gegen
    ohne bis seit ist sind war waren wird werden wurde wurden sein hat haben hatte hatten kann
    können konnte soll sollen muss müssen darf dürfen will wollen möchte mag nicht kein keine
    keinen nur auch noch schon mal doch ja nein so dann da hier dort es er sie ihn ihm ihr
    ihre ihren ihrem seine seinen seiner sich man wer was wann wo warum wieso weshalb welche
    welcher welches welchen wem wen wessen ich du wir mir mich dir dich uns euch mein meine
    meinen meinem meiner dein deine unser unsere euer bitte sehr mehr viel viele alle alles
    etwas nichts gleich eigentlich genau gerade jetzt denn dass damit daß dies diese dieser
    dieses diesen zwischen gibt geht sag sagen gesagt hast bist habe bin hab
    """,
    cues={
        Cue.SELF: """
        ich|mir|mich|mein|meine|meinen|meinem|meiner|meines|wir|uns|unser|unsere|unseren|unserem
        |unserer|unseres|wie immer|wie üblich|wie gewohnt|das übliche|wie letztes mal|letztes mal
        |beim letzten mal|wie besprochen|wie vereinbart|wie abgemacht|nochmal dasselbe
        |dasselbe wie|das gleiche wie|neulich|du hast|hast du|du hattest|hattest du|sagtest du
        |erinnerst du|weißt du noch|weisst du noch|merk dir|merke dir|vergiss|vergesse|erinnere
        |ab jetzt|ab sofort|von nun an|künftig|in zukunft|nenn mich|zu hause|zuhause|daheim
        |nach hause|von zu hause|hieß gleich|hiess gleich|war das nochmal|wie hieß nochmal
        |doch nicht
        """,
        Cue.KIN: """
        mama|papa|mutti|vati|oma|opa|omas|opas|tante|onkel|die kinder|den kindern|die kleine
        |der kleine
        """,
        Cue.NEUTRAL: """
        unser sonnensystem|unseres sonnensystems|unserer galaxie|unsere erde|unserer erde
        |mein kampf|vater unser|vaterunser|erinnere mich nicht
        """,
        Cue.FRAME: """
        erklär mir|erkläre mir|erklär mal|sag mir|sage mir|sag mal|gib mir|zeig mir|zeige mir
        |nenn mir|nenne mir|nenn mir bitte|kannst du mir sagen|kannst du mir erklären
        |können sie mir sagen|kannst du mir|können sie mir|kannst du|können sie|könntest du
        |könntest du mir|könnten sie|weißt du|weisst du|wissen sie|ich möchte wissen
        |ich würde gern wissen|ich wüsste gern|ich frage mich|mich interessiert
        |mich würde interessieren|hilf mir|hilf mir zu verstehen|verrate mir|kurze frage
        |ich habe eine frage|erinnere mich|erinner mich|ich verstehe nicht
        """,
        Cue.HOWTO: """
        wie kann ich|wie mache ich|wie macht man|wie kann man|wie muss ich|was passiert wenn ich
        |wie lösche ich|wie installiere ich|wie beende ich|wie erstelle ich|warum können wir
        |woher wissen wir|wie öffne ich|wie starte ich|wie setze ich|wie bekomme ich
        """,
        Cue.PRIVATE: """
        mutter|vater|bruder|schwester|tochter|sohn|ehefrau|ehemann|mann|frau|schwager|schwägerin
        |neffe|nichte|enkel*|cousin*|freund|freunde|freundin|nachbar*|kolleg*|chef|chefin
        |vermieter*|mieter*|kunde|kunden|lehrer*|trainer*|arzt|ärztin|zahnarzt*|hausarzt*
        |therapeut*|handwerker*|elektriker*|klempner*|maler|anwalt|steuerberater*|friseur*|makler*
        |herr|frau dr|wohnung*|haus|garten|küche|keller|balkon|garage|büro|arbeit|schule|kita
        |kindergarten|verein|chor|training|treffen|termin*|*termin|besprechung*|sitzung|kalender
        |frist|abgabe*|buchung|reservierung|reise|urlaub*|hochzeit*|geburtstag*|jubiläum|feier
        |party|abendessen|prüfung*|klausur|hausaufgab*|referat|bewerbung*|projekt*|rechnung
        |rechnungen|angebot|mietvertrag*|*vertrag|miete|kaution|gehalt|rente|budget|ersparnisse
        |versicherung*|police|kredit|konto|kontonummer|passwort|kennwort|pin|wlan|schlüssel
        |parkplatz|auto|wagen|fahrrad|boot|heizung|spülmaschine|waschmaschine|drucker|hund|katze
        |rezept|medikament*|tabletten|allergi*|unverträglich*|diät|liste|einkaufsliste|gästeliste
        |paket|lieferung|bestellung|abo|mitgliedschaft|seriennummer|kennzeichen|entwurf|plan
        |bericht|dokument|datei|ordner|nachricht|brief|umzug|renovierung|der neue|die neue
        |das neue|versprochen|empfohlen|erwähnt|geliehen|bestellt|gebucht|vereinbart|bezahlt
        |schuldet
        """,
        Cue.HINT: """
        nochmal|noch mal|noch|immer noch|wieder|gleich|eigentlich|schon|endlich|normalerweise
        |meistens|erinnere mich|erinner mich|doch
        """,
        Cue.WHEN: """
        heute|morgen|gestern|übermorgen|vorgestern|heute abend|morgen früh|diese woche
        |nächste woche|nächsten monat|nächstes jahr|am wochenende|dieses wochenende|letzte woche
        |letzten monat|letztes jahr|letzten sommer|montag|dienstag|mittwoch|donnerstag|freitag
        |samstag|sonnabend|sonntag|jetzt|gerade|im moment|derzeit|aktuell|nachher|später|bald
        """,
        Cue.GREET: """
        hallo|hi|hey|moin|moin moin|servus|grüß gott|grüß dich|guten morgen|guten tag|guten abend
        |gute nacht|morgen|tag|abend|tach|na|na du|wie geht's|wie gehts|wie geht es dir
        |wie geht es ihnen|wie läuft's|danke|dankeschön|danke schön|danke sehr|danke dir
        |vielen dank|vielen lieben dank|besten dank|herzlichen dank|tausend dank|merci|tschüss
        |tschüs|ciao|auf wiedersehen|bis bald|bis später|bis morgen|bis dann|bis gleich|mach's gut
        |machs gut|schönen tag|schönen abend|schönes wochenende|schlaf gut|ok|okay|alles klar|klar
        |verstanden|verstehe|ach so|achso|aha|ah|passt|passt so|perfekt|super|toll|prima|klasse
        |spitze|cool|genial|gut|sehr gut|wunderbar|ausgezeichnet|hervorragend|schön|stimmt|genau
        |richtig|gut zu wissen|das hilft|hat geklappt|hat funktioniert|funktioniert|ergibt sinn
        |macht sinn|in ordnung|geht klar|super erklärt|alles gut|kein problem|kein ding|gerne
        |gern geschehen|bitte|bitte schön|nein danke|nein|nö|ja|jo|jep|haha|hihi|hehe|lol|wow|oh
        |hm|hmm|mhm|sorry|entschuldigung|tut mir leid|das war's|das wars|das war alles|bist du da
        |test|du bist super|du bist der beste|das freut mich|freut mich|ich verstehe|ich danke dir
        |erledigt|fertig|gut gemacht|interessant|mach ich
        """,
        Cue.PRAISE: """
        zusammen|leute|erklärt|das|war|ist|es|sehr|wirklich|echt|so|für|die|deine|ihre|deiner
        |hilfe|du|dir|ihnen|euch|mir|hast|geholfen|viel|hilfreich|gute|tolle|erklärung|antwort
        |auch|schon|mal|dann|und|noch|ganz|lieb|nett|schnelle|alles|großartig|damit|weiter|lieben
        """,
        Cue.AFFIRM: """
        ja|jo|jep|ja bitte|bitte|gerne|ja gerne|mach das|mach es|mach|tu das|los|leg los|weiter|ok
        |okay|klar|sicher|natürlich|auf jeden fall|einverstanden|passt|bestätigt|unbedingt|gut
        """,
        Cue.OPENER: """
        was|wer|wann|wo|warum|wieso|weshalb|wie|welche|welcher|welches|welchen|welchem|wem|wen
        |wessen|wieviel|woher|wohin|womit|wodurch|woraus|wozu|ist|sind|war|hat|haben|gibt|kann
        |können|erklär|erkläre|erläutere|definiere|beschreibe|nenn|nenne|vergleiche|stimmt es
        |unterschied|bedeutung|liste|zähl|zähle
        """,
        Cue.STRONG: """
        was ist ein|was ist eine|was ist der|was ist die .. von|was sind|was bedeutet|was bedeuten
        |was heißt|was versteht man|wofür steht|bedeutung von|definition|definiere
        |unterschied zwischen|unterschied|unterschiede|wer schrieb|wer hat .. geschrieben
        |wer hat .. erfunden|wer hat .. entdeckt|wer hat .. gemalt|wer hat .. komponiert|wer malte
        |wer komponierte|wer erfand|wer entdeckte|wer gründete|wer hat .. entwickelt
        |wer entwickelte|wer war der erste|wer war die erste|in welchem jahrhundert
        |wann wurde .. geboren|wann starb|wann fiel|wann entstand|wann lebte|wann begann
        |wann endete|wann wurde .. gegründet|wann wurde .. erbaut|wann wurde .. gebaut
        |wann wurde .. ausgerufen|wann war die|wann wurde|hauptstadt|einwohner
        |wie viele .. hat ein|wie viele .. hat eine|wie viele .. haben|wie viele .. gibt es
        |wie funktioniert|wie funktionieren|wie entsteht|wie entstehen|warum ist der himmel
        |warum haben|warum sind|plural von|mehrzahl|synonym*|gegenteil|siedepunkt|schmelzpunkt
        |größte|größter|kleinste|höchste|höchster|längste|längster|tiefste|älteste|schnellste
        |welches land|welche länder|welcher fluss|welcher planet|welches tier|welche tiere
        |welches element|theorem|satz des|gesetz von|zeitkomplexität|wie spricht man
        |wie schreibt man|wie sagt man
        """,
        Cue.GENERAL: """
        welches jahr|in welchem jahr|wie hoch ist|wie tief ist|wie weit ist|wie schnell ist
        |jahrhundert*|antike|mittelalter*|krieg|weltkrieg*|schlacht|vertrag von|reich|kaiser*
        |könig|könige|königin|papst|präsident|bundeskanzler*|bundestag|bundesrat|verfassung
        |grundgesetz|republik|revolution|dynastie|kontinent*|länder|insel|ozean|meer|fluss|see
        |gebirge|berg|vulkan*|wüste|äquator|planet*|mond|sonne|sterne|galaxie*|universum
        |schwerkraft|lichtgeschwindigkeit|atom*|molekül*|chemisch*|chemie|säure*|sauerstoff
        |wasserstoff|kohlenstoff|eisen|gold|silber|kupfer|metall*|physik*|quanten*|energie
        |entropie|photosynthese|fotosynthese|zelle|zellen|gen|gene|dna|protein*|bakteri*|virus
        |viren|impfstoff*|vitamin*|säugetier*|insekt*|vogel|vögel|fische|tier|tiere|pflanze*
        |biolog*|evolution|herz|lunge|leber|niere|gehirn|knochen|muskel*|mathe*|gleichung*
        |primzahl*|dreieck|wurzel|logarithmus|wahrscheinlichkeit|statistik*|roman|gedicht|dichter
        |autor*|schriftsteller*|maler von|komponist*|sinfonie|oper|regisseur*|philosoph*|religion*
        |bibel|koran|latein*|griechisch*|römisch*|römer*|grammatik*|dativ|akkusativ|genitiv
        |nominativ|konjunktiv|adjektiv|verb|nomen|wort|abkürzung|sprache|wirtschaft*|inflation|bip
        |aktie|anleihe*|zinseszins*|recht*|gesetz*|nobelpreis*|olympi*|weltmeister*|theorie
        |prinzip|effekt|begriff|algorithm*|rekursi*|datenbank*|protokoll|verschlüsselung|vererbung
        |zeiger|schnittstelle|europa*|asien*|afrika*|amerika*|welt|erde|deutsch*|österreich*
        |schweiz*|frankreich*|französisch*|italien*|spanien*|spanisch*|england*|englisch*
        |russland*|china|japan*|indien*|brasilien*|usa|eu|nato|uno|temperatur|druck|spannung|grad
        |erdbeben|klima*|psychologi*|tradition|mytholog*|wein|käse|schach|abseits|fußball*
        |alphabet|währung|flagge
        """,
        Cue.ADVICE: """
        lohnt sich|lohnen|soll ich|sollte ich|sollen wir|empfiehl|empfehl*|vorschlag*
        |schlag .. vor|schlage .. vor|rat|ratschlag|tipp|tipps|idee|ideen|besser|beste|besten
        |was hältst du|meinung|geschenk*|welches soll|aussuchen|entscheiden|verbessern
        |besser machen|optimieren
        """,
        Cue.TASK: """
        schreib|schreibe|schreiben sie|verfasse|formuliere|entwirf|plane|plan mir|erstelle|erstell
        |mach mir|mach einen|mach eine|erfinde|denk dir|überleg|bereite|organisiere
        |stell .. zusammen|gestalte|überarbeite|verbessere|kürze|kürzer|länger|refaktoriere
        |implementiere|buche|reserviere|bestell|bestelle|such|suche|finde|hilf mir|erzähl|erzähle
        |spiel|rollenspiel|antworte|sende|schick|schicke|koch|dichte|vervollständige|ergänze
        """,
        Cue.TRANSFORM: """
        übersetz|übersetze|übersetzen|übersetzung|wandle|wandel|umwandeln|konvertiere|konvertieren
        |korrigiere|korrigier|rechtschreibung|großbuchstaben|kleinbuchstaben|fasse .. zusammen
        |fass .. zusammen|zusammenfassen|extrahiere|sortiere|sortier|zähle die|zähl die
        |wie viele wörter|wie viele zeichen|formatiere|kodiere|dekodiere|ersetze|entferne
        |transkribiere|setze .. in|setz .. in
        """,
        Cue.CALC: """
        berechne|rechne|rechne .. um|ausrechnen|wie viel ist|wieviel ist|wie viel sind|was ergibt
        |was ist|prozent|geteilt durch|mal|plus|minus|hoch|quadratwurzel|umrechnen|in euro
        |in dollar|wie viele tage|wie viele wochen|tage nach|tage vor|tage bis|welcher wochentag
        |wochentag|zufallszahl|würfle|würfel
        """,
        Cue.UNIT: """
        meilen|meile|kilometer|meter|zentimeter|zoll|fuß|pfund|gramm|kilogramm|kilo|liter|grad
        |hektar|sekunden|minuten|stunden|tage|wochen|monate|dollar|euro|franken|yen|binär
        """,
        Cue.LIVE: """
        aktienkurs|börsenkurs|kurs der aktie|kurs des|wechselkurs|preis von|goldpreis|ölpreis
        |strompreis|spritpreis*|benzinpreis*|wie steht|wie steht's|spielstand|wer hat gewonnen
        |wer gewann|ergebnis|tabelle der bundesliga|flug|verspätung|pünktlich|verkehr|stau|streik*
        |störung|nachrichten|schlagzeilen|neueste version|aktuelle version|geöffnet|öffnungszeiten
        |wie spät ist es in|uhrzeit in|wie viel uhr|welcher tag ist|sonnenaufgang|sonnenuntergang
        |leitzins
        """,
        Cue.WEATHER: """
        wetter|regnet|regen|schneit|schnee|sonnig|windig|wettervorhersage|wie warm|wie kalt
        |temperatur in|gewitter|regenschirm|sturm
        """,
        Cue.COMMAND: """
        führe|führ|starte|öffne|zeig|zeige|liste|lösche|lies|such|suche|installiere|baue|committe
        |push|pull|merge|kopiere|verschiebe|benenne|gib .. aus|stoppe|beende|lade|mach|nochmal
        """,
        Cue.ARTEFACT: """
        datei|dateien|ordner|verzeichnis|tests|test|server|skript|befehl|branch|prozess*|port
        |ports|logs|log|container|paket|pakete|zeilen|seite|link|terminal
        """,
        Cue.TIMER: """
        timer|wecker|countdown
        """,
        Cue.DEVICE: """
        licht an|licht aus|schalte .. an|schalte .. aus|schalte .. ein|mach .. licht|lauter|leiser
        |pause|nächstes lied|auf die einkaufsliste|zur einkaufsliste
        """,
        Cue.WEB: """
        such im web|suche im web|suche im internet|such im internet|google|googel|googele
        |recherchiere im internet|schau im internet
        """,
        Cue.ANAPHORA: """
        er|sie|ihn|ihm|ihr|ihre|ihren|sein|seine|dies|diese|dieser|dieses|da|dort|davon|dafür
        |damit|dazu|darüber|daran|dabei|danach|davor|dasselbe|derselbe|letztere|erstere|der erste
        |die erste|das erste|der zweite|die zweite|das zweite|der andere|die andere|das andere
        |nummer 1|nummer 2|nummer 3|beide|anderen
        """,
        Cue.ELLIPSIS: """
        und|oder|aber|was ist mit|wie sieht's aus|warum nicht|warum|und dann|sonst noch|wer noch
        |was noch|seit wann|wieso|welche|welcher|welches|wie viel|wieviel|nein|also|nochmal|kürzer
        |länger|die woche davor|der andere|wie lange
        """,
        Cue.ARTICLE: """
        der|die|das|dem|den|des|zum|zur|beim|im|am
        """,
    },
)
