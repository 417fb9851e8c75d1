// Erasing: one memory, or everything of somebody, with the receipt.
import { post } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction } from "../loading.js";
import { Failure, Focused, Text } from "../parts.js";
import { number } from "../text.js";

const leave = (close) => (event) => event.key === "Escape" && close();

/** Asks, erases, shows the receipt; `gone` is called when it was read. */
export function Forget({ id, user, gone, close }) {
  const [receipt, keep] = useState();
  const erase = useAction(useCallback(async () => {
    keep(await post("/forget", { ids: [id], user_id: user }));
  }, [id, user]));
  if (receipt) return html`<${Receipt} of=${receipt} done=${gone} />`;
  return html`<${Focused} class="confirm" role="group" aria-label="forget this memory" onKeyDown=${leave(close)}>
    <p>This erases the memory, its earlier versions and its words in all stores. It cannot be undone.</p>
    <div class="actions"><button class="danger" disabled=${erase.busy} onClick=${() => erase.run()}>Forget for ever</button>
      <button onClick=${close}>Keep</button></div><${Failure} error=${erase.error} /><//>`;
}

/** Everything of a user; the name is typed, so that it is no slip. */
export function ForgetAll({ user, changed }) {
  const [receipt, keep] = useState();
  const [typed, type] = useState("");
  const erase = useAction(useCallback(async () => {
    keep(await post("/forget", { all: true, user_id: user }));
  }, [user]));
  const send = (event) => {
    event.preventDefault();
    if (typed === user) erase.run();
  };
  const done = () => {
    keep(undefined);
    type("");
    changed();
  };
  if (receipt) return html`<${Receipt} of=${receipt} done=${done} />`;
  return html`<details class="all"><summary>Forget everything of this person</summary>
    <form class="confirm" onSubmit=${send}>
      <p>This erases all memories of <strong><${Text} limit=${120}>${user}<//></strong>, what was said, and all histories, in all stores.
        It cannot be undone.</p>
      <label>Type the user's name to confirm<input value=${typed} autocomplete="off"
        onInput=${(event) => type(event.currentTarget.value)} /></label>
      <div class="actions"><button class="danger" disabled=${erase.busy || typed !== user}>Forget everything for ever</button></div>
      <${Failure} error=${erase.error} /></form></details>`;
}

const Receipt = ({ of, done }) => html`<${Focused} class="receipt" role="status">
  <p class="lead">${of.verified ? "Erased, and no longer found." : "Erased, but not verified: forget it again."}</p>
  <p class="note">Receipt <code>${of.id}</code> · ${Object.entries(of.erased ?? {})
    .filter(([, count]) => count).map(([name, count]) => `${number(count)} ${name.replaceAll("_", " ")}`).join(", ")}</p>
  <button onClick=${done}>Done</button><//>`;
