// What the work in the background did to memories, with the texts before and after, and its undo.
import { get, post, segment } from "../api.js";
import { html, useCallback, useRef, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Choice, Empty, Failure, Focused, Loaded, Text } from "../parts.js";
import { to } from "../route.js";
import { counted, number, when } from "../text.js";
import { change, reason, spaced, upkeep, UPKEEP } from "../words.js";

const MOST = 50;
const KINDS = [["", "All"], ...Object.entries(UPKEEP)];

export function Upkeep({ params }) {
  const { user = "" } = params;
  const kind = UPKEEP[params.kind] ? params.kind : "";
  const found = useLoaded((signal) => get("/upkeep", { user_id: user, kind, limit: MOST }, signal), [user, kind]);
  const list = useRef();
  const changed = () => {
    list.current?.focus();
    found.again();
  };
  return html`<h1>Upkeep</h1><p>What was merged, summed up, put away or concluded while nobody asked. Nothing of it is lost: one click takes a run back.</p>
    ${user && html`<p>Of <${Text} limit=${80}>${user}<//>. <a href=${to("upkeep", { kind })}>Show everybody's</a></p>`}
    <${Choice} label="kind" choices=${KINDS} at=${kind} href=${(next) => to("upkeep", { user, kind: next })} />
    <${Loaded} of=${found}>${({ results }) => html`<div ref=${list} tabindex="-1" class="list">${results.length
      ? html`<ul class="rows">${results.map((run) => html`<${Run} key=${`${run.id} ${run.undone_at ?? ""}`} run=${run} changed=${changed} />`)}</ul>
          ${results.length === MOST && html`<p class="note">The newest ${MOST}.</p>`}`
      : html`<${Empty} title="No run yet."><p>It runs by itself once there is enough to look after, or by <code>recollect upkeep run</code>.</p><//>`}</div>`}<//>`;
}

const whose = ({ user_id: user, agent_id: agent, run_id: run }) => user
  ? html`<a href=${to("person", { user })}><${Text} limit=${80}>${user}<//></a>` : html`<${Text} limit=${80}>${agent ?? run ?? ""}<//>`;

function Run({ run, changed }) {
  const [open, show] = useState(false);
  const [undone, tell] = useState();
  const undo = useAction(useCallback(async () => {
    tell(await post(`/upkeep/${segment(run.id)}/undo`, {}));
  }, [run.id]));
  const { figures = {}, changes = [] } = run;
  const may = changes.length > 0 && !run.undone_at && run.state !== "dead";
  return html`<li><p><${Badge}>${upkeep(run.kind)}<//> ${run.undone_at && html`<${Badge} kind="superseded">taken back<//> `}${whose(run)}
      <span class="note"> ${when(run.at)} · ${spaced(run.reason)} · ${counted(changes.length, "change")}</span></p>
    ${Object.keys(figures).length > 0 && html`<p class="note">${Object.entries(figures).map(([name, value]) => `${spaced(name)} ${number(value)}`).join(" · ")}</p>`}
    ${run.rested && html`<p class="note">A part rested: <${Text} limit=${200}>${reason(run.rested)}<//></p>`}
    ${run.failure && html`<p><${Text}>${run.failure}<//>${run.advice && html` <span class="note"><${Text}>${run.advice}<//></span>`}</p>`}
    <div class="actions">${changes.length > 0 && html`<button aria-expanded=${String(open)} onClick=${() => show(!open)}>Changes</button>`}
      ${may && !undone && html`<button class="danger" disabled=${undo.busy} onClick=${() => undo.run()}>Undo</button>`}</div>
    <${Failure} error=${undo.error} />
    ${undone && html`<${Undone} of=${undone} close=${changed} />`}
    ${open && html`<${Changes} id=${run.id} user=${run.user_id} />`}</li>`;
}

/** What an undo did, and what it left because somebody changed it since. */
const Undone = ({ of, close }) => html`<${Focused} class="receipt" role="status">
  <p>${of.already ? "It was taken back before." : `Taken back: ${counted(of.undone, "memory", "memories")} as before.`}</p>
  ${of.kept?.length > 0 && html`<p class="note">Left as they are:</p><ul>${of.kept.map((each) => html`<li key=${each.id}>
    <code>${each.id}</code> <${Text} limit=${200}>${each.why}<//></li>`)}</ul>`}
  <button onClick=${close}>Done</button><//>`;

function Changes({ id, user }) {
  const found = useLoaded((signal) => get(`/upkeep/${segment(id)}`, {}, signal), [id]);
  return html`<${Loaded} of=${found}>${({ changes }) => html`<ul class="history">${changes.map((each) => html`<li key=${`${each.id} ${each.event}`}>
    <p class="note">${change(each.event)}${each.why && html` · <${Text} limit=${200}>${each.why}<//>`} · <a href=${to("person", { user, id: each.id })}>open</a></p>
    ${each.old_memory && each.old_memory !== each.memory && html`<p><del><${Text}>${each.old_memory}<//></del></p>`}
    ${each.memory && html`<p><${Text}>${each.memory}<//></p>`}
    ${each.cites?.length > 0 && html`<p class="note">stands on ${each.cites.map((cited, place) => html`${place > 0 && ", "}<a key=${cited} href=${to("person", { user, id: cited })}>${place + 1}</a>`)}</p>`}</li>`)}</ul>`}<//>`;
}
