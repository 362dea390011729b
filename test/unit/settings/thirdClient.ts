import fc from 'fast-check';
import { defaultBehaviour } from '../../service/behaviour';
import { makeSettings } from '../../service/records';
import type { FakeService } from './fakeService';
import { configOf } from './truth';

export const languages = ['de', 'fr', 'it', null] as const;
export const urls = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example.com/mcp`);
export const providerNames = ['github', 'gitlab', 'bitbucket'] as const;

/** A change by another client between two requests of the editors. */
export const thirdAction = fc.oneof(
  fc.record({ act: fc.constant('language' as const), value: fc.constantFrom(...languages) }),
  fc.record({ act: fc.constant('agent' as const), value: fc.constantFrom('x', 'y', null) }),
  fc.record({ act: fc.constant('unknown' as const), value: fc.integer({ min: 20, max: 99 }) }),
  fc.record({
    act: fc.constant('secret' as const),
    field: fc.constantFrom('llm_api_key', 'search_api_key'),
    set: fc.boolean(),
  }),
  fc.record({ act: fc.constant('sandboxKey' as const) }),
  fc.record({ act: fc.constant('addServer' as const), url: fc.constantFrom(...urls) }),
  fc.record({ act: fc.constant('addTool' as const), name: fc.constantFrom('tool', 'fetch') }),
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('changeServer' as const),
      pick: fc.nat(9),
      what: fc.constantFrom('key', 'timeout', 'rename', 'env'),
    }),
  },
  fc.record({ act: fc.constant('deleteServer' as const), pick: fc.nat(9) }),
  fc.record({ act: fc.constant('reverse' as const) }),
  fc.record({
    act: fc.constant('provider' as const),
    name: fc.constantFrom(...providerNames),
    set: fc.boolean(),
  }),
);
export type ThirdAction = typeof thirdAction extends fc.Arbitrary<infer A> ? A : never;

/** Gives each secret its own searchable value. */
export class Canaries {
  private count = 0;
  next(): string {
    return `SECRET-${++this.count}`;
  }
}

/**
 * Makes another client's change; the client posts everything and so loses nothing.
 * @param renamed receives a server's new label and the old one
 */
export function actAsThird(
  { state, profile, behaviour }: FakeService,
  action: ThirdAction,
  canaries: Canaries,
  renamed: (label: string, previous: string) => void,
): void {
  if (action.act === 'provider') {
    if (action.set) state.providerTokens[action.name] = { token: canaries.next(), user_id: null, host: null };
    else
      state.providerTokens = Object.fromEntries(
        Object.entries(state.providerTokens).filter(([name]) => name !== action.name),
      );
    return;
  }
  state.settings ??= makeSettings(profile === 'observed' ? defaultBehaviour().extraSettings : {});
  const { settings } = state;
  // Where secrets don't show, nobody can see that another client has changed one.
  const hides = profile === 'current' && behaviour.release !== '1.7';
  const config = () => configOf(settings);
  switch (action.act) {
    case 'language':
      settings.language = action.value;
      return;
    case 'agent':
      settings.agent = action.value;
      return;
    case 'unknown':
      if (profile === 'observed') settings['condenser_max_size'] = action.value;
      return;
    case 'secret':
      settings[action.field] = action.set ? canaries.next() : null;
      return;
    case 'sandboxKey':
      settings.sandbox_api_key = canaries.next();
      return;
    case 'addServer':
      if (!config().shttp_servers.some(({ url }) => url === action.url))
        config().shttp_servers.push(
          profile === 'observed'
            ? { url: action.url, api_key: canaries.next(), timeout: 60 }
            : { url: action.url, api_key: hides ? null : canaries.next() },
        );
      return;
    case 'addTool':
      if (!config().stdio_servers.some(({ name }) => name === action.name))
        config().stdio_servers.push({
          name: action.name,
          command: 'run',
          args: ['x'],
          env: hides ? {} : { TOKEN: canaries.next() },
        });
      return;
    case 'changeServer':
      changeServer();
      return;
    case 'deleteServer': {
      const lists = [config().sse_servers, config().shttp_servers, config().stdio_servers].filter(
        (list) => list.length > 0,
      );
      const list = lists[action.pick % Math.max(1, lists.length)];
      list?.splice(action.pick % list.length, 1);
      return;
    }
    case 'reverse':
      config().shttp_servers.reverse();
      config().stdio_servers.reverse();
      return;
  }

  function changeServer() {
    if (action.act !== 'changeServer') return;
    const { what, pick } = action;
    if (hides && (what === 'env' || what === 'key')) return;
    if (what === 'env') {
      const tool = config().stdio_servers[pick % Math.max(1, config().stdio_servers.length)];
      if (tool) tool.env = { ...tool.env, TOKEN: canaries.next() };
      return;
    }
    const all = [...config().sse_servers, ...config().shttp_servers];
    const server = all[pick % Math.max(1, all.length)];
    if (server === undefined) return;
    if (what === 'key') server.api_key = canaries.next();
    else if (what === 'timeout') {
      if (profile === 'observed' && config().shttp_servers.includes(server)) server.timeout = 10 + pick;
    } else {
      const previous = server.url;
      server.url = `${new URL(previous).origin}/renamed-${canaries.next().toLowerCase()}`;
      renamed(server.url, previous);
    }
  }
}
