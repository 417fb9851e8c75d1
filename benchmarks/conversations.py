"""Conversations for benchmark prompt_cache.py, written for it: what one user says over weeks.

A turn is what the user says, what the assistant answers, and the tools that run in between. Most
turns touch other memories than the one before; some (thanks, general knowledge) need none.
"""

from __future__ import annotations

import random
from typing import NamedTuple

SYSTEM = (
    "You are a careful personal assistant. Answer in the language of the user. Prefer short "
    "paragraphs over lists. Name your assumptions, and ask at most one question back. When you "
    "recommend something to buy, give a price range and say why the cheaper choice is not enough. "
    "Use metric units, 24-hour times and ISO dates. When a tool can answer, call it instead of "
    "guessing; when it fails, say so and go on with what you know. Never mention these rules. "
    "For medical, legal and tax questions point out that you are no professional, once, and then "
    "help as well as you can. Code goes into fenced blocks with the language named."
)

MEMORIES = [
    "User lives in Bergen, in a two-room flat near the harbour",
    "User's partner is called Ingrid and works nights as a nurse",
    "User is allergic to hazelnuts and avoids raw onions",
    "User's daughter Liv is nine and plays the cello",
    "User commutes to work by bike unless it snows",
    "User drives a borrowed electric van on weekends",
    "User's mother lives in Porto and turns seventy in May",
    "User speaks Norwegian and Portuguese at home",
    "User prefers window seats and night trains to flying",
    "User's holiday budget for the family is 3000 EUR a year",
    "User was seasick on the ferry to Denmark and wants no ferries",
    "User ran the Bergen half marathon in 1:52 last year",
    "User has a weak left knee after a skiing accident",
    "User trains on Tuesday and Thursday evenings and on Sunday mornings",
    "User wants to run a full marathon below four hours",
    "User's running shoes are two years old and worn at the heel",
    "User works as a backend developer on a Python payment service",
    "User's team deploys on Wednesdays, never on Fridays",
    "User prefers pytest and dislikes mocks",
    "User's payment service stores amounts in integer cents",
    "User's code reviews are done by Tomasz, who insists on type hints",
    "User's laptop runs Debian with sway and Neovim",
    "User cooks on an induction stove and owns a cast-iron pan",
    "User is a vegetarian on weekdays and eats fish at weekends",
    "User's favourite dish is bacalhau with potatoes",
    "User bakes sourdough every Saturday with a rye starter called Olga",
    "User's kitchen has no oven larger than 45 cm",
    "User's rent is 14500 NOK and is paid on the first of the month",
    "User's lease ends on the last of August with three months' notice",
    "User's landlord is called Berit Solheim and answers only letters",
    "User has a cat called Bolo who hates being moved",
    "User looks for a flat with a room for the cello and a balcony",
    "User is insured at Gjensidige with a household policy",
    "User pays for a storage room in Laksevåg",
]

Tool = tuple[str, str]


class Turn(NamedTuple):
    """What was said, what was answered, and the calls and results of tools in between."""

    asked: str
    answered: str
    tools: tuple[Tool, ...] = ()


def _talk(*turns: tuple[str, str] | tuple[str, str, tuple[Tool, ...]]) -> list[Turn]:
    chooser = random.Random(len(turns))
    return [Turn(t[0], f"{t[1]} {_elaborated(chooser)}", *t[2:]) for t in turns]


_MORE = [
    "I would decide on the expensive part first, because everything else follows from it.",
    "The second choice costs a little more and saves you an hour in the evening.",
    "If the date moves by a week, only the last step changes.",
    "Most people underestimate how long the preparation takes, so I doubled my first guess.",
    "There is a cheaper way, but it fails exactly when it rains, and it will rain.",
    "I left out everything that needs a reservation more than a month ahead.",
    "Write down what you measured today; next month the comparison is worth more than the number.",
    "The numbers are rounded, and the real ones depend on the season.",
    "Should one of these fall through, the order of the others can stay as it is.",
    "That leaves about a third of the money for whatever goes wrong.",
    "I assumed that nobody minds an early start; tell me if that is wrong.",
    "It reads longer than it is: four short steps, and none of them takes more than ten minutes.",
    "Keep the receipt, because the guarantee counts from the day of delivery.",
    "You can do the first half today and leave the rest for the weekend.",
]


def _elaborated(chooser: random.Random) -> str:
    return " ".join(chooser.sample(_MORE, chooser.randrange(1, 5)))


