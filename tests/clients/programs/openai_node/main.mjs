// The npm `openai` client: chat completions and responses; the user is `user`.
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { run, story, weather } from "./steps.mjs";

const client = new OpenAI();
const { model, user } = story;
const messages = (content) => [{ role: "user", content }];
const parameters = { type: "object", properties: { place: { type: "string" } } };

const asked = async (text) => {
  const done = await client.chat.completions.create({ model, user, messages: messages(text) });
  return done.choices[0].message.content;
};

await run({
  async told(text) {
    const said = messages(text);
    const first = await client.chat.completions.create({ model, user, messages: said });
    said.push(first.choices[0].message, ...messages(story.then));
    const second = await client.chat.completions.create({ model, user, messages: said });
    return second.choices[0].message.content;
  },
  asked,
  async streamed(text) {
    const sent = { model, user, messages: messages(text), stream: true };
    let said = "";
    for await (const chunk of await client.chat.completions.create(sent)) {
      said += chunk.choices[0]?.delta?.content ?? "";
    }
    return said;
  },
  async tool(text) {
    const call = { name: "get_weather", parameters, parse: JSON.parse };
    const runner = client.chat.completions.runTools({
      model,
      user,
      messages: messages(text),
      tools: [{ type: "function", function: { ...call, function: ({ place }) => weather(place) } }],
    });
    return runner.finalContent();
  },
  async structured(text) {
    const response_format = zodResponseFormat(z.object({ number: z.number() }), "allotment");
    const sent = { model, user, messages: messages(text), response_format };
    return (await client.chat.completions.parse(sent)).choices[0].message.parsed.number;
  },
  async responses(text) {
    return (await client.responses.create({ model, user, input: text })).output_text;
  },
  async responses_streamed(text) {
    const sent = { model, safety_identifier: user, input: text, stream: true };
    let said = "";
    for await (const event of await client.responses.create(sent)) {
      if (event.type === "response.output_text.delta") said += event.delta;
    }
    return said;
  },
  async stranger(text) {
    const sent = { model, user: story.stranger, messages: messages(text) };
    return (await client.chat.completions.create(sent)).choices[0].message.content;
  },
});
