"""The gate's verdicts, on sentences written for these tests."""

import pytest

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.model.types import Message
from tests.support.folding import rows

ON = GateOptions()


def user(text, *earlier):
    """The verdict on one user message after `earlier` (role, text) pairs."""
    before = [Message(role=role, content=content) for role, content in earlier]
    return decide([*before, Message(role="user", content=text)], ON)


@rows(
    "text",
    [
        "What is the chemical symbol for tin?",
        "What is the boiling point of water?",
        "define ataraxy for me",
        "Who composed The Four Seasons?",
        "Explain the difference between TCP and UDP.",
        "Who wrote the lyrics of 'My Heart Will Go On'?",
        "What does the 'I' in IOU stand for?",
        "Thanks! And what is the capital of Mongolia?",
        "Wer schrieb Faust?",
        "Wie viele Einwohner hat Wien?",
        "¿Quién pintó Las Meninas?",
        "Que signifie « procrastiner » ?",
        "Qual é a capital da Bolívia?",
        "法国的首都是哪里？",
        "フランスの首都はどこですか？",
        "फ्रांस की राजधानी क्या है?",
        "ما هي عاصمة بيرو؟",
        "Which state of the US has the longest coast?",
        "Which country has the deepest gold mine?",
        "Who painted the Mona Lisa?",
        "Wie viele Einwohner hat Portugal?",
        "Kto odkrył fotosyntezę?",
        "光合成を表す言葉は英語で何という？",
    ],
)
def test_general_knowledge_is_skipped_as_a_fact(text):
    """A complete, impersonal question needs no memory, in any supported language."""
    assert user(text) is GateReason.FACT


@rows(
    "text",
    [
        'Translate to French: "My cat sleeps on our sofa."',
        "Uppercase this: hello from us",
        'Sort this list:\n```json\n["my_key", "our_key"]\n```',
        "Summarise this:\nWe met on Tuesday and I took the notes.",
        "how much is 18% of 250",
        "Convert 5 miles to kilometres",
        "Übersetze ins Englische: „Meine Schwester liebt unseren Garten.“",
        "¿Cuánto es 45 por 12?",
        "Traduis en anglais : « Ma sœur habite chez nous. »",
        "Quanto é 45 vezes 12?",
        "把下面这句话翻译成英文：我妹妹住在我们家。",
        "「うちの妹は犬が好きだ」を英語に翻訳して",
        "25 गुणा 16 कितना होता है?",
        "ترجم إلى الإنجليزية: «أختي تسكن في بيتنا»",
    ],
)
def test_what_a_tool_answers_alone_is_skipped(text):
    """Calculations and transformations with everything stated."""
    assert user(text) is GateReason.TOOL


@rows(
    "text",
    [
        "hey there :)",
        "heyyyy",
        "Thanks a lot, that was very helpful!",
        "ok great",
        "hahahaha",
        "Hello, Ada",
        "🙏🙏",
        "Vielen Dank, das hilft mir sehr",
        "Muchas gracias por todo",
        "Bonsoir",
        "entendi, valeu",
        "谢谢你的帮助！",
        "なるほど、わかりました",
        "बहुत बहुत धन्यवाद!",
        "شكرا جزيلا على المساعدة",
    ],
)
def test_small_talk_is_skipped_as_a_greeting(text):
    """Greetings, thanks and acknowledgements have nothing to answer."""
    assert user(text) is GateReason.GREETING


@rows(
    "text",
    [
        "What was the gate code again, the one I told you?",
        "Where did we park?",
        "the usual, please",
        "Forget the thing about Oslo.",
        "Translate what I told you about the harbour.",
        "What is Grandma allergic to?",
        "Hi! When does my lease end?",
        "Was macht Mama am Samstag?",
        "A long menu: soup, fish, rice, cake.\nWhich of it can I eat?",
        "On avait choisi quel hôtel ?",
        "上回聊的那本书是谁写的来着？",
        "例の件、どうなったっけ？",
        "मेरी अगली बैठक कब है?",
        "متى موعدي القادم؟",
    ],
)
def test_the_users_own_life_is_recalled(text):
    """First persons (also without a pronoun), own people and "the usual" need memory."""
    assert user(text) is GateReason.PERSONAL