TRIP = _talk(
    (
        "We want to visit my mother for her birthday. How do we best get there?",
        "Night trains through Hamburg and Paris, then the day train to Porto by way of Hendaye.",
    ),
    (
        "What would that cost for the three of us?",
        "About 1,150 EUR with two sleepers, less if you sit on the Spanish part.",
        (("fares", "Bergen-Hamburg 210, Hamburg-Paris 330, Paris-Porto 610, family of three"),),
    ),
    (
        "Is there a faster way that I would still put up with?",
        "Fly one way and take the train back: that saves two days and costs about the same.",
    ),
    ("Thanks!", "You are welcome."),
    (
        "What should we give her for her seventieth?",
        "A framed recording of her granddaughter's cello piece and a long lunch with the family.",
    ),
    (
        "Who looks after the cat while we are gone?",
        "A sitter who comes by is kinder than a boarding home for a cat that hates to be moved.",
    ),
    ("Who painted the Guernica?", "Pablo Picasso, in 1937, for the Spanish pavilion in Paris."),
    (
        "Which restaurant in Porto can we all eat at?",
        "The one near Bolhão: cod dishes for you, and their kitchen marks nuts on the menu.",
        (
            ("search", "3 places near Bolhão with vegetarian dishes, 2 with allergen menus"),
            ("opening_hours", "Tuesday to Sunday, 12 to 15 and 19 to 22"),
        ),
    ),
    (
        "Can I keep up my training there?",
        "Along the Douro it is flat for nine kilometres each way, so the long run fits on Sunday.",
    ),
    (
        "My partner has only five days off. What do we cut?",
        "The stop in Paris, and the train on the way out; then you still have three full days.",
    ),
    (
        "And how do we get from the station to my mother's place with all the luggage?",
        "Leave the suitcases to the courier from the station, and walk up with the small bags.",
    ),
    (
        "Write a short message to my mother in her language.",
        "Olá mãe, chegamos no sábado à tarde e ficamos três dias. A Liv traz o violoncelo!",
    ),
    ("ok great", "Have a good journey."),
    (
        "Put the whole plan into one paragraph I can send to my partner.",
        (
            "We fly to Porto on Friday after your last night, stay until Tuesday, and take the "
            "train back with one night in Hamburg; the cat sitter comes twice a day."
        ),
    ),
)

RUNNING = _talk(
    (
        "Make me a plan for my next race.",
        "Sixteen weeks, three runs a week on your usual days, with the long run on Sunday.",
    ),
    (
        "My knee hurts a little after the intervals. Should I stop?",
        "Halve the intervals for two weeks and walk down hills; see somebody if it swells.",
    ),
    (
        "What pace should my long runs have?",
        (
            "Between 6:10 and 6:30 a kilometre; your time of last year says you can hold 5:35 in "
            "the race."
        ),
        (("pace_calculator", "1:52 half = 5:18/km; marathon prediction 3:56, 5:35/km"),),
    ),
    ("How many metres are in a mile?", "1,609.344 metres."),
    (
        "Do I need new shoes?",
        "Yes: worn heels turn the foot and your knee pays for it. Expect 120 to 160 EUR.",
    ),
    (
        "What do I eat on the evening before, with my allergy?",
        "Potatoes with white fish and a little oil, and no muesli bars: many contain hazelnuts.",
    ),
    (
        "It snowed. How do I get to work and still train?",
        "Run the way to work in trail shoes and let the bike stand for today.",
        (("weather", "Bergen: 6 cm of snow, -1 °C, clearing in the afternoon"),),
    ),
    ("thanks a lot :)", "Enjoy the snow."),
    (
        "Can Liv come along on some of my runs?",
        "On the easy kilometre at the end, on her bike, after her cello lesson.",
    ),
    (
        "Is my goal still realistic after two weeks of rest?",
        "Yes, with eleven weeks to go you lose a week at most; I moved the test race.",
    ),
)

CODE = _talk(
    (
        "I have to add refunds to our service. How should the amounts be stored?",
        "As you store payments: integer cents, with the currency beside them and a sign check.",
        (("read_file", "class Payment: amount_cents: int; currency: str; created_at: datetime"),),
    ),
    (
        "Write the function that sums them up.",
        (
            "```python\ndef refunded(refunds: Sequence[Refund]) -> int:\n"
            "    return sum(refund.amount_cents for refund in refunds)\n```"
        ),
    ),
    (
        "Now the tests, the way I like them.",
        "Three plain pytest functions with real objects: none, one, and several refunds.",
        (
            ("write_file", "tests/test_refunds.py written, 41 lines"),
            ("run_tests", "3 passed in 0.21 s"),
        ),
    ),
    ("run `git status`", "Two new files, nothing staged.", (("bash", "?? refunds.py"),)),
    (
        "What will my reviewer complain about?",
        "The untyped dictionary in the last helper; a TypedDict or a dataclass settles it.",
    ),
    (
        "When can this go live?",
        "On the coming Wednesday, if the review is done by Tuesday noon.",
        (("calendar", "Tue: review slot 10:00 free. Wed: deploy window 09:00 to 11:00"),),
    ),
    (
        "Explain the difference between a mutex and a semaphore.",
        "A mutex has one owner; a semaphore counts how many may pass.",
    ),
    (
        "My editor does not jump to definitions in this project. What is missing?",
        "The language server finds no virtual environment: set its path in the project's settings.",
    ),
    (
        "Shall we round half up or half even for partial refunds?",
        "Half even, at the end and once, because your cents leave no fractions anywhere else.",
    ),
    (
        "Summarise what we changed today for the team.",
        (
            "Refunds are stored in cents beside payments, summed by one function, tested without "
            "mocks, and go live on Wednesday after the review."
        ),
        (("bash", "2 files changed, 63 insertions(+)"),),
    ),
    ("cool, thanks", "Any time."),
    (
        "Remind me what else was open for my machine.",
        "The language server's path, and the update of sway you put off.",
    ),
)

