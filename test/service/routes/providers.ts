import { Invalid, objectBody, ok, type Issue, type Route } from '../http';
import { readMcpConfig } from '../mcpConfig';
import { readProviderTokens, replaceTokens, tokenRefusal } from '../providerTokens';
import type { Context } from './context';

/** Git provider tokens. */
export function providerRoutes({ profile, state }: Context): Route[] {
  const add: Route = {
    method: 'POST',
    path: '/api/add-git-providers',
    handle(call) {
      const body = objectBody(call);
      const given = readProviderTokens(body['provider_tokens'], profile.settingsRules(), profile.providers);
      checkMcp(body['mcp_config']);
      const refusal = tokenRefusal(given);
      if (refusal !== undefined) return profile.tokenRefused(refusal);
      state.providerTokens = replaceTokens(state.providerTokens, given);
      return ok(profile.done.providers);
    },
  };
  const unset: Route = {
    method: 'POST',
    path: '/api/unset-provider-tokens',
    handle() {
      state.providerTokens = {};
      return ok({ message: 'Unset Git provider tokens' });
    },
  };
  return profile.beyondSpecification ? [add, unset] : [add];

  /** The body may contain MCP servers, which are checked and then ignored. */
  function checkMcp(value: unknown): void {
    const rules = profile.settingsRules();
    if (value === undefined || (value === null && rules.nullableMcp)) return;
    const issues: Issue[] = [];
    readMcpConfig(value, ['body', 'mcp_config'], rules.mcp, issues);
    if (issues.length > 0) throw new Invalid(issues);
  }
}
