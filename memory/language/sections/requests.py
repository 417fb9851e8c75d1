"""What is read in a request."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, flag, terms


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
