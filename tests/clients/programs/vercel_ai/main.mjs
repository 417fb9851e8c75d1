// The Vercel AI SDK: responses, or chat completions; the user is `providerOptions.openai.user`.
import { createOpenAI, openai } from "@ai-sdk/openai";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { run, story, weather } from "./steps.mjs";

const model = openai(story.model);
const providerOptions = { openai: { user: story.user } };
const asked = async (prompt) => (await generateText({ model, prompt, providerOptions })).text;
const joined = async (stream) => {
  let said = "";
  for await (const piece of stream) said += piece;
  return said;
};

await run({
  async told(text) {
    const messages = [{ role: "user", content: text }];
    const first = await generateText({ model, messages, providerOptions });
    messages.push(...first.response.messages, { role: "user", content: story.then });
    return (await generateText({ model, messages, providerOptions })).text;
  },
  asked,
  streamed: (prompt) => joined(streamText({ model, prompt, providerOptions }).textStream),
  async tool(prompt) {
    const get_weather = tool({
      description: "Get current weather for a place.",
      inputSchema: z.object({ place: z.string() }),
      execute: async ({ place }) => weather(place),
    });
    const asked = { model, prompt, providerOptions, stopWhen: stepCountIs(5) };
    return (await generateText({ ...asked, tools: { get_weather } })).text;
  },
  async structured(prompt) {
    const output = Output.object({ schema: z.object({ number: z.number() }) });
    return (await generateText({ model, prompt, providerOptions, output })).output.number;
  },
  async chat(prompt) {
    return (await generateText({ model: openai.chat(story.model), prompt, providerOptions })).text;
  },
  chat_streamed: (prompt) =>
    joined(streamText({ model: openai.chat(story.model), prompt, providerOptions }).textStream),
  async stranger(prompt) {
    const other = createOpenAI({ headers: { "x-recollect-user": story.stranger } });
    return (await generateText({ model: other(story.model), prompt })).text;
  },
});
