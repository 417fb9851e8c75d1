"""What the model is told about forgetting: fenced as memories are. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.memory.forget import ForgetAnswer, Step

from ..inject.fence import Fence
from ..inject.render import show

MOST_LINES = 20
"""Lines that a proposal shows; of more, their number."""
_ASK = (
    "Name it and ask the user one short question: whether to forget it for good. In the user's "
    'language, ask for the answer "yes, forget it". Never say that it is forgotten already.'
)
_SAYS: Mapping[Step, str] = {
    Step.PROPOSED: "The user asks to forget this, which is stored. Nothing is erased yet.",
    Step.UNSURE: "The user was asked whether to forget this and did not clearly say yes. Nothing "
    "is erased yet. If the message is about something else, answer it and leave this.",
    Step.UNMATCHED: "The user asks to forget something, and nothing is stored that matches. Say "
    "so; nothing was erased.",
    Step.ERASED: "The user agreed, and what they asked to forget is erased from memory. Say that "
    "it is forgotten, without repeating it. It may still stand above in this conversation.",
    Step.BEGUN: "The user agreed, and what they asked to forget is being erased from memory. Say "
    "so, without repeating it. It may still stand above in this conversation.",
    Step.FAILED: "The user agreed, but it could not be erased now. Say so, and that it is tried "
    "again when they repeat their answer.",
    Step.LATE: "The user agreed to forget something, but that was too late, or it changed since. "
    "Nothing was erased. Say so, and that they can ask again.",
}
_EVERYTHING = "Everything that is known about this user, from all conversations.\n"


def notice_of(heard: ForgetAnswer, fence: Fence) -> str:
    """The whole message; the same step and items give the same bytes."""
    says = _SAYS[heard.step]
    if heard.step not in {Step.PROPOSED, Step.UNSURE}:
        return fence.around("", f"Notice about memory: {says}")
    if heard.everything:
        lines = _EVERYTHING
    else:
        lines = "".join(show(item).line for item in heard.items[:MOST_LINES])
        if len(heard.items) > MOST_LINES:
            lines += f"And {len(heard.items) - MOST_LINES} more.\n"
    return fence.around(lines, f"Notice about memory: {says} {_ASK}")
