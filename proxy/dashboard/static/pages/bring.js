// Chats with another service: the file that it sends, kept as they were said.
import { get, post, segment, upload } from "../api.js";
import { html, useCallback, useEffect, useState } from "../html.js";
import { useAction } from "../loading.js";
import { Failure, Focused, Text } from "../parts.js";
import { to } from "../route.js";
import { counted, number } from "../text.js";

const SERVICES = [["chatgpt", "ChatGPT"], ["claude", "Claude"], ["gemini", "Gemini"]];
const WAIT = 500;
const sleep = () => new Promise((done) => { setTimeout(done, WAIT); });
const isGoing = ({ state }) => ["sending", "waiting", "running"].includes(state);

/** A file of a person's, with how far it is and what came of it. */
export function Bring({ params }) {
  const { user } = params;
  const [task, show] = useState();
  const [here] = useState({});
  const follow = useCallback(async (at) => {
    try {
      while (!here.gone && isGoing(at)) {
        show(at);
        await sleep();
        at = await get(`/tasks/${segment(at.id)}`, { user_id: user });
      }
      show(at);
    } catch (error) {
      show();
      throw error;
    }
  }, [user, here]);
  const goOn = useCallback(async () => {
    const found = (await get("/tasks", { user_id: user })).results.find(isGoing);
    if (found) await follow(found);
  }, [user, follow]);
  const bring = useAction(useCallback(async (format, file) => {
    const sending = new AbortController();
    show({ state: "sending", counts: {}, stop: () => sending.abort() });
    try {
      await follow(await upload(`/import`, { format, user_id: user }, file, sending.signal));
    } catch (error) {
      show();
      if (!sending.signal.aborted) throw error;
      show({ state: "cancelled", counts: {} });
      await goOn(); // if all of it had come
    }
  }, [user, follow, goOn]));
  const earlier = useAction(goOn);
  const cancel = useAction(useCallback(({ id, stop }) =>
    (stop ? stop() : post(`/tasks/${segment(id)}/cancel`, { user_id: user })), [user]));
  useEffect(() => {
    if (user) earlier.run();
    return () => { here.gone = true; };
  }, [here]);
  const send = (event) => {
    event.preventDefault();
    const told = new FormData(event.currentTarget);
    bring.run(told.get("service"), told.get("file"));
  };
  if (!user) return html`<h1>Bring chats along</h1><p>Whose chats are these? Open <a href=${to("person")}>the person</a> first.</p>`;
  return html`<h1 class="whose">Bring chats along for <${Text} limit=${120}>${user}<//></h1>
    <p>The zip archive that the service sends, or the file of conversations in it. What was said is kept with its dates; no model reads it.
      The same file again adds nothing, a later one what is new.</p>
    <form class="edit" onSubmit=${send}>
      <label>Service<select name="service">${SERVICES.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select></label>
      <label>File<input type="file" name="file" required accept=".zip,.json" /></label>
      <div class="actions"><button class="main" disabled=${bring.busy || earlier.busy}>Bring along</button></div>
      <${Failure} error=${bring.error ?? earlier.error ?? cancel.error} /></form>
    ${task && html`<${Progress} of=${task} user=${user} />`}
    ${task && isGoing(task) && html`<div class="actions"><button disabled=${cancel.busy} aria-describedby="stays"
      onClick=${() => cancel.run(task)}>Cancel the import</button></div>
      <p class="note" id="stays">What is imported already stays; the same file goes on later.</p>`}`;
}

function Progress({ of, user }) {
  const { state, counts, done, error } = of;
  if (state === "sending") return html`<p role="status">Sending the file …</p>`;
  if (state === "waiting") return html`<p role="status">Waiting for its turn …</p>`;
  // One of memories, not of chats, has no turns.
  if (state === "running") return html`<p role="status">${done && counts.turns
    ? html`Keeping: <progress aria-label="kept" max=${counts.turns} value=${done} /> ${number(done)} of ${counted(counts.turns, "thing")} said`
    : `Reading: ${counted(counts.conversations ?? 0, "conversation")} …`}</p>`;
  if (!["done", "cancelled"].includes(state)) return html`<${Failure} error=${{ message: `${error ?? state} (${kept(counts)})` }} />`;
  return html`<${Focused} class="receipt" role="status"><p class="lead">${
    state === "cancelled" ? `Cancelled: ${kept(counts)}. The same file goes on from there.` : counts.turns === undefined ? kept(counts) : told(counts)}</p>
    ${Object.entries(counts.left_out ?? {}).map(([rule, count]) => html`<p class="note" key=${rule}>Left out: ${number(count)} ${rule}</p>`)}
    <p><a href=${to("person", { user })}>What is known of this person</a></p><//>`;
}

const SAID = [["added", "added"], ["same", "there already"], ["forgotten", "forgotten here before"], ["refused", "refused"]];

const kept = (counts) => SAID.filter(([name]) => counts[name])
  .map(([name, word]) => `${number(counts[name])} ${word}`).join(", ") || "nothing was kept";

/** What came of it, in one line. */
const told = (counts) => `${counted(counts.messages, "message")} of ${counted(counts.conversations, "conversation")}: ${kept(counts)}.`;
