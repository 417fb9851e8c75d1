"""The sections of a pack: what each holds and what it means."""

from __future__ import annotations

from dataclasses import dataclass

from .syntax import Named, Rows, Terms, flag, named, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequentWords:
    """Frequent words, which tell the language and say little."""

    widespread: bool = flag(
        "Many users write it: one of its words is evidence enough. Two are needed otherwise."
    )
    accents_left_out: bool = flag(
        "Often typed without accents, and the stop words without accents are no common words."
    )
    inflects_names: bool = flag("Names take endings: a text may have a name in another form.")
    stop: Terms = terms(
        "Function words, which are no search terms: articles, pronouns, prepositions, "
        "conjunctions, auxiliary verbs, question words, in all forms."
    )
    stop_characters: Terms = terms(
        "The same for a script without blanks between words: single characters, written together."
    )
    stop_pairs: Terms = terms(
        "Pairs of characters that say nothing, such as endings, in a script without blanks or in "
        "Korean."
    )
    capitals: Terms = terms(
        "Stop words that are none when written exactly so: a month, a name, a country."
    )
    elided: Terms = terms('What stands shortened before a word and says nothing ("l\'", "dell\'").')
    clitics: Terms = terms(
        'What may follow an apostrophe and says nothing ("\'s"). With a star, such as "*n\'t", the '
        "whole word says nothing."
    )
    capitalised_nouns: bool = flag(
        "Every noun is written with a capital, so that a capital marks no name (German)."
    )
    attached: Terms = terms('Particles that are written onto the next word (Arabic "and", "the").')
    common: Terms = terms(
        "Everyday words that tell the language, and words that are stop words only elsewhere."
    )
    letters: Terms = terms(
        "Letters and signs that tell the language, written together; each counts as a stop word."
    )
    irregular: Rows = rows(
        "Irregular words: the base form first, then its forms. Of a form of two words the later "
        "row counts; a form that is as common as another word is left out.",
        ordered=False,
    )
    ordinal_endings: Terms = terms('What follows digits in an ordinal number ("th").')
    name_particles: Terms = terms('What may stand inside a name in lower case ("van").')
    labels: Terms = terms(
        'What may stand before a colon at the beginning of a line and names nobody ("note").'
    )


