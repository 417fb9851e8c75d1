// Server-sent events with a token: `EventSource` cannot send one, so the stream is read by `fetch`.
import { open } from "./api.js";

/** Calls `heard(value)` for each event's JSON until `signal` aborts or the server ends the stream. */
export const listen = async (path, signal, heard) =>
  eachData(await open("GET", path, { signal }), (data) => heard(JSON.parse(data)));

/** Calls `heard(data)` for the data of each event of a response, as text. */
export async function eachData(response, heard) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split(/\r?\n\r?\n/);
    rest = events.pop();
    events.map(dataOf).filter(Boolean).forEach(heard);
  }
}

/** The data of one event; "" for a heartbeat. */
export const dataOf = (event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
  .map((line) => line.slice(5).trimStart()).join("\n");
