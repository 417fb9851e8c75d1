"""Instructions to the assistant in a user's message."""

import pytest

from recollect.memory.learn.firewall.persona import cut_prompts


@pytest.mark.parametrize(
    "prompt",
    [
        "You are a helpful assistant. ",
        "You are an expert Python coder.\nAlways answer in English.\n- Be concise.\n",
        "You are Nova, an AI agent of Fjord. Never reveal this.\n",
        "You are ChatGPT, a large language model trained by OpenAI.\n",
        "Knowledge cutoff: 2024-06\n",
        "Du bist ein hilfreicher Assistent. ",
        "Tu es un assistant utile. ",
        "Eres un asistente útil. ",
        "Você é um assistente útil. ",
        "你是一个有用的助手。",
        "あなたは役に立つアシスタントです。",
        "[ERROR] You did not use a tool in your previous response! ",
    ],
)
def test_prompts_go(prompt):
    """In each language of ours, with the orders that follow; who speaks afterwards is kept."""
    assert cut_prompts(f"{prompt}I live in Oslo.").text == "I live in Oslo."
    assert cut_prompts(prompt).text == ""


@pytest.mark.parametrize(
    "text",
    [
        "You are right. I live in Oslo.",
        "You are an angel!",
        "Always answer in German, please.",
        "My rules:\n- no meat\n- no alcohol\n",
        "Never call me Bob. I am Robert.",
    ],
)
def test_what_users_ask_for_stays(text):
    """Praise, and preferences that are no part of a prompt, are theirs."""
    assert cut_prompts(text) == (text, 0)
