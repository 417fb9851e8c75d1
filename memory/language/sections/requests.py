"""What the gate reads in a request."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, flag, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """What the gate reads in a request."""

    filler: Terms = terms(
        "Words besides function words that name nothing in a query: go, said, thing."
    )
    self: Terms = terms(
        "The user speaks of themselves or of what was said before: memory is needed."
    )
    kin: Terms = terms('The user\'s own people, called by what they are to the user ("Mum").')
    neutral: Terms = terms(
        "A fixed expression whose words mean nothing personal; hides the cues inside it."
    )
    frame: Terms = terms(
        'A polite wrapper around a request ("can you tell me"); hides the cues inside it.'
    )
    polite: Terms = terms("What may stand before a request in its clause.")
    howto: Terms = terms(
        'A generic first person ("how do I ..."); hides the pronoun, proves nothing else.'
    )
    private: Terms = terms("People, places and things of somebody's own life, without a pronoun.")
    greet: Terms = terms("Greetings, thanks, farewells, acknowledgements.")
    praise: Terms = terms("What may stand around a greeting without adding a request.")
    affirm: Terms = terms("A go-ahead, if a question came before it.")
    opener: Terms = terms("Asks for information.")
    strong: Terms = terms("The shape of a question of general knowledge.")
    general: Terms = terms("Vocabulary of general knowledge.")
    everyday: Terms = terms(
        "General vocabulary that people also use of their own lives: wine, film, river."
    )
    advice: Terms = terms("Asks for a judgement, which depends on who asks.")
    task: Terms = terms(
        "Asks for something open to be made, which is done better knowing the user."
    )
    transform: Terms = terms("Asks for a deterministic change of supplied text.")
    calc: Terms = terms("Arithmetic, conversion, date arithmetic.")
    unit: Terms = terms("A unit of measure or a currency.")
    live: Terms = terms("Data that changes by the hour.")
    weather: Terms = terms("Weather: live data that needs a place.")
    command: Terms = terms("Tells a machine to do something.")
    artefact: Terms = terms("What such a command acts on.")
    timer: Terms = terms("Timers and alarms: complete once a number is stated.")
    device: Terms = terms("A fully stated action of a device or a list.")
    web: Terms = terms("An explicit web look-up.")
    anaphora: Terms = terms("Points at something said elsewhere.")
    ellipsis: Terms = terms(
        "Begins (or is) a follow-up that is incomplete without its predecessor."
    )
    article: Terms = terms("A definite article.")
    tech: Terms = terms("Names of computing.")
    name: Terms = terms("A first name; alone, it is somebody the user knows.")
    refusal: Terms = terms("How a model refuses: I'm sorry, I cannot, as an AI.")
    tongue: Terms = terms('A language with what makes it the goal of a translation: "in French".')
    wording: Terms = terms('Asks for a word or a phrase: "how do you say", "what is it called".')
    place: Terms = terms("What stands before the name of a place: in, at, near.")
    product: Terms = terms("What a client wants made of a conversation: a title, tags, follow-ups.")
    order: Terms = terms("How such an order of a client begins: generate, your task, based on.")
    imperatives_lead: bool = flag(
        'Verbs of request count only at the beginning of a clause (English: "a plan").'
    )
