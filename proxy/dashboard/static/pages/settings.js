// How is it configured, and where does each value come from? Two switches, and what each costs.
import { get, post } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Failure, Loaded, Text } from "../parts.js";
import { number } from "../text.js";

export function Settings() {
  const found = useLoaded((signal) => get("/settings", {}, signal), []);
  return html`<h1>Settings</h1><${Loaded} of=${found}>${({ settings, switches }) => html`
    <${Switches} of=${switches} settings=${settings} changed=${found.again} /><${Values} settings=${settings} />`}<//>`;
}

function Switches({ of, settings, changed }) {
  const usage = useLoaded((signal) => get("/usage", {}, signal), []);
  const budget = settings.find(({ key }) => key === "recall.token_budget")?.value;
  const spent = usage.value && `Today: ${number(usage.value.calls)} calls, ${number(usage.value.tokens)} tokens.`;
  return html`<section class="switches" aria-label="switches">
    <${Switch} name="recall" label="Recall" on=${of.recall} changed=${changed} costs=${`Chats are given what is known of their user.
      Each waits some milliseconds for the search${budget ? `, and sends at most ${number(budget)} tokens more` : ""}. While it is off, chats are given nothing.`} />
    <${Switch} name="learn" label="Learning" on=${of.learn} changed=${changed} costs=${`A model reads each conversation in the background,
      and keeps facts. ${spent ?? "Its calls and tokens are counted."} While it is off, what users say is not kept.`} /></section>`;
}

function Switch({ name, label, costs, on, changed }) {
  const flip = useAction(useCallback(async () => {
    await post("/switches", { [name]: !on });
    changed();
  }, [name, on, changed]));
  return html`<div class="switch"><button role="switch" aria-checked=${String(on)} disabled=${flip.busy}
      aria-labelledby=${`name-${name}`} aria-describedby=${`cost-${name}`} onClick=${() => flip.run()}><span class="knob" /></button>
    <div><p><strong id=${`name-${name}`}>${label}</strong> <span class="note">${on ? "on" : "off"}</span></p>
      <p class="note" id=${`cost-${name}`}>${costs}</p><${Failure} error=${flip.error} /></div></div>`;
}

const shown = (value) => value === null || value === "" ? "not set" : typeof value === "string" ? value : JSON.stringify(value);
/** A text with its names between backticks set as code. */
const coded = (text) => text.split("`").map((part, place) => place % 2 ? html`<code>${part}</code>` : part);

const isSet = ({ source }) => source !== "default";

function Values({ settings }) {
  const [part, look] = useState("");
  const [only, limit] = useState(false);
  const found = settings.filter((each) => each.key.includes(part.trim()) && (!only || isSet(each)));
  return html`<h2>Configuration</h2>
    <div class="ask"><label>Find a key<input value=${part} data-search autocomplete="off"
        onInput=${(event) => look(event.currentTarget.value)} /></label>
      <label class="check"><input type="checkbox" checked=${only} onChange=${() => limit(!only)} /> Only what is set</label></div>
    <p class="note" role="status">${found.length} of ${settings.length} keys; a change in the file is in force after a restart or reload</p>
    <ul class="rows settings">${found.map((each) => html`<li key=${each.key}><p><code>${each.key}</code>
      ${each.secret && each.value !== null ? html` <${Badge}>hidden<//>` : html` <code class="value"><${Text} limit=${200}>${shown(each.value)}<//></code>`}
      <span class="note"> ${isSet(each) ? html`<${Badge} kind="active">${each.source}<//>` : each.source}</span></p>
      <p class="note">${coded(each.help)}</p></li>`)}</ul>`;
}
