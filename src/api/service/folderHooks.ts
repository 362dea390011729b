import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../shared/json';
import { ApiError, type ErrorReason } from '../http/errors';
import type { Transport } from '../http/transport';
import { ifThere, record } from './calls';

/** What runs by itself at an event of a conversation. */
interface Hook {
  /** By the server’s name, such as `pre_tool_use`. */
  event: string;
  /** The tools that it’s for, by name or expression; empty for all. */
  tools: string;
  /** A command, or what a model is asked; as JSON if it’s neither. */
  text: string;
}

/** What the file `.openhands/hooks.json` of a folder has conversations run without asking. */
export interface FolderHooks {
  /** As the server reads the file, for a start. */
  config: JsonMembers;
  /** All that is in `config`; none if the file can’t be read. */
  hooks: readonly Hook[];
}

/** The hooks of a folder (docs/protocol/agent-server.md, “Skills, plugins, and tools”). */
export interface HookCalls {
  /** `POST /api/hooks`: undefined if the folder has none, or the server doesn’t know hooks. Throws ApiError. */
  readHooks(folder: string, signal?: AbortSignal): Promise<FolderHooks | undefined>;
}

const answerSchema = z.object({ hook_config: z.nullish(z.custom<JsonMembers>(isJsonObject)) });

const matcherSchema = z.strictObject({ matcher: z.optional(z.string()), hooks: z.array(z.unknown()) });

/** What a file may be to blame for. Seen in 1.58: any length, 500 for half a character, and no answer for a pipe. */
const ofFile = new Set<ErrorReason>(['badShape', 'tooLarge', 'timeout']);

/** The call for the hooks of folders on a standalone agent server’s computer. */
export const hookCalls = (transport: Transport): HookCalls => ({
  readHooks: async (folder, signal) => {
    const body = { project_dir: folder };
    const call = { method: 'POST', route: '/api/hooks', body, read: record(answerSchema) } as const;
    try {
      const config = (await ifThere(transport, call, signal))?.hook_config;
      const hooks = config ? hooksIn(config) : [];
      return config && hooks.length > 0 ? { config, hooks } : undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 500 && !ofFile.has(error.reason))) throw error;
      return { config: {}, hooks: [] };
    }
  },
});

/** Leaves nothing out: what people agree to is what is sent. */
function hooksIn(config: JsonMembers): Hook[] {
  return Object.entries(config).flatMap(([event, matchers]) => {
    const one = matchers === null ? [] : [matchers];
    const all: unknown[] = Array.isArray(matchers) ? matchers : one;
    return all.flatMap((one): Hook[] => {
      const { data } = matcherSchema.safeParse(one);
      if (!data) return [{ event, tools: '', text: JSON.stringify(one) }];
      const tools = data.matcher === '*' ? '' : (data.matcher ?? '');
      return data.hooks.map((hook) => ({ event, tools, text: textOf(hook) }));
    });
  });
}

/** Members that say what a command is called or how long it may take, but not what it does. */
const aside = new Set(['name', 'timeout', 'async', 'async_', 'max_iterations']);

function textOf(hook: unknown): string {
  const { command, type, ...others } = Object(hook) as JsonMembers;
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const isPlain = Object.entries(others).every(([name, value]) => aside.has(name) || isEmpty(value));
  const isCommand = type === undefined || type === 'command';
  return isCommand && isPlain && typeof command === 'string' ? command : JSON.stringify(hook);
}
