import assert from 'node:assert/strict';
import { ApiError, type ErrorFacts } from '../../../../src/api/http/errors';
import {
  differenceOf,
  refusalOf,
  type SettingsDifference,
} from '../../../../src/api/service/current/difference';
import type { SettingsBody } from '../../../../src/api/service/schemas/settings';

const route = '/api/v1/settings';
const difference = (body: Record<string, unknown>) => differenceOf(body, Object.keys(body), route);
const noServers = { sse_servers: [], stdio_servers: [], shttp_servers: [] };

describe('the difference that a save sends', () => {
  it('has each changed value at its place, and nothing that didn’t change', () => {
    const body = { llm_model: 'm', language: 'de', max_iterations: 7, llm_base_url: '' } as SettingsBody;
    const { body: diff } = differenceOf(body, ['llm_model', 'max_iterations', 'llm_base_url'], route);
    assert.deepEqual(diff, {
      agent_settings_diff: { llm: { model: 'm', base_url: null } },
      conversation_settings_diff: { max_iterations: 7 },
    });
  });

  it('names the secrets in it, and no other text', () => {
    const { body, secrets } = difference({
      llm_model: 'm',
      llm_api_key: 'key-1',
      search_api_key: 'key-2',
      mcp_config: {
        ...noServers,
        stdio_servers: [{ name: 'a', command: 'c', args: [], env: { T: 'key-3' } }],
      },
    });
    assert.deepEqual(secrets, ['key-1', 'key-2', 'key-3']);
    assert.equal(body['search_api_key'], 'key-2');
    assert.deepEqual(difference({ language: 'de' }).secrets, []);
  });

  it('clears a secret without naming one', () => {
    const { body, secrets } = difference({ search_api_key: '' });
    assert.deepEqual([body, secrets], [{ search_api_key: null }, []]);
  });

  it('is refused with every value that the service would accept and break on', () => {
    assert.throws(
      () =>
        difference({ llm_model: ' ', security_analyzer: 'invariant', sandbox_api_key: 'x', language: 'de' }),
      (error: ApiError) => {
        assert.deepEqual([error.reason, error.method, error.route], ['invalid', 'POST', route]);
        assert.deepEqual(
          error.issues?.map(({ loc }) => loc.join('.')),
          ['body.llm_model', 'body.security_analyzer', 'body.sandbox_api_key'],
        );
        return true;
      },
    );
  });

  it('is refused if a server has a mask in place of its secret, and names that server', () => {
    const server = { name: 'docs', command: 'c', args: [], env: { T: '<redacted>' } };
    assert.throws(
      () => difference({ mcp_config: { ...noServers, stdio_servers: [server] } }),
      ({ issues }: ApiError) => {
        assert.deepEqual(
          issues?.map(({ loc }) => loc),
          [['body', 'mcp_config']],
        );
        assert.match(issues[0]?.msg ?? '', /: docs\.$/);
        return true;
      },
    );
  });

  it('is refused, naming the place of a server that isn’t valid', () => {
    assert.throws(
      () => difference({ mcp_config: { ...noServers, shttp_servers: [{ url: 7 }] } }),
      ({ issues }: ApiError) => {
        assert.deepEqual(
          issues?.map(({ loc }) => loc),
          [['body', 'mcp_config', 'shttp_servers', '0', 'url']],
        );
        return true;
      },
    );
  });
});

describe('a refusal of the current generation', () => {
  const sent: SettingsDifference = {
    body: {},
    secrets: [],
    positions: new Map([['docs', ['shttp_servers', 2]]]),
    more: ['agent_settings.llm.temperature'],
  };
  const refusal = (loc: (string | number)[], facts: ErrorFacts = {}) =>
    refusalOf(
      new ApiError('invalid', 'POST', route, { ...facts, issues: [{ loc, msg: 'Wrong', type: 'x' }] }),
      sent,
    );
  const places: [loc: (string | number)[], shown: (string | number)[]][] = [
    [['body', 'agent_settings_diff', 'llm', 'model'], ['llm_model']],
    [['openhands', 'llm', 'model'], ['llm_model']],
    [['body', 'language'], ['language']],
    [['body', 'openhands', 'llm', 'temperature'], ['agent_settings.llm.temperature']],
    [
      ['body', 'mcp_config', 'docs', 'url'],
      ['mcp_config', 'shttp_servers', 2, 'url'],
    ],
    [
      ['agent_settings_diff', 'mcp_config', 'docs'],
      ['mcp_config', 'shttp_servers', 2],
    ],
    [
      ['body', 'mcp_config', 'other', 'url'],
      ['mcp_config', 'other', 'url'],
    ],
    [['body', 'docs'], ['docs']],
    [
      ['docs', 'url'],
      ['docs', 'url'],
    ],
    [
      ['x', 'body'],
      ['x', 'body'],
    ],
    [['body'], []],
  ];
  for (const [loc, shown] of places) {
    it(`shows ${loc.join('.')} as ${shown.join('.')}`, () => {
      assert.deepEqual(refusal(loc).issues, [{ loc: ['body', ...shown], msg: 'Wrong', type: 'x' }]);
    });
  }

  it('keeps everything else that the service said', () => {
    const facts = { status: 422, serverText: 'Wrong', outcomeUnknown: true };
    const { reason, method, route: at, status, serverText, outcomeUnknown } = refusal(['body'], facts);
    assert.deepEqual({ status, serverText, outcomeUnknown }, facts);
    assert.deepEqual([reason, method, at], ['invalid', 'POST', route]);
  });
});
