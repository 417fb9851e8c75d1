// What the npm `openai` client sees at a base URL, as one JSON line. Run by npm_smoke.py.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "sk-smoke", maxRetries: 2 });
const messages = [{ role: "user", content: "What do I drink in the morning?" }];
const seen = {};

const { data, request_id } = await client.chat.completions
  .create({ model: "m", messages })
  .withResponse();
seen.chat = [data.choices[0].message.content, request_id];

const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
seen.stream = [];
for await (const chunk of stream) seen.stream.push(chunk);

const runner = client.chat.completions.stream({ model: "m", messages });
seen.helper = await runner.finalContent();

const abort = await client.chat.completions.create({ model: "m", messages, stream: true });
for await (const chunk of abort) {
  seen.aborted = chunk.choices[0].delta;
  abort.controller.abort();
}

const input = "What do I drink in the morning?";
const response = await client.responses.create({ model: "m", input });
seen.response = [response.id, response.output_text];
const next = await client.responses.create({
  model: "m", input: "And now?", previous_response_id: response.id, stream: true,
});
seen.events = [];
for await (const event of next) seen.events.push(event);

seen.models = (await client.models.list()).data;
seen.embedding = (await client.embeddings.create({ model: "m", input: "x" })).data;

try {
  await client.chat.completions.create({ model: "refused", messages });
} catch (error) {
  seen.error = [error.status, error.code, error.type, error.message];
}
seen.retried = (await client.moderations.create({ model: "busy", input: "x" })).id;

console.log(JSON.stringify(seen));
