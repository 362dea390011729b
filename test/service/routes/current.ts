import { customSecretRoutes } from '../current/customSecrets';
import { profileRoutes } from '../current/profiles';
import { agentSchema, conversationSchema } from '../current/described';
import { currentTokens } from '../current/providers';
import { currentSettings, currentUser } from '../current/record';
import { repositoryRoutes } from '../current/repositories';
import { saveCurrent } from '../current/saving';
import { objectBody, ok, type Route } from '../http';
import { readProviderTokens, tokenRefusal } from '../providerTokens';
import type { Context } from './context';

const models = [
  { provider: 'anthropic', name: 'claude-sonnet-4-5', verified: true },
  { provider: 'openai', name: 'gpt-5', verified: true },
];

/** Routes that the current generation has in place of the settings and provider routes of the first. */
export function currentRoutes({ profile, state, behaviour, clock }: Context): Route[] {
  const pause = () =>
    behaviour.delays.save > 0 ? clock.wait(behaviour.delays.save) : new Promise((turn) => setImmediate(turn));
  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  const providers = '/api/v1/secrets/git-providers';
  return [
    ...profileRoutes(state),
    ...customSecretRoutes(state, () => behaviour.release),
    ...repositoryRoutes(state),
    get('/api/v1/settings', () => currentSettings(state, behaviour.release)),
    {
      method: 'POST',
      path: '/api/v1/settings',
      handle: (call) => saveCurrent(state, objectBody(call), behaviour.release, pause),
    },
    get('/api/v1/settings/agent-schema', () => ok(agentSchema)),
    get('/api/v1/settings/conversation-schema', () => ok(conversationSchema)),
    get('/api/v1/users/me', () => currentUser(state)),
    get('/api/v1/config/models/search', () => ok({ items: models, next_page_id: null })),
    {
      method: 'POST',
      path: providers,
      handle(call) {
        const { provider_tokens } = objectBody(call);
        const given = readProviderTokens(provider_tokens, profile.settingsRules(), profile.providers);
        const refusal = tokenRefusal(given);
        if (refusal !== undefined) return { status: 401, body: { detail: refusal } };
        state.providerTokens = currentTokens(state.providerTokens, given);
        return ok({ message: 'Git providers stored' });
      },
    },
    {
      method: 'DELETE',
      path: providers,
      handle() {
        state.providerTokens = {};
        return ok({ message: 'Unset Git provider tokens' });
      },
    },
  ];
}
