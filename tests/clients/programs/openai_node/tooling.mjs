// The npm `openai` client with and without a tool of its own: everything that it sees.
import OpenAI from "openai";
import { runWays, story, weather } from "./steps.mjs";

const client = new OpenAI({ maxRetries: 0 });
const { model, user } = story;
const MOST_TURNS = 4;
const parameters = {
  type: "object",
  properties: { place: { type: "string" } },
  required: ["place"],
  additionalProperties: false,
};
const tool = { name: "get_weather", description: "Get the weather.", parameters };
const chatTools = (own) => (own ? { tools: [{ type: "function", function: tool }] } : {});
const responseTools = (own) => (own ? { tools: [{ type: "function", ...tool }] } : {});
const answered = (given) => weather(JSON.parse(given).place);

const results = (calls) =>
  calls.map((call) => ({
    role: "tool",
    tool_call_id: call.id,
    content: answered(call.function.arguments),
  }));
const outputs = (calls) =>
  calls.map((call) => ({
    type: "function_call_output",
    call_id: call.call_id,
    output: answered(call.arguments),
  }));

async function turns(first, turn) {
  const said = [{ role: "user", content: first }];
  for (let n = 0; n < MOST_TURNS; n += 1) {
    const more = await turn(said);
    if (more.length === 0) return;
    said.push(...more);
  }
  throw new Error("no end");
}

await runWays({
  async chat(text, own) {
    const answers = [];
    let spoken = "";
    await turns(text, async (messages) => {
      const sent = { model, user, messages, ...chatTools(own) };
      const done = await client.chat.completions.create(sent);
      answers.push(done);
      const { message } = done.choices[0];
      spoken += message.content ?? "";
      return message.tool_calls?.length ? [message, ...results(message.tool_calls)] : [];
    });
    return { raw: true, text: spoken, answers };
  },
  async chat_streamed(text, own) {
    const streams = [];
    let spoken = "";
    await turns(text, async (messages) => {
      const sent = { model, user, messages, ...chatTools(own) };
      const usage = { stream_options: { include_usage: true } };
      const stream = client.chat.completions.stream({ ...sent, ...usage });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      streams.push(chunks);
      const { message } = (await stream.finalChatCompletion()).choices[0];
      spoken += message.content ?? "";
      return message.tool_calls?.length ? [message, ...results(message.tool_calls)] : [];
    });
    return { raw: true, text: spoken, streams };
  },
  async responses(text, own) {
    const answers = [];
    let spoken = "";
    await turns(text, async (input) => {
      const done = await client.responses.create({ model, user, input, ...responseTools(own) });
      answers.push(done);
      spoken += done.output_text;
      const calls = done.output.filter((item) => item.type === "function_call");
      return calls.length ? [...done.output, ...outputs(calls)] : [];
    });
    return { raw: true, text: spoken, answers };
  },
  async responses_streamed(text, own) {
    const streams = [];
    let spoken = "";
    await turns(text, async (input) => {
      const sent = { model, user, input, stream: true, ...responseTools(own) };
      const events = [];
      for await (const event of await client.responses.create(sent)) events.push(event);
      streams.push(events);
      const failed = events.filter((e) => ["error", "response.failed"].includes(e.type));
      if (failed.length) throw new Error(JSON.stringify(failed));
      for (const e of events) if (e.type === "response.output_text.delta") spoken += e.delta;
      const { output } = events.at(-1).response;
      const calls = output.filter((item) => item.type === "function_call");
      return calls.length ? [...output, ...outputs(calls)] : [];
    });
    return { raw: true, text: spoken, streams };
  },
});