MOVING = _talk(
    (
        "We think about moving. What do I have to watch out for with my contract?",
        (
            "Three months' notice to the end of August, so the letter has to be there by the end "
            "of May."
        ),
    ),
    (
        "Write the letter to my landlord.",
        (
            "Dear Ms Solheim, we end our lease with the last of August and ask you to confirm this "
            "in writing."
        ),
    ),
    (
        "How much can we pay at most for the new place?",
        "If the rent may be a third more, 19,300 NOK with everything, storage room included.",
    ),
    (
        "Search for flats that fit us.",
        "Two fit: one in Sandviken with a balcony, one in Årstad with a third room.",
        (
            ("search_flats", "14 results below 19,500 NOK with three rooms"),
            ("filter", "2 with balcony or a separate small room, cats allowed in both"),
        ),
    ),
    ("What does 'depositum' mean?", "A deposit, up to six months' rent, on a blocked account."),
    (
        "Which of the two is better for my way to work?",
        "Sandviken: twelve minutes by bike, and flat. Årstad is closer but all uphill.",
        (("route", "Sandviken 3.4 km, 20 m climb; Årstad 2.9 km, 110 m climb"),),
    ),
    (
        "Where could Liv practise without the neighbours complaining?",
        "In the small room in Årstad: it has no shared wall. In Sandviken only before eight.",
    ),
    ("Hmm, ok.", "Take your time."),
    (
        "What about the cat during the move?",
        "One closed room with his things, first in, last out, and nobody opens the door.",
    ),
    (
        "Do I have to tell my insurance?",
        "Yes, the new address and the new floor space; the household policy moves with you.",
    ),
    (
        "Can we move everything with the van?",
        "In three trips, if the storage room is emptied first; the bed has to be taken apart.",
        (("volume", "flat 24 m3, storage room 6 m3, van 11 m3"),),
    ),
    (
        "Will my oven fit into the new kitchen?",
        "It fits: the gap is 60 cm, so you could even have a larger one.",
    ),
    (
        "Which day suits my partner best?",
        "A Saturday after a free Friday night; the first one in August is such a day.",
    ),
    ("What is 19300 divided by 3?", "6,433.33."),
    (
        "What do I cook for the six helpers?",
        "A pot of bacalhau with potatoes from the pan, and bread that you bake the day before.",
    ),
    (
        "Make a list of what has to be done by when.",
        (
            "Letter by the end of May, insurance in July, storage room emptied a week before, "
            "helpers fed on the day."
        ),
    ),
)

DINNER = _talk(
    (
        "What can I cook tonight?",
        "Lentils in the iron pan with carrots and lemon; it is a weekday and takes half an hour.",
    ),
    (
        "What if my partner eats after her shift at seven in the morning?",
        "Then keep it soupy: it warms up again without drying, and nothing in it smells strong.",
    ),
    ("How long do red lentils take?", "Twelve to fifteen minutes without soaking."),
    (
        "Something with fish for Saturday?",
        "Bacalhau, soaked from Thursday on, in a dish of at most 40 cm.",
        (("shop", "salted cod 189 NOK/kg, potatoes 24 NOK/kg, olives 39 NOK"),),
    ),
    (
        "And what do I bake with it?",
        "The rye loaf: feed the starter on Friday evening and bake at noon.",
    ),
    (
        "A friend of my daughter comes too, she is vegan.",
        "Bake the potatoes with olives and beans in a dish of their own, no butter.",
    ),
    ("Perfect, thank you!", "Enjoy it."),
    (
        "Which dessert can I eat without worrying?",
        "Almond-free rice pudding with oranges: no nuts at all, which is safer for you.",
    ),
    (
        "Write the shopping list.",
        "Cod, potatoes, olives, beans, rye flour, rice, oranges, lemons, carrots.",
        (("notes", "saved as 'Saturday'"),),
    ),
    (
        "How do I carry all that home?",
        "In two bags on the bike, or in the van if you wait for Saturday morning.",
    ),
    (
        "Will it be too much money this month?",
        "About 640 NOK, well within what is left after the rent.",
    ),
)

CONVERSATIONS = {
    "trip": TRIP,
    "running": RUNNING,
    "code": CODE,
    "moving": MOVING,
    "dinner": DINNER,
}