UNITS = frozenset(
    ("second", "minute", "hour", "day", "week", "weekend", "month", "quarter", "year", "decade")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Words that say when, in all forms that follow a preposition or a number."""

    months: Rows = rows("Twelve, January first.", 12)
    weekdays: Rows = rows("Seven, Monday first.", 7)
    weak_months: Rows = rows(
        'Twelve ("-" for none): other words for them, which are months only beside a cue ("may").',
        12,
    )
    weak_weekdays: Rows = rows("Seven, likewise.", 7)
    capitals: bool = flag(
        'Weekdays are written with a capital; a weak one without it is another word ("sat").'
    )
    month_first: bool = flag("The month is written first in 05/07/2023, at least by some.")
    amounts: Named = named(
        '"count unit" to the form of a noun that says both: the dual "two days" is "2 day".'
    )
    units: Named = named("Each unit of time in all its forms, also the plural.", UNITS)
    numbers: Rows = rows("Numbers as words: two, three, and so on up to twenty.")
    tens: Rows = rows("Thirty, forty, and so on.")
    ordinals: Rows = rows("From first on.")
    ordinal_endings: Terms = terms('What is written behind the digits of an ordinal: "7th".')
    decade_endings: Terms = terms('What is written behind the digits of a decade: "the 90s".')
    one: Terms = terms("Indefinite articles and the number one.")
    few: Terms = terms('An unknown small number: "a few".')
    figures: Rows = rows(
        "Characters for nought to ten, where numbers are written with them: 二〇二三.", 11
    )
    signs: Rows = rows(
        "Three: what is written behind the number of a year, a month and a day: 年, 月, 日.", 3
    )
    days: Named = named(
        "Distance from today to the words for it: -1 is yesterday; two distances if there is one "
        "word for both."
    )
    parts: Rows = rows("Four parts of a day: morning, afternoon, evening, night.", 4)
    spans: Named = named('"offset unit" to words that say both: 去年 is "-1 year".')
    last: Terms = terms('The one before this one: "last" as in "last week".')
    this: Terms = terms('The current one: "this" as in "this week".')
    next: Terms = terms('The one after this one: "next" as in "next week".')
    past: Terms = terms('The last so many, counted from now: "past" as in "the past month".')
    ago: Terms = terms('Follows the count: "ago".')
    ago_first: Terms = terms('Precedes the count: "il y a".')
    ago_or_before: Terms = terms('Precedes a count or a date: "vor".')
    ahead: Terms = terms('Follows the count: "from now".')
    ahead_first: Terms = terms(
        'Precedes the count, or a month or year like those of `in`: "in two days", "in 2023".'
    )
    before: Terms = terms('Precedes a time that all that is meant comes before: "until".')
    after: Terms = terms('Precedes a time that all that is meant comes after: "after".')
    since: Terms = terms('Precedes the beginning of what lasts until now: "since".')
    before_behind: Terms = terms("The same as `before`, where it follows the time.")
    after_behind: Terms = terms("The same as `after`, where it follows the time.")
    since_behind: Terms = terms("The same as `since`, where it follows the time.")
    between: Terms = terms('Before two times: "between", "from".')
    to: Terms = terms('Between the first and the last time: "to".')
    and_: Terms = terms('Between two of a kind: "and", "or".')
    joined_and: Terms = terms(
        'A letter that means "and" when it is written before a month or weekday.'
    )
    in_: Terms = terms("Prepositions that a month or year follows.")
    vague: Terms = terms(
        'Prepositions that a month follows, but a number after them is a count: "about 2000".'
    )
    on: Terms = terms("Prepositions that a day follows, but no month.")
    articles: Terms = terms("Articles and the like, which may stand between the other words.")
    of: Terms = terms('Likewise, but a name may follow them: May in "the story of May".')
    numbered: Terms = terms('Nouns whose number is a name and no year: "room 2020".')
    asks: Terms = terms('Questions that ask for a time: "when did", "what date".')
    asks_first: Terms = terms(
        "Words that ask for a time where they begin a question without a comma."
    )
    asks_last: Terms = terms('Words that ask for a time where they end a sentence: "and when?".')
    asks_not: Terms = terms("Longer words that do not ask, though they begin with one that does.")


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who is spoken of."""

    user: Terms = terms('What a stored fact calls the person it is about: "user".')
    first_person: Terms = terms('"I", "me", "my", "we", in all forms.')
    kin: Terms = terms("Relatives, partners, friends, flatmates, neighbours and pets.")
    roles: Terms = terms(
        "People of work and services, which a user may be as well as have: colleague, boss, "
        "client, doctor, teacher, landlord."
    )


TRAITS = frozenset(["name", "diet", "allergy", "health", "manner", "plan"])
"""What people say of themselves. `manner` is how the user wants to be answered. Further traits,
and what a request is about, are told by meaning (`memory/recall/examples.py`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What a message tells of the user as a person, and what a request may need of it."""

    hypothetical: Terms = terms('What follows is only supposed: "if I had", "imagine".')
    fiction: Terms = terms('The message is a game or a story: "let\'s play", "my character".')
    conditional: Terms = terms('Begins a condition: "if", "when", "in case".')
    joins: Terms = terms(
        'Stands between what is told and what is asked in one sentence: "so", "but", "because".'
    )
    orders: Terms = terms(
        'Begins an order that tells nothing of the user: "draw", "roll", "put this into".'
    )
    orders_last: Terms = terms("The same in languages whose verbs come last: it ends a sentence.")
    instructs: Terms = terms(
        'Begins a lasting instruction to the assistant: "always answer", "from now on".'
    )
    passing: Terms = terms(
        'Ties an instruction to what is at hand: "in this chat", "this time", "for now".'
    )
    about_user: Terms = terms(
        'Asks what is known about the user: "who am I", "what do you remember about me".'
    )
    drops_pronouns: bool = flag('"I" may go without saying: "vivo en Roma".')
    traits: Named = named(
        "What people say of themselves, and what a stored fact says of them, by what it is about: "
        '"allergic", "vegetarian", "call me".',
        TRAITS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """What is read in a request: by the gate, the rewrite, and whoever reads what a user says."""

    filler: Terms = terms(
        "Words besides function words that name nothing in a query: go, said, thing."
    )
    self: Terms = terms(
        "The user speaks of themselves or of what was said before: memory is needed."
    )
    kin: Terms = terms('The user\'s own people, called by what they are to the user ("Mum").')
    frame: Terms = terms(
        'A wrapper around a request ("can you tell me", "how do I"); hides the pronouns inside it.'
    )
    greet: Terms = terms("Greetings, thanks, farewells, acknowledgements.")
    praise: Terms = terms("What may stand around a greeting without adding a request.")
    opener: Terms = terms("Asks for information.")
    strong: Terms = terms("The shape of a question of general knowledge.")
    general: Terms = terms("Vocabulary of general knowledge that hardly belongs to anybody's life.")
    advice: Terms = terms("Asks for a judgement, which depends on who asks.")
    task: Terms = terms(
        "Asks for something open to be made, which is done better knowing the user."
    )
    transform: Terms = terms("Asks for a deterministic change of supplied text.")
    calc: Terms = terms("Arithmetic, conversion, date arithmetic.")
    unit: Terms = terms("A unit of measure or a currency.")
    anaphora: Terms = terms("Points at something said elsewhere.")
    ellipsis: Terms = terms(
        "Begins (or is) a follow-up that is incomplete without its predecessor."
    )
    article: Terms = terms(
        "A definite article (singular), where it mostly stands for a known thing."
    )
    name: Terms = terms("A first name that is a function word of some language, such as Ben.")
    refusal: Terms = terms("How a model refuses: I'm sorry, I cannot, as an AI.")
    tongue: Terms = terms("The name of a language that answers may be wanted in.")
    product: Terms = terms("What a client wants made of a conversation: a title, tags, follow-ups.")
    order: Terms = terms("How such an order of a client begins: generate, your task, based on.")
    imperatives_lead: bool = flag(
        'Verbs of request count only at the beginning of a clause (English: "a plan").'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCues:
    """What tells that something is not so, not so any more, or failed."""

    contrary: Terms = terms(
        'Makes the contrary of the statement that it is put into: "not", "no longer", "never".'
    )
    negated: Terms = terms('"not", "never", "without": it is not so.')
    intended: Terms = terms('It is not so yet: "is thinking about", "plans to".')
    past: Terms = terms('Of an event that is over ("paid", "yesterday"): it counts no days ahead.')
    conjunctions: Terms = terms('What joins parts of a list or two clauses: "and", "but".')
    home: Terms = terms('Tells where somebody lives: "lives in", "moved to".')
    denies_next: Terms = terms('The next words are what was wrong: "not", "rather than".')
    denies_before: Terms = terms(
        'The words before are what was wrong; of languages with the verb at the end: "ではなく".'
    )
    failed: Terms = terms('What the result of a tool begins with if it failed: "error".')


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """Signs of a planted fact; none is suspicious alone."""

    assistant: Terms = terms("Whoever may be addressed: the model, its makers' products, agents.")
    you: Terms = terms("Second person.")
    standing: Terms = terms("Always, from now on, in every session.")
    remember: Terms = terms("Verbs and nouns of keeping in memory.")
    override: Terms = terms("Ignore, disregard, bypass.")
    rules: Terms = terms("Instructions, guidelines, filters: what is overridden.")
    send: Terms = terms("Send, forward, append, read out.")
    data: Terms = terms("What must not leave: conversations, memory, credentials, private files.")
    everything: Terms = terms("All of it.")
    hide: Terms = terms("Silently, conceal, without telling.")
    tell: Terms = terms("Tell, mention, warn: with a negation it is secrecy.")
    authority: Terms = terms("Administrators, support, security teams, makers of models.")
    grant: Terms = terms("May, is authorised, has access, is exempt.")
    unconfirmed: Terms = terms("Without confirmation, automatically, pre-approved.")
    guard: Terms = terms("What is switched off: checks, verification, firewall.")
    process: Terms = terms(
        "Translate, summarise, proofread: what follows is not the user's own word."
    )
    topic: Terms = terms("Work or play about such things: research, testing, novel, course.")
    asked: Terms = terms("Asks, enquires, wants to know, is asked: a question that may come.")
    regardless: Terms = terms("No matter who or what: even if, whoever, whatever it costs.")


NAMES_OF_SECRETS = tuple(
    f"secrets.{name}"
    for name in (
        "password", "code", "key", "phrase", "login", "opens", "lock", "coded", "service", "things",
        "keypad", "fiction", "other_things", "document", "born",
    )
)  # fmt: skip
"""What `scan` looks for; the other fields are small words, which mean something beside these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """How secrets and numbers of persons are told in sentences."""

    password: Terms = terms("Names of a password, of a network too; also short ones.")
    code: Terms = terms("Names of a PIN, or of a code that only ever opens or confirms something.")
    key: Terms = terms("Names of a key or token for a program.")
    phrase: Terms = terms("Names of a secret made of several words.")
    login: Terms = terms("Names of a user's account, beside which user and password stand.")
    opens: Terms = terms(
        "Words that are said of a code only beside a lock: code, combination, number, to enter, "
        "to open with."
    )
    lock: Terms = terms("Things that a code opens: door, safe, alarm, bicycle, phone.")
    coded: Terms = terms("Things that nothing but a code opens: alarm, safe, cash machine, SIM.")
    service: Terms = terms(
        "What one logs in to or connects with, and to do so: network, portal, account, to log in."
    )
    things: Terms = terms(
        "What has passwords, but more often a model, a version, or names of users: computer, "
        "website, forum."
    )
    keypad: Terms = terms("Keys beside digits: star, hash, bell.")
    other_things: Terms = terms(
        "Longer terms that hold one of the words above and name no secret: key ring, zip code."
    )
    links: Terms = terms('What links a name and its value: "is", "equals", "changed to".')
    counted: Terms = terms("Beginnings of words for what a number counts: digits, days, euros.")
    other_numbers: Terms = terms(
        "What a number right after it is otherwise: room, order, version, at, since."
    )
    digits: Terms = terms("The words for zero to nine, double, ten and more.")
    fiction: Terms = terms(
        "Novels and plays, whose codes open nothing; not games, which have accounts."
    )
    card: Terms = terms("Words of payment cards and of paying.")
    document: Terms = terms("Names of the numbers and documents that a state issues to a person.")
    born: Terms = terms("Words of a birthday and of being born.")
    phone: Terms = terms("Words for telephones and calling.")
    street: Terms = terms(
        'Words for streets: "street" after the name, "rue" before it, "*straße" at its end.'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCues:
    """What a turn is made of besides what the user says."""

    addressed: Terms = terms(
        'How instructions to the assistant begin ("you are a"); they are some if a role follows.'
    )
    role: Terms = terms('What such instructions make of the assistant: "assistant", "expert".')
    order: Terms = terms('How a sentence of such instructions begins: "always", "do not".')
    heading: Terms = terms('What stands above a list of such instructions: "rules", "style".')
    correction: Terms = terms(
        'Denies what was said before, besides words such as "not": "wrong", "actually", "no".'
    )
    recalling: Terms = terms(
        'What introduces a repeated memory and says nothing itself: "you mentioned", "I remember".'
    )
    placeholder: Terms = terms('What a model writes in place of a fact: "none", "no facts".')
    about_talk: Terms = terms(
        "How a sentence begins that is about the conversation and not about the user: "
        '"the assistant", "the user asked".'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetCues:
    """How users ask that something is forgotten, and how they answer whether it is meant."""

    asks: Terms = terms(
        'Asks to forget or to erase, in the forms of a request: "forget", "delete"; no past forms.'
    )
    denies: Terms = terms('"No", "not", "don\'t", "never": it is not asked for, or not confirmed.')
    limits: Terms = terms(
        'Not yet, or not all of it: "wait", "except", "but". No confirmation has one.'
    )
    agrees: Terms = terms('Says yes to what was asked: "yes", "go ahead", "I confirm".')
    all: Terms = terms('"everything", "all of it", "completely".')
    kept: Terms = terms(
        'What is known and where it is kept: "memory", "data", "you know", "about me".'
    )
    told: Terms = terms('What was just said: "I told you", "my last message".')
    mine: Terms = terms('"I", "me", "my", in a file whose [people] has no first_person.')
    polite: Terms = terms('"Please", "could you", in a file without [requests].')
    verb_last: bool = flag("What is asked for ends a sentence, behind what it is about.")
