"""Example sentences of requests to forget: `meaning` embeds them and compares messages with them.

In English, for every language. We wrote them and copied none.
"""

from __future__ import annotations

SOME = (
    "Please forget that I work there.", "Forget what I told you about him.",
    "Forget my address.", "Delete what you know about my job.",
    "Could you delete what I said about my sister?", "Erase my illness from your memory.",
    "I want you to forget the name of my cat.", "Please don't remember that I live there.",
    "Remove the note about my money from your memory.", "Forget that I have a car.",
    "Stop remembering that I am allergic.", "Forget about my plans to travel.",
    "Please delete the memory of my debts.", "I'd like you to forget that we are getting married.",
    "Can you forget where I live?", "Remove my birthday from what you know.",
)  # fmt: skip
"""Something is to be forgotten."""
RECENT = (
    "Forget what I just said.", "Please delete my last message from your memory.",
    "Forget what I told you a moment ago.", "Don't remember what I have just told you.",
)  # fmt: skip
"""What was said just before is to be forgotten."""
EVERYTHING = (
    "Delete everything you know about me.", "Forget everything about me.",
    "Erase all your memories of me.", "Wipe your memory of me.",
    "Please delete all my data that you have stored.", "Forget everything I ever told you.",
    "Remove all the information you have about me.", "Forget me completely.",
)  # fmt: skip
"""All that is known is to be forgotten."""
OTHERS = (
    "I keep forgetting my keys.", "I forgot my umbrella on the train.",
    "I always forget names.", "My grandmother forgets everything.",
    "I have forgotten my password.", "He told me to forget it.",
    "Before I forget: I have a new job.", "I will never forget that day.",
    "We had to delete the whole scene.", "I deleted my photos.",
    "Don't forget to buy milk.", "Don't forget that I have no car.",
    "Don't forget my birthday.", "Remember that I work there.",
    "How do I forget my ex?", "How can I forget somebody?",
    "How do I delete my account?", "Should I delete my old emails?",
    "How do I remove a stain from my shirt?", "How do I delete an app from my phone?",
    "What happens if I delete my profile?", "Why do people forget their dreams?",
    "Delete the third line of the list.", "Remove the background from my photo.",
    "Remove the duplicates from this list.", "Delete the last paragraph of my letter.",
    "Erase the column from my table.", "Delete the files in this folder.",
    "Delete this function from my code.", "Turn off the light and delete the alarm.",
    "Cancel my appointment.", "Remove the item from my shopping list.",
    "Forget it, let's talk about something else.", "Never mind, forget about it.",
    "Write a story about a man who forgets everything.", "Can memories be deleted?",
    "What do you know about me?", "Where do I live?", "What is my dog called?",
    "I work there.", "I have a dog.", "My sister lives there.",
)  # fmt: skip
"""Messages with the same words that ask for none of this."""
