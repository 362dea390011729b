import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { answer, listen } from './http';

/** What the model does in one step of an agent: calls a tool once `until` resolves, saying why, or refuses the key. */
export type Step =
  { tool: string; args: Record<string, unknown>; until?: Promise<unknown>; says?: string } | 'refuses';

const refusal = { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } };

const requestSchema = z.object({
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.nullish(
    z.array(
      z.object({
        function: z.object({
          name: z.string(),
          parameters: z.nullish(z.object({ properties: z.nullish(z.record(z.string(), z.unknown())) })),
        }),
      }),
    ),
  ),
  stream: z.nullish(z.boolean()),
});

interface Completion {
  choices: {
    index: number;
    finish_reason: string;
    message: { content: string | null; tool_calls?: object[] };
  }[];
}

/** A completion, streamed: what it says word by word, then the rest. */
function streamed({ choices, ...rest }: Completion): string {
  const chunk = (deltas: object[]) =>
    `data: ${JSON.stringify({ ...rest, object: 'chat.completion.chunk', choices: deltas })}\n\n`;
  const words = choices.flatMap(({ index, message }) =>
    (message.content ?? '')
      .split(/(?<= )/)
      .map((content) => chunk([{ index, finish_reason: null, delta: { role: 'assistant', content } }])),
  );
  const ends = choices.map(({ message, ...choice }) => {
    const tool_calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    return { ...choice, delta: { role: 'assistant', ...(tool_calls && { tool_calls }) } };
  });
  return `${words.join('')}${chunk(ends)}data: [DONE]\n\n`;
}

/** A language model with OpenAI’s API that follows a script, then calls `finish`. */
export class ScriptedModel {
  /** The messages in each step’s request, as JSON. */
  readonly asked: string[] = [];
  /** Its title for conversations. */
  title = 'A title by the model';
  #steps: Step[] = [];
  #calls = 0;

  private constructor(private readonly server = createServer()) {}

  static async start(): Promise<{ model: ScriptedModel; url: string }> {
    const model = new ScriptedModel();
    model.server.on('request', (request, response) => {
      void text(request).then(async (body) => {
        const { stream } = requestSchema.parse(JSON.parse(body));
        const completion = await model.#complete(body);
        if (completion === 'refuses') answer(response, 401, refusal);
        else if (stream)
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(completion));
        else answer(response, 200, completion);
      });
    });
    return { model, url: `http://127.0.0.1:${await listen(model.server)}/v1` };
  }

  /** Sets the steps, starting with the next request. */
  script(...steps: Step[]): void {
    this.#steps = steps;
    this.asked.length = 0;
  }

  async #complete(body: string): Promise<Completion | 'refuses'> {
    const request = requestSchema.parse(JSON.parse(body));
    // A request without tools asks for a title or a summary.
    if (!request.tools?.length) return this.#completion({ content: this.title }, 'stop');
    this.asked.push(JSON.stringify(request.messages));
    const step = this.#steps.shift() ?? { tool: 'finish', args: { message: 'Done.' } };
    if (step === 'refuses') return step;
    const { tool, args, until, says = null } = step;
    await until;
    this.#calls += 1;
    const called = request.tools.find((one) => one.function.name === tool)?.function;
    // Some releases refuse a call without it.
    const risk =
      called?.parameters?.properties?.['security_risk'] === undefined ? {} : { security_risk: 'LOW' };
    const call = { name: tool, arguments: JSON.stringify({ ...risk, ...args }) };
    const tool_calls = [{ id: `call_${this.#calls}`, type: 'function', function: call }];
    return this.#completion({ content: says, tool_calls }, 'tool_calls');
  }

  #completion(message: Completion['choices'][number]['message'], finish_reason: string) {
    return {
      id: 'completion',
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    };
  }
}
