// Was this right? Four answers beside a line that was used; the one that was given is taken back by a click.
import { post, segment } from "./api.js";
import { html, useCallback, useState } from "./html.js";
import { useAction } from "./loading.js";
import { Failure } from "./parts.js";

const ANSWERS = {
  right: ["right", "Counted as confirmed."],
  wrong: ["wrong", "No chat is given it until somebody validates it."],
  outdated: ["outdated", "It ended now, and is kept as earlier."],
  not_now: ["not now", "Not given any more for such a question."],
};
const NAMED = 60;

/** `asked` says for which question: its text, or the conversation of a chat. What was said takes no answer. */
export function Verdicts({ id, text, user, asked }) {
  const [given, keep] = useState(null);
  const { run, busy, error } = useAction(useCallback(async (word) => {
    const owner = user ? { user_id: user } : {};
    if (given) {
      await post(`/${segment(id)}/feedback/undo`, { feedback_id: given.id, ...owner });
      keep(null);
    } else {
      const told = { feedback: word, ...owner, ...(word === "not_now" && asked) };
      keep({ word, id: (await post(`/${segment(id)}/feedback`, told)).feedback_id });
    }
  }, [id, user, given, asked]));
  if (!text || id.startsWith("said:")) return null;
  const name = text.length > NAMED ? `${text.slice(0, NAMED)}…` : text;
  return html`<div class="verdicts" role="group" aria-label=${`Was this right? ${name}`}>
    ${Object.entries(ANSWERS).map(([word, [label]]) => html`<button key=${word} disabled=${Boolean(given) && given.word !== word}
      aria-label=${given?.word === word ? `Undo ${label}: ${name}` : `${label}: ${name}`}
      onClick=${() => busy || run(word)}>${given?.word === word ? `Undo ${label}` : label}</button>`)}
    <span class="note" role="status">${given && ANSWERS[given.word][1]}</span><${Failure} error=${error} /></div>`;
}
