// Server-sent events with a token: `EventSource` cannot send one, so the stream is read by `fetch`.
import { open } from "./api.js";

/** Calls `heard(value)` for each event's JSON until `signal` aborts or the server ends the stream. */
export async function listen(path, signal, heard) {
  const response = await open("GET", path, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split(/\r?\n\r?\n/);
    rest = events.pop();
    events.map(dataOf).filter(Boolean).forEach((data) => heard(JSON.parse(data)));
  }
}

/** The data of one event; "" for a heartbeat. */
export const dataOf = (event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
  .map((line) => line.slice(5).trimStart()).join("\n");
