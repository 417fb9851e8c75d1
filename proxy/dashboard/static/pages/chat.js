// Talk to the model, and see below each answer what it was given of memory.
import { ask, ended } from "../chatting.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { Badge, Empty, Failure, Text } from "../parts.js";
import { to } from "../route.js";
import { counted, LONG } from "../text.js";
import { because, outcome } from "../words.js";
import { Recalled } from "./live.js";

const begun = (user = "default") => ({ user, session: `dashboard-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`, turns: [] });

// The conversation of this tab: whoever opens a memory and comes back finds it again.
const tab = { talk: begun(), model: "", key: "", learns: true, shown: undefined };

/** The conversation; one with `user`, if the page was opened for somebody. */
function useTalk(user) {
  const [, show] = useState(() => {
    if (user && user !== tab.talk.user) tab.talk = begun(user);
    return 0;
  });
  useLayoutEffect(() => {
    tab.shown = () => show((count) => count + 1);
    return () => { tab.shown = undefined; };
  }, []);
  return tab.talk;
}

/** Change the turn, wherever the reader is by now. */
function change(turn, values) {
  Object.assign(turn, values);
  tab.shown?.();
}

async function say(talk, message) {
  const turn = { message, model: tab.model, answer: "", busy: true };
  const before = talk.turns.filter((each) => each.answer && !each.error);
  talk.turns.push(turn);
  change(turn, {});
  const messages = [...before.flatMap((each) => [
    { role: "user", content: each.message }, { role: "assistant", content: each.answer }]), { role: "user", content: message }];
  try {
    const memory = await ask({ ...talk, ...tab, messages }, (piece) => change(turn, { answer: turn.answer + piece }));
    change(turn, { memory, busy: false });
    const seen = new Set(talk.turns.map((each) => each.chat?.id));
    change(turn, { chat: await ended(talk.user, memory, seen), looked: true });
  } catch (error) {
    change(turn, { busy: false, looked: true, error: turn.memory ? undefined : error });
  }
}

export function Chat({ params }) {
  const talk = useTalk(params.user);
  const field = useRef();
  const busy = talk.turns.some((each) => each.busy);
  const { length } = talk.turns;
  const last = talk.turns.at(-1);
  useEffect(() => { if (last) field.current.form.scrollIntoView({ block: "end" }); }, [length, busy, last?.looked]);
  const restart = (user) => {
    tab.talk = begun(user);
    tab.shown?.();
    field.current.focus();
  };
  const send = (event) => {
    event.preventDefault();
    const sent = Object.fromEntries(new FormData(event.currentTarget));
    const message = sent.message.trim(), user = sent.user.trim();
    if (busy || !message || !user) return;
    Object.assign(tab, { model: sent.model.trim(), key: sent.key.trim(), learns: sent.learns === "on" });
    if (user !== talk.user) restart(user);
    say(tab.talk, message);
    field.current.value = "";
  };
  const keys = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.currentTarget.form.requestSubmit();
  };
  return html`<h1>Chat</h1><p>Talk to your model as any client does. Below each answer stands what memory gave it.</p>
    <form class="talk" onSubmit=${send}><div class="ask">
      <label>User<input name="user" required defaultValue=${talk.user} autocomplete="off" /></label>
      <label>Model<input name="model" required defaultValue=${tab.model} autocomplete="off" placeholder="as a client names it" /></label>
      <label>Key of the model server (sent on, never kept)<input name="key" type="password" defaultValue=${tab.key} autocomplete="off" /></label>
      <label class="check"><input name="learns" type="checkbox" defaultChecked=${tab.learns} />Remember what is said here</label></div>
      <div role="log" aria-label="conversation" aria-busy=${String(busy)}>${length ? talk.turns.map((turn, at) =>
        html`<${Turn} key=${`${talk.session} ${at}`} of=${turn} user=${talk.user} />`)
        : html`<${Empty} title="Nothing was said yet."><p>Tell something about yourself, begin a new conversation, and ask for it.</p><//>`}</div>
      <div class="ask say"><label class="grows">Message<textarea name="message" rows="2" required ref=${field} onKeyDown=${keys} dir="auto" data-search
          placeholder="Enter sends; Shift and Enter begin a line" /></label>
        <button class="main" disabled=${busy}>${busy ? "Answering …" : "Send"}</button>
        ${length > 0 && html`<button type="button" disabled=${busy} onClick=${() => restart(talk.user)}>New conversation</button>`}</div></form>`;
}

const Turn = ({ of, user }) => html`<div class="turn"><p class="note">You</p><p><${Text}>${of.message}<//></p>
  <p class="note"><${Text} limit=${80}>${of.model}<//></p>${of.answer && html`<p class="answer"><${Text} limit=${LONG}>${of.answer}<//></p>`}
  ${of.busy && !of.answer && html`<p class="loading">Answering …</p>`}<${Failure} error=${of.error} />
  ${of.memory?.outcome && html`<${Given} of=${of} user=${user} />`}</div>`;

/** What memory did for one answer. */
function Given({ of: { memory, chat, looked, message }, user }) {
  return html`<div class="given"><p><${Badge} kind=${memory.outcome}>${outcome(memory.outcome)}<//><span class="note"> ${because(memory)}${" · "}<a
      href=${to("playground", { user, q: message })}>why, and what was left out?</a></span></p>
    ${chat && html`<ul class="reasons">${chat.recalled.map((line) => html`<${Recalled} key=${line.id} of=${line} user=${user} />`)}</ul>`}
    ${looked && !chat && memory.count > 0 && html`<p class="note">${counted(memory.count, "memory", "memories")}; which ones, this server does not tell.</p>`}</div>`;
}