@rows(
    "text",
    [
        "Was ist mit Mamas Termin?",
        "¿Cuándo pagué la factura?",
        "Onde deixei as chaves?",
        "run `make lint`",
        "Set a timer for 25 minutes",
        "Which timer did the oven need?",
        "Who is Emma's piano teacher?",
        "How much did the roof repair come to?",
        "What's the weather like at the cabin?",
        "Who designed the logo?",
        "¿Quién escribió el informe?",
        "Qui a écrit le rapport ?",
        "Which port does the API run on?",
        "Kto napisał raport?",
        "보고서는 누가 썼어?",
        "How do I get to the clinic?",
        "Which port does the staging server use?",
        "What does the function load_rates do?",
        "How many litres does tank 2 hold?",
        "J'ai quoi le 21 novembre ?",
        "When did Ottilie start playing the cello?",
        "When did Ottilie Brandt visit the botanical gardens?",
        "How old are Ottilie's rabbits?",
        "Which wine was so good last winter?",
        "Welcher Film hat Lena so gefallen?",
        "¿Cuándo fue el concierto de 2024?",
        "Wie hoch ist der Zaun?",
        "What was the price of the sofa?",
        "Suggest a thriller.",
        "Plan a week in Porto",
        "Rewrite this in a warmer tone: 'We regret to inform you.'",
        "Is a dishwasher worth the money?",
        "And in winter?",
        "Which museum did Lena Sommer visit on 14.03.2021?",
        "Set an alarm for the flight.",
        "Wer kommt am Samstag?",
        "¿Quién trae el vino?",
        "Qui apporte le vin ?",
        "Quem tem a chave?",
        "小明多高？",
        "ワクチンはいつ？",
        "चाबी किसके पास है?",
        "متى ينتهي عقد الإيجار؟",
        "Где лежит паспорт?",
        "Kde mám kľúče?",
        "Funguo ziko wapi?",
        "გასაღები სად არის?",
        "ተወዳጅ ቀለሜ ምንድን ነው?",
    ],
)
def test_whatever_may_depend_on_the_user_is_recalled(text):
    """Shaped like a fact or a tool call, but only memory knows; unknown languages too."""
    assert user(text).recall


def test_a_tool_result_at_the_end_is_a_continuation():
    """The caller reuses the turn's recall."""
    messages = [Message(role="user", content="hi"), Message(role="tool", content="3 files")]
    assert decide(messages, ON) is GateReason.CONTINUATION


def test_a_tool_result_alone_has_nothing_to_search_with():
    """What began the turn is upstream, and what was injected with it."""
    messages = [Message(role="assistant", content=""), Message(role="tool", content="3 files")]
    assert decide(messages, ON) is GateReason.EMPTY


@rows("text", ["yes please", "ok", "👍", "great, thanks"])
def test_an_answer_to_a_question_is_searched(text):
    """What it needs is what was asked; after a statement it may be small talk."""
    assert user(text, ("assistant", "Shall I write the toast for Eva?")) is GateReason.DEFAULT
    assert user("thanks", ("assistant", "Here is the toast.")) is GateReason.GREETING


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "tool_result", "content": "my disk is full"}',
        "<tool_result>\n4 files changed\n</tool_result>",
        "### Task:\nGenerate a title.\n<chat>\nUSER: where is my bike?\nASSISTANT: No.\n</chat>",
    ],
)
def test_what_no_person_wrote_is_skipped(text):
    """Tool results in a user's turn and a client's housekeeping prompts."""
    assert user(text) is GateReason.TOOL


def test_context_a_client_adds_is_not_the_users_question():
    """First persons inside an injected block do not make a fact personal."""
    block = "<env>\nuser_name: me\nnote: my machine\n</env>\n"
    assert user(block + "What is the capital of Mongolia?") is GateReason.FACT


@pytest.mark.parametrize("messages", [[], [Message(role="system", content="Be brief.")]])
def test_no_user_message_is_empty(messages):
    """There is nothing to search with."""
    assert decide(messages, ON) is GateReason.EMPTY


@pytest.mark.parametrize("text", ["", "   \n\t", "\u3000"])
def test_blank_text_is_empty_even_if_the_gate_is_off(text):
    """An empty query finds nothing."""
    off = GateOptions(enabled=False)
    assert decide([Message(role="user", content=text)], off) is GateReason.EMPTY


def test_a_gate_that_is_off_recalls_everything_else():
    """`enabled: false` judges nothing."""
    off = GateOptions(enabled=False)
    assert decide([Message(role="user", content="hi")], off) is GateReason.DEFAULT


def test_the_last_user_message_is_judged_not_the_last_message():
    """A client may add a system message after the user's."""
    messages = [
        Message(role="user", content="Where did I park?"),
        Message(role="system", content="Answer briefly."),
    ]
    assert decide(messages, ON) is GateReason.PERSONAL


def test_which_reasons_recall():
    """Every reason either skips memory or searches it, and nothing else decides that."""
    skipped = {reason for reason in GateReason if not reason.recall}
    assert skipped == {GateReason.FACT, GateReason.TOOL, GateReason.GREETING, GateReason.EMPTY}
