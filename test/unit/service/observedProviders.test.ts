import assert from 'node:assert/strict';
import { at, useService } from './support';

describe('reference service, observed: git provider tokens', () => {
  const running = useService({ profile: 'observed' });

  const add = (provider_tokens: unknown) =>
    running.caller.post('/api/add-git-providers', { provider_tokens });
  const shown = async () => {
    await running.caller.post('/api/settings', {});
    return at((await running.caller.get('/api/settings')).json, 'provider_tokens_set');
  };
  const stored = () => running.service.state.providerTokens;

  it('replaces the map, so omitted providers lose their tokens', async () => {
    const answer = await add({
      github: { token: 'gh-1' },
      gitlab: { token: 'gl-1', host: 'git.example.com' },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { message: 'Git providers stored' });
    assert.deepEqual(await shown(), { github: null, gitlab: 'git.example.com' });
    await add({ bitbucket: { token: 'bb-1' } });
    assert.deepEqual(stored(), { bitbucket: { token: 'bb-1', user_id: null, host: null } });
  });

  it('keeps the stored token when the sent token is empty, and overwrites the host', async () => {
    await add({ github: { token: 'gh-1', host: 'ghe.example.com', user_id: 'u1' } });
    await add({ github: { token: '', host: null } });
    assert.deepEqual(stored(), { github: { token: 'gh-1', user_id: 'u1', host: null } });
  });

  it('does not report an empty token as set', async () => {
    await add({ github: { token: '', host: 'ghe.example.com' } });
    assert.deepEqual(await shown(), {});
  });

  it('drops an entry with a user and no token', async () => {
    await add({ github: { token: '', user_id: 'u1', host: 'ghe.example.com' } });
    assert.deepEqual(stored(), {});
    assert.deepEqual(await shown(), {});
  });

  it('accepts six providers', async () => {
    const names = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops', 'enterprise_sso'];
    await add(Object.fromEntries(names.map((name) => [name, { token: `${name}-1` }])));
    assert.deepEqual(Object.keys(stored()), names);
  });

  it('returns the same refusal for an unreachable host', async () => {
    const refused = await add({ gitlab: { token: 'gl-1', host: 'git.example.invalid' } });
    assert.equal(refused.status, 401);
    assert.deepEqual(refused.json, { error: 'Invalid token. Please make sure it is a valid gitlab token.' });
  });

  it('refuses a bad token with 401 and stores nothing', async () => {
    await add({ gitlab: { token: 'gl-1' } });
    const refused = await add({ gitlab: { token: '' }, github: { token: 'bad-1' } });
    assert.equal(refused.status, 401);
    assert.deepEqual(refused.json, { error: 'Invalid token. Please make sure it is a valid github token.' });
    assert.deepEqual(Object.keys(stored()), ['gitlab']);
  });

  it('hides an earlier refusal behind a later good token, but not behind an empty token', async () => {
    assert.equal((await add({ github: { token: 'bad-1' }, gitlab: { token: 'gl-1' } })).status, 200);
    assert.equal(stored()['github']?.token, 'bad-1');
    assert.equal((await add({ github: { token: 'bad-2' }, gitlab: { token: '' } })).status, 401);
  });

  it('clears all tokens on request', async () => {
    await add({ github: { token: 'gh-1' } });
    assert.equal((await running.caller.post('/api/unset-provider-tokens')).status, 200);
    assert.deepEqual(stored(), {});
  });

  it('refuses unknown providers and wrong types with a 422', async () => {
    const expected = "'github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops' or 'enterprise_sso'";
    const cases: [tokens: unknown, loc: string[], type: string, msg: string, input: unknown, ctx?: object][] =
      [
        ['none', [], 'dict_type', 'Input should be a valid dictionary', 'none'],
        [
          { svn: { token: 'x' } },
          ['svn', '[key]'],
          'enum',
          `Input should be ${expected}`,
          'svn',
          { expected },
        ],
        [
          { github: 'gh-1' },
          ['github'],
          'model_attributes_type',
          'Input should be a valid dictionary or object to extract fields from',
          'gh-1',
        ],
        [{ github: { token: 7 } }, ['github', 'token'], 'string_type', 'Input should be a valid string', 7],
      ];
    for (const [tokens, loc, type, msg, input, ctx] of cases) {
      const refused = await add(tokens);
      assert.equal(refused.status, 422);
      assert.deepEqual(at(refused.json, 'detail'), [
        { type, loc: ['body', 'provider_tokens', ...loc], msg, input, ...(ctx && { ctx }) },
      ]);
    }
    const mcp = await running.caller.post('/api/add-git-providers', { mcp_config: { more: 1 } });
    assert.deepEqual(at(mcp.json, 'detail', 0, 'loc'), ['body', 'mcp_config', 'more']);
  });
});
