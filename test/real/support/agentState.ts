import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ownSecret } from '../../../src/api/service/schemas/agentServer';
import { real } from './suite';

export type Members = Record<string, unknown>;

/** What an agent server keeps, with secrets in clear, as only a test asks for them. */
export interface State {
  llm: Members;
  condenser: Members;
  servers: Record<string, Members>;
  conversation: Members;
  secrets: Record<string, { value: string; description: string | null }>;
  profiles: Record<string, Members>;
}

async function ask(method: string, route: string, body?: object): Promise<Response> {
  const { url, sessionKey } = real().service;
  const headers = {
    'X-Session-API-Key': sessionKey,
    'X-Expose-Secrets': 'plaintext',
    'Content-Type': 'application/json',
  };
  return fetch(`${url}${route}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function read<T>(route: string): Promise<T> {
  const answer = await ask('GET', route);
  assert.equal(answer.status, 200, route);
  return (await answer.json()) as T;
}

/** Reads all of it. */
export async function readState(): Promise<State> {
  const settings = await read<{ agent_settings: Members; conversation_settings: Members }>('/api/settings');
  const { agent_settings: agent, conversation_settings: conversation } = settings;
  const listed = await read<{ secrets: { name: string; description: string | null }[] }>(
    '/api/settings/secrets',
  );
  const secrets = listed.secrets
    .filter(({ name }) => name !== ownSecret)
    .map(async ({ name, description }) => {
      const value = await (await ask('GET', `/api/settings/secrets/${name}`)).text();
      return [name, { value, description }] as const;
    });
  const { profiles } = await read<{ profiles: { name: string }[] }>('/api/profiles');
  const configs = profiles.map(async ({ name }) => {
    const { config } = await read<{ config: Members }>(`/api/profiles/${name}`);
    return [name, config] as const;
  });
  return {
    llm: agent['llm'] as Members,
    condenser: agent['condenser'] as Members,
    servers: agent['mcp_config'] as State['servers'],
    conversation,
    secrets: Object.fromEntries(await Promise.all(secrets)),
    profiles: Object.fromEntries(await Promise.all(configs)),
  };
}

/** Puts back what these changes touch: other tests use the same server. */
export async function restore(first: State): Promise<void> {
  const now = await readState();
  const those = (place: 'llm' | 'condenser' | 'conversation') =>
    Object.fromEntries(
      Object.values(settings).flatMap(({ in: at, name }) =>
        at === place ? [[name, first[place][name] ?? null]] : [],
      ),
    );
  await patch({
    agent_settings_diff: {
      llm: { ...those('llm'), api_key: first.llm['api_key'] ?? null },
      condenser: those('condenser'),
      mcp_config: null,
    },
    conversation_settings_diff: those('conversation'),
  });
  if (Object.keys(first.servers).length > 0)
    await patch({ agent_settings_diff: { mcp_config: first.servers } });
  const isNew = (name: string, of: 'secrets' | 'profiles') => !(name in first[of]);
  for (const name of Object.keys(now.secrets).filter((name) => isNew(name, 'secrets')))
    await ask('DELETE', `/api/settings/secrets/${name}`);
  for (const name of Object.keys(now.profiles).filter((name) => isNew(name, 'profiles')))
    await ask('DELETE', `/api/profiles/${name}`);
}

/** Values that both sides set; few, so that they often change the same, sometimes to the same. */
export const settings = {
  llm_model: { in: 'llm', name: 'model', values: ['openai/a', 'openai/b', 'openai/c'] },
  max_iterations: { in: 'conversation', name: 'max_iterations', values: [20, 30, 40] },
  confirmation_mode: { in: 'conversation', name: 'confirmation_mode', values: [true, false, true] },
  num_retries: { in: 'llm', name: 'num_retries', values: [7, 8, 9] },
  temperature: { in: 'llm', name: 'temperature', values: [0, 0.3, null] },
  max_size: { in: 'condenser', name: 'max_size', values: [100, 120, 140] },
} as const;
export type Setting = keyof typeof settings;

const named = fc.constantFrom('one', 'two', 'three');
const to = fc.nat(2);

/** A change that a form or another client makes. */
export const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('setting' as const),
      of: fc.constantFrom(...(Object.keys(settings) as Setting[])),
      to,
    }),
  },
  fc.record({ what: fc.constantFrom('key' as const, 'noKey' as const, 'token' as const), to }),
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom('args' as const, 'variable' as const, 'switch' as const),
      of: named,
      to,
    }),
  },
  fc.record({ what: fc.constantFrom('add' as const, 'remove' as const), of: named, to }),
);
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Changes with different ones of these don’t touch each other. A key belongs to a model. */
export function subjectOf(one: Change): string {
  if (one.what === 'token') return 'web';
  if (!('of' in one) || one.of === 'llm_model') return 'model';
  return one.of;
}

/** What another client stores of the settings. */
export async function patch(diff: Members): Promise<void> {
  const answer = await ask('PATCH', '/api/settings', diff);
  assert.equal(answer.status, 200, await answer.text());
}

/** Sends what another client changes, and makes the same change to `state`. */
export async function make(state: State, one: Change, text: string): Promise<void> {
  const diff = diffOf(state, one, text);
  if (diff) await patch(diff);
}

function diffOf(state: State, one: Change, text: string): Members | undefined {
  const server = (name: string, members: Members | null) => ({
    agent_settings_diff: { mcp_config: { [name]: members } },
  });
  const key = (api_key: string | null) => {
    state.llm['api_key'] = api_key;
    return { agent_settings_diff: { llm: { api_key } } };
  };
  switch (one.what) {
    case 'setting': {
      const { in: place, name, values } = settings[one.of];
      const members = { [name]: values[one.to] };
      Object.assign(state[place], members);
      return place === 'conversation'
        ? { conversation_settings_diff: members }
        : { agent_settings_diff: { [place]: members } };
    }
    case 'key':
      return key(text);
    case 'noKey':
      return key(null);
    case 'token': {
      const auth = { strategy: 'bearer', value: text };
      const { web = {} } = state.servers;
      delete web['headers'];
      web['auth'] = auth;
      return server('web', { headers: null, auth });
    }
    case 'add':
      if (state.servers[one.of]) return undefined;
      state.servers[one.of] = { command: 'added', args: [], env: { T: text }, enabled: true };
      return server(one.of, { command: 'added', args: [], env: { T: text } });
    case 'remove':
      if (!state.servers[one.of]) return undefined;
      Reflect.deleteProperty(state.servers, one.of);
      return server(one.of, null);
    case 'args':
    case 'switch':
    case 'variable': {
      const held = state.servers[one.of];
      if (!held) return undefined;
      const members =
        one.what === 'args'
          ? { args: [`arg${one.to}`] }
          : one.what === 'switch'
            ? { enabled: one.to === 1 }
            : { env: { T: text } };
      Object.assign(held, members);
      return server(one.of, members);
    }
  }
}

/** A change of a secret or a model profile. */
export const keeping = fc.record({
  what: fc.constantFrom('secret', 'noSecret', 'profile', 'noProfile', 'model', 'profileKey', 'rename'),
  of: fc.nat(2).map((number) => `S${number}`),
  to,
});
export type Keeping = typeof keeping extends fc.Arbitrary<infer T> ? T : never;

/** Sends such a change of another client. */
export async function keep(state: State, { what, of, to: number }: Keeping, text: string): Promise<void> {
  const llm = { model: `openai/${number}`, api_key: text, num_retries: number };
  const held = state.profiles[of];
  const profile = (config: Members) =>
    ask('POST', `/api/profiles/${of}`, { llm: config, include_secrets: true });
  const sent = {
    secret: () => ask('PUT', '/api/settings/secrets', { name: of, value: text, description: text }),
    noSecret: () => ask('DELETE', `/api/settings/secrets/${of}`),
    profile: () => profile(llm),
    noProfile: () => ask('DELETE', `/api/profiles/${of}`),
    model: () => held && profile({ ...held, model: llm.model }),
    profileKey: () => held && profile({ ...held, api_key: text }),
    rename: () => held && ask('POST', `/api/profiles/${of}/rename`, { new_name: `S${number}` }),
  }[what];
  await sent();
}
