// How is it configured, and where does each value come from? Two switches.
import { get, post } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Failure, Loaded, Text } from "../parts.js";

const SWITCHES = [
  ["recall", "Recall", "Each chat waits some milliseconds for the search, and sends at most the tokens of recall.token_budget more."],
  ["learn", "Learning", "A model reads each turn in the background: its calls and tokens stand in the usage."],
];

export function Settings() {
  const found = useLoaded((signal) => get("/settings", {}, signal), []);
  return html`<h1>Settings</h1><${Loaded} of=${found}>${({ settings, switches }) => html`
    <section aria-label="switches">${SWITCHES.map(([name, label, cost]) => html`<${Switch} key=${name}
      name=${name} label=${label} cost=${cost} on=${switches[name]} changed=${found.again} />`)}</section>
    <${Values} settings=${settings} />`}<//>`;
}

function Switch({ name, label, cost, on, changed }) {
  const flip = useAction(useCallback(async () => {
    await post("/switches", { [name]: !on });
    changed();
  }, [name, on, changed]));
  return html`<div class="switch"><button role="switch" aria-checked=${String(on)} disabled=${flip.busy}
      aria-describedby=${`cost-${name}`} onClick=${() => flip.run()}>${label}: ${on ? "on" : "off"}</button>
    <p class="note" id=${`cost-${name}`}>${cost}</p><${Failure} error=${flip.error} /></div>`;
}

const shown = (value) => typeof value === "string" ? value : JSON.stringify(value);

function Values({ settings }) {
  const [part, look] = useState("");
  const found = settings.filter(({ key }) => key.includes(part.trim()));
  return html`<h2>Configuration</h2>
    <div class="ask"><label>Find a key<input value=${part} data-search autocomplete="off"
      onInput=${(event) => look(event.currentTarget.value)} /></label></div>
    <p class="note" role="status">${found.length} of ${settings.length} keys</p>
    <ul class="rows">${found.map((each) => html`<li key=${each.key}><p><code>${each.key}</code>
      ${each.secret ? html` <${Badge}>hidden<//>` : html` <${Text}>${shown(each.value)}<//>`}
      <span class="note"> ${each.source}</span></p><p class="note">${each.help}</p></li>`)}</ul>`;
}
