import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
  readProviders,
  type ProvidersOutcome,
} from '../../../src/features/settings/model/providers';
import type { ProviderToken } from '../../service/records';
import { fakeService, type FakeService, type Fault } from './fakeService';
import { edits, keyMayGo } from './support';

const token = (value: string, host: string | null = null): ProviderToken => ({
  token: value,
  user_id: null,
  host,
});

function service(
  profile: 'observed' | 'documented' = 'observed',
  tokens?: Record<string, ProviderToken>,
): FakeService {
  const fake = fakeService(profile, { language: 'de', agent: 'Agent' });
  fake.state.providerTokens = tokens ?? {
    github: token('github-token'),
    gitlab: token('gitlab-token', 'gitlab.example.com'),
  };
  return fake;
}

function done(outcome: ProvidersOutcome) {
  assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
  return outcome;
}

function failed(outcome: ProvidersOutcome) {
  assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
  return outcome;
}

describe('git provider tokens: POST /api/add-git-providers replaces the provider map', () => {
  for (const profile of ['observed', 'documented'] as const) {
    describe(profile, () => {
      it('keeps the tokens and hosts of all others when one is connected', async () => {
        const fake = service(profile);
        const outcome = await connectProvider(fake.access, {
          name: 'bitbucket',
          token: 'bb-token',
          host: null,
        });
        assert.deepEqual(fake.state.providerTokens, {
          github: token('github-token'),
          gitlab: token('gitlab-token', 'gitlab.example.com'),
          bitbucket: token('bb-token'),
        });
        assert.deepEqual(done(outcome).notes, []);
        assert.deepEqual(
          done(outcome)
            .providers.map(({ name }) => name)
            .sort(),
          ['bitbucket', 'github', 'gitlab'],
        );
        assert.deepEqual(fake.providerPosts[0]?.provider_tokens['github'], { token: '', host: null });
        assert.deepEqual(fake.providerPosts[0].provider_tokens['gitlab'], {
          token: '',
          host: 'gitlab.example.com',
        });
      });

      it('keeps the others when one is replaced', async () => {
        const fake = service(profile);
        await connectProvider(fake.access, { name: 'github', token: 'next-token', host: null });
        assert.deepEqual(fake.state.providerTokens, {
          github: token('next-token'),
          gitlab: token('gitlab-token', 'gitlab.example.com'),
        });
      });

      it('changes only the host when the token is empty', async () => {
        const fake = service(profile);
        await connectProvider(fake.access, { name: 'gitlab', token: '', host: 'git.example.org' });
        assert.deepEqual(fake.state.providerTokens['gitlab'], token('gitlab-token', 'git.example.org'));
        await connectProvider(fake.access, { name: 'gitlab', token: '', host: '' });
        assert.deepEqual(fake.state.providerTokens['gitlab'], token('gitlab-token'));
      });

      it('keeps the others when one is disconnected', async () => {
        const fake = service(profile);
        done(await disconnectProvider(fake.access, 'github'));
        assert.deepEqual(fake.state.providerTokens, { gitlab: token('gitlab-token', 'gitlab.example.com') });
      });

      it('leaves none when the last one is disconnected', async () => {
        const fake = service(profile, { github: token('github-token') });
        assert.deepEqual(done(await disconnectProvider(fake.access, 'github')).providers, []);
        assert.deepEqual(fake.state.providerTokens, {});
      });

      it('disconnects all, with or without an endpoint for that', async () => {
        const fake = service(profile);
        assert.deepEqual(done(await disconnectAll(fake.access)).providers, []);
        assert.deepEqual(fake.state.providerTokens, {});
        assert.equal(fake.providerPosts.length, profile === 'observed' ? 0 : 1);
      });

      it('leaves the settings unchanged', async () => {
        const fake = service(profile);
        const before = structuredClone(fake.state.settings);
        await connectProvider(fake.access, { name: 'bitbucket', token: 'bb-token', host: null });
        await disconnectProvider(fake.access, 'bitbucket');
        assert.deepEqual(fake.state.settings, before);
        assert.equal(fake.counts.postSettings, 0);
      });

      it('shows the service’s message for a refused token, and changes nothing', async () => {
        const fake = service(profile);
        const outcome = failed(
          await connectProvider(fake.access, { name: 'github', token: 'bad-token', host: null }),
        );
        assert.equal(outcome.applied, 'no');
        assert.equal(outcome.error.status, profile === 'observed' ? 401 : 400);
        assert.match(outcome.error.serverText ?? '', /valid github token/);
        assert.deepEqual(fake.state.providerTokens['github'], token('github-token'));
      });
    });
  }

  it('keeps a provider another client connected after the form was opened', async () => {
    const fake = service();
    await SettingsDocument.load(fake.client, fake.safeguards);
    fake.state.providerTokens['bitbucket'] = token('their-token');
    await connectProvider(fake.access, { name: 'github', token: 'next-token', host: null });
    assert.deepEqual(fake.state.providerTokens['bitbucket'], token('their-token'));
  });

  it('queues changes after each other and after saves to the same service', async () => {
    const fake = service();
    const document = await SettingsDocument.load(fake.client, fake.safeguards);
    const seen: string[] = [];
    fake.arrives = (request) => void seen.push(request);
    await Promise.all([
      connectProvider(fake.access, { name: 'bitbucket', token: 'bb-token', host: null }),
      document.save(edits({ values: { language: 'it' } }), keyMayGo),
      disconnectProvider(fake.access, 'github'),
    ]);
    assert.deepEqual(seen, [
      ...['getSettings', 'addGitProviders', 'getSettings'],
      ...['getSettings', 'postSettings', 'getSettings'],
      ...['getSettings', 'addGitProviders', 'getSettings'],
    ]);
    assert.deepEqual(Object.keys(fake.state.providerTokens).sort(), ['bitbucket', 'gitlab']);
    assert.equal(fake.state.settings?.language, 'it');
  });

  describe('service that doesn’t list its tokens', () => {
    const github = { name: 'github', token: 'github-token', host: null };
    const cases: [name: string, make: () => FakeService][] = [
      ['because the user never saved', () => fakeService('observed', null)],
      ['because the member is absent', () => silent(({ provider_tokens_set: _unsaid, ...rest }) => rest)],
      ['because the member is null', () => silent((body) => ({ ...body, provider_tokens_set: null }))],
    ];
    for (const [name, make] of cases) {
      it(`sends nothing before the user agrees (${name})`, async () => {
        const fake = make();
        fake.state.providerTokens = { gitlab: token('gitlab-token') };
        const settings = structuredClone(fake.state.settings);
        assert.deepEqual(await connectProvider(fake.access, github), {
          kind: 'needsConfirmation',
          about: 'otherTokens',
          kept: [{ name: 'github', host: null }],
        });
        assert.equal((await disconnectProvider(fake.access, 'github')).kind, 'needsConfirmation');
        assert.deepEqual([fake.posts, fake.providerPosts], [[], []]);
        const agreed = done(await connectProvider({ ...fake.access, othersMayGo: true }, github));
        assert.deepEqual(agreed, { kind: 'done', providers: [{ name: 'github', host: null }], notes: [] });
        assert.deepEqual(fake.state.providerTokens, { github: token('github-token') });
        assert.deepEqual(fake.state.settings, settings);
      });

      it(`keeps the tokens known to this window (${name})`, async () => {
        const fake = make();
        fake.state.providerTokens = { gitlab: token('gitlab-token', 'git.example.com') };
        const known = [{ name: 'gitlab', host: 'git.example.com' }];
        done(await connectProvider({ ...fake.access, known, othersMayGo: true }, github));
        assert.deepEqual(fake.state.providerTokens, {
          gitlab: token('gitlab-token', 'git.example.com'),
          github: token('github-token'),
        });
      });

      it(`disconnects all without asking again (${name})`, async () => {
        const fake = make();
        fake.state.providerTokens = { gitlab: token('gitlab-token') };
        assert.equal((await disconnectAll(fake.access)).kind, 'done');
        assert.deepEqual(fake.state.providerTokens, {});
      });
    }

    it('leaves nothing behind if a new user’s first token is refused', async () => {
      const fake = fakeService('observed', null);
      const bad = { name: 'github', token: 'bad-token', host: null };
      assert.equal(
        failed(await connectProvider({ ...fake.access, othersMayGo: true }, bad)).error.status,
        401,
      );
      assert.equal(fake.state.settings, null);
      assert.deepEqual(fake.state.providerTokens, {});
    });

    it('shows no providers and marks them as unknown', async () => {
      const { model } = await SettingsDocument.load(
        fakeService('observed', null).client,
        fakeService('observed').safeguards,
      );
      assert.deepEqual([model.providers, model.providersTold], [[], false]);
    });

    function silent(change: (body: Record<string, unknown>) => Record<string, unknown>): FakeService {
      const fake = service();
      fake.rewrite = (answer) =>
        typeof answer.body === 'object' && answer.body !== null && 'provider_tokens_set' in answer.body
          ? { ...answer, body: change({ ...answer.body }) }
          : answer;
      return fake;
    }
  });

  for (const [status, posts] of [
    [404, 1],
    [405, 1],
    [403, 0],
  ] as const)
    it(`${posts ? 'disconnects all in another way' : 'sends nothing more'} after a ${status}`, async () => {
      const fake = service();
      const unsetProviderTokens = () =>
        Promise.reject(new ApiError('notFound', 'POST', '/api/unset-provider-tokens', { status }));
      const access = { ...fake.access, client: { ...fake.client, unsetProviderTokens } };
      assert.equal((await disconnectAll(access)).kind, posts ? 'done' : 'failed');
      assert.deepEqual(fake.providerPosts, posts ? [{ provider_tokens: {} }] : []);
    });

  it('sends nothing if another window has taken over or holds the lock', async () => {
    const fake = service();
    fake.safeguards.isHeld = () => false;
    const change = { name: 'bitbucket', token: 'bb-token', host: null };
    assert.equal(failed(await connectProvider(fake.access, change)).error.reason, 'busy');
    fake.safeguards.turn = () => undefined;
    assert.equal(failed(await connectProvider(fake.access, change)).error.reason, 'busy');
    assert.deepEqual(fake.providerPosts, []);
  });

  const outcomes: [Fault, 'yes' | 'no'][] = [
    ['notSent', 'no'],
    ['lost', 'no'],
    ['doneThenLost', 'yes'],
    ['crash', 'no'],
    ['doneThenCrash', 'yes'],
  ];
  for (const [fault, applied] of outcomes) {
    it(`checks the outcome of a failed change (${fault}): applied ${applied}`, async () => {
      const fake = service();
      fake.fault = (request) => (request === 'addGitProviders' ? fault : undefined);
      const outcome = failed(
        await connectProvider(fake.access, { name: 'bitbucket', token: 'bb-token', host: null }),
      );
      assert.equal(outcome.applied, applied);
      assert.equal('bitbucket' in fake.state.providerTokens, applied === 'yes');
      assert.equal(fake.counts.addGitProviders, fault === 'notSent' ? 0 : 1);
    });
  }

  for (const [fault, applied] of [
    ['lost', 'no'],
    ['doneThenLost', 'yes'],
  ] as const)
    it(`checks whether a host was stored (${fault}): applied ${applied}`, async () => {
      const fake = service();
      fake.fault = (request) => (request === 'addGitProviders' ? fault : undefined);
      const change = { name: 'github', token: '', host: 'new.example.com' };
      assert.equal(failed(await connectProvider(fake.access, change)).applied, applied);
    });

  it('leaves the outcome unknown if the service doesn’t list its tokens before or after', async () => {
    for (const told of ['before', 'after', 'never']) {
      const fake = service();
      fake.rewrite = (answer) => {
        const { provider_tokens_set: _unsaid, ...body } = (answer.body ?? {}) as Record<string, unknown>;
        const now = fake.counts.addGitProviders === 0 ? 'before' : 'after';
        return answer.status === 200 && told !== now ? { ...answer, body } : answer;
      };
      fake.fault = (request) => (request === 'addGitProviders' ? 'doneThenLost' : undefined);
      const access = { ...fake.access, othersMayGo: true };
      const change = { name: 'bitbucket', token: 'bb-token', host: null };
      assert.equal(failed(await connectProvider(access, change)).applied, 'unknown', told);
    }
  });

  it('leaves the outcome unknown for a replaced token', async () => {
    const fake = service();
    fake.fault = (request) => (request === 'addGitProviders' ? 'doneThenLost' : undefined);
    const outcome = failed(
      await connectProvider(fake.access, { name: 'github', token: 'next-token', host: null }),
    );
    assert.equal(outcome.applied, 'unknown');
  });

  it('leaves the outcome unknown if reading back fails', async () => {
    const fake = service();
    fake.fault = (request) =>
      request === 'getSettings' && fake.counts.getSettings === 1 ? 'lost' : undefined;
    const outcome = failed(
      await connectProvider(fake.access, { name: 'github', token: 'next-token', host: null }),
    );
    assert.equal(outcome.applied, 'unknown');
  });

  it('reports a provider the service lost, kept, or gave another host', async () => {
    const fake = service();
    fake.carriedOut = (request) => {
      if (request === 'addGitProviders')
        fake.state.providerTokens = {
          github: token('github-token', 'elsewhere'),
          gitlab: token('gitlab-token'),
        };
    };
    const { notes } = done(await disconnectProvider(fake.access, 'gitlab'));
    assert.deepEqual(notes, [
      'The service still has a token for gitlab.',
      'The service has a different host for github than was sent.',
    ]);
    fake.carriedOut = () => {
      fake.state.providerTokens = {};
    };
    const { notes: lost } = done(
      await connectProvider(fake.access, { name: 'bitbucket', token: 'x', host: null }),
    );
    assert.deepEqual(lost.at(-1), 'The service has no token for bitbucket now.');
  });

  it('reports nothing if all are gone as meant', async () => {
    assert.deepEqual(done(await disconnectAll(service().access)), { kind: 'done', providers: [], notes: [] });
    const { access } = fakeService('observed', null);
    assert.deepEqual(done(await disconnectAll(access)), { kind: 'done', providers: [], notes: [] });
  });

  it('tells why reading back failed, or before that why the change did', async () => {
    for (const [change, reason] of [
      [undefined, 'serverError'],
      ['doneThenLost', 'reset'],
    ] as const) {
      const fake = service();
      fake.fault = (request) => {
        if (request === 'addGitProviders') return change;
        return fake.counts.getSettings === 1 ? 'crash' : undefined;
      };
      const outcome = failed(await disconnectProvider(fake.access, 'github'));
      assert.deepEqual([outcome.error.reason, outcome.applied], [reason, 'unknown']);
    }
  });

  for (const [fault, applied] of [
    ['lost', 'no'],
    ['doneThenLost', 'yes'],
  ] as const)
    it(`checks whether a provider was disconnected (${fault}): applied ${applied}`, async () => {
      const fake = service();
      fake.fault = (request) => (request === 'addGitProviders' ? fault : undefined);
      assert.equal(failed(await disconnectProvider(fake.access, 'github')).applied, applied);
    });

  it('takes no provider that somebody else connected for its own', async () => {
    const fake = service('observed', { github: token('github-token') });
    fake.fault = (request) => {
      if (request !== 'addGitProviders') return undefined;
      fake.state.providerTokens['azure'] = token('their-token');
      return 'lost';
    };
    const change = { name: 'bitbucket', token: 'bb-token', host: null };
    assert.equal(failed(await connectProvider(fake.access, change)).applied, 'no');
  });

  it('reports each provider by its own name', async () => {
    const fake = service();
    fake.carriedOut = (request) => {
      if (request === 'addGitProviders')
        fake.state.providerTokens = {
          gitlab: token('gitlab-token', 'gitlab.example.com'),
          azure: token('x'),
        };
    };
    const change = { name: 'bitbucket', token: 'bb-token', host: null };
    const { notes, providers } = done(await connectProvider(fake.access, change));
    assert.deepEqual(
      ['github', 'bitbucket', 'azure', 'gitlab'].map(
        (name) => notes.filter((note) => note.includes(name)).length,
      ),
      [1, 1, 1, 0],
    );
    assert.deepEqual(providers.map(({ name }) => name).toSorted(), ['azure', 'gitlab']);
  });
});

describe('git provider tokens as the service lists them', () => {
  it('are those with a host or none, and unknown without a list', () => {
    const tokens = { github: null, gitlab: 'git.example.com', bitbucket: true, azure: false };
    assert.deepEqual(readProviders({ provider_tokens_set: tokens }), [
      { name: 'github', host: null },
      { name: 'gitlab', host: 'git.example.com' },
      { name: 'bitbucket', host: null },
    ]);
    for (const record of [{}, { provider_tokens_set: null }, { provider_tokens_set: [] }])
      assert.equal(readProviders(record), undefined);
  });
});
