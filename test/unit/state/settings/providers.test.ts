import assert from 'node:assert/strict';
import { SettingsDocument } from '../../../../src/state/settings/document';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
  type ProvidersOutcome,
} from '../../../../src/state/settings/providers';
import type { ProviderToken } from '../../../service/records';
import { fakeService, type FakeService, type Fault } from './fakeService';
import { edits } from './support';

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
      it('connecting one keeps the tokens and hosts of all others', async () => {
        const fake = service(profile);
        const outcome = await connectProvider(fake.client, {
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

      it('replacing one keeps the others', async () => {
        const fake = service(profile);
        await connectProvider(fake.client, { name: 'github', token: 'next-token', host: null });
        assert.deepEqual(fake.state.providerTokens, {
          github: token('next-token'),
          gitlab: token('gitlab-token', 'gitlab.example.com'),
        });
      });

      it('an empty token keeps the stored one and changes the host only', async () => {
        const fake = service(profile);
        await connectProvider(fake.client, { name: 'gitlab', token: '', host: 'git.example.org' });
        assert.deepEqual(fake.state.providerTokens['gitlab'], token('gitlab-token', 'git.example.org'));
        await connectProvider(fake.client, { name: 'gitlab', token: '', host: '' });
        assert.deepEqual(fake.state.providerTokens['gitlab'], token('gitlab-token'));
      });

      it('disconnecting one keeps the others', async () => {
        const fake = service(profile);
        done(await disconnectProvider(fake.client, 'github'));
        assert.deepEqual(fake.state.providerTokens, { gitlab: token('gitlab-token', 'gitlab.example.com') });
      });

      it('disconnecting the last one leaves none', async () => {
        const fake = service(profile, { github: token('github-token') });
        assert.deepEqual(done(await disconnectProvider(fake.client, 'github')).providers, []);
        assert.deepEqual(fake.state.providerTokens, {});
      });

      it('disconnecting all leaves none, whether or not there is an endpoint for it', async () => {
        const fake = service(profile);
        assert.deepEqual(done(await disconnectAll(fake.client)).providers, []);
        assert.deepEqual(fake.state.providerTokens, {});
        assert.equal(fake.providerPosts.length, profile === 'observed' ? 0 : 1);
      });

      it('the settings are what they were', async () => {
        const fake = service(profile);
        const before = structuredClone(fake.state.settings);
        await connectProvider(fake.client, { name: 'bitbucket', token: 'bb-token', host: null });
        await disconnectProvider(fake.client, 'bitbucket');
        assert.deepEqual(fake.state.settings, before);
        assert.equal(fake.counts.postSettings, 0);
      });

      it('a refused git token is told with the words of the service, and nothing changes', async () => {
        const fake = service(profile);
        const outcome = failed(
          await connectProvider(fake.client, { name: 'github', token: 'bad-token', host: null }),
        );
        assert.equal(outcome.applied, 'no');
        assert.equal(outcome.error.status, profile === 'observed' ? 401 : 400);
        assert.match(outcome.error.serverText ?? '', /valid github token/);
        assert.deepEqual(fake.state.providerTokens['github'], token('github-token'));
      });
    });
  }

  it('another client’s provider, connected after the form was opened, is kept', async () => {
    const fake = service();
    await SettingsDocument.load(fake.client);
    fake.state.providerTokens['bitbucket'] = token('their-token');
    await connectProvider(fake.client, { name: 'github', token: 'next-token', host: null });
    assert.deepEqual(fake.state.providerTokens['bitbucket'], token('their-token'));
  });

  it('changes wait for one another and for saves of the same service', async () => {
    const fake = service();
    const document = await SettingsDocument.load(fake.client);
    const seen: string[] = [];
    fake.arrives = (request) => void seen.push(request);
    await Promise.all([
      connectProvider(fake.client, { name: 'bitbucket', token: 'bb-token', host: null }),
      document.save(edits({ values: { language: 'it' } }), { sandboxKeyConfirmed: true }),
      disconnectProvider(fake.client, 'github'),
    ]);
    assert.deepEqual(seen, [
      ...['getSettings', 'addGitProviders', 'getSettings'],
      ...['getSettings', 'postSettings', 'getSettings'],
      ...['getSettings', 'addGitProviders', 'getSettings'],
    ]);
    assert.deepEqual(Object.keys(fake.state.providerTokens).sort(), ['bitbucket', 'gitlab']);
    assert.equal(fake.state.settings?.language, 'it');
  });

  it('a change that is cancelled before its turn fails without a request', async () => {
    const fake = service();
    const cancel = new AbortController();
    const first = connectProvider(fake.client, { name: 'bitbucket', token: 'bb-token', host: null });
    const second = disconnectProvider(fake.client, 'github', cancel.signal);
    cancel.abort();
    const outcome = failed(await second);
    assert.deepEqual([outcome.error.reason, outcome.applied], ['cancelled', 'no']);
    done(await first);
    assert.equal(fake.counts.addGitProviders, 1);
    assert.deepEqual(fake.state.providerTokens['github'], token('github-token'));
  });

  it('a user who never saved gets settings first, because only then the service tells which tokens it holds', async () => {
    const fake = fakeService('observed', null);
    fake.state.providerTokens = { gitlab: token('gitlab-token', 'gitlab.example.com') };
    done(await connectProvider(fake.client, { name: 'github', token: 'github-token', host: null }));
    assert.deepEqual(fake.state.providerTokens, {
      gitlab: token('gitlab-token', 'gitlab.example.com'),
      github: token('github-token'),
    });
    assert.equal(fake.state.settings?.enable_default_condenser, true);
  });

  const outcomes: [Fault, 'yes' | 'no'][] = [
    ['notSent', 'no'],
    ['lost', 'no'],
    ['doneThenLost', 'yes'],
    ['crash', 'no'],
    ['doneThenCrash', 'yes'],
  ];
  for (const [fault, applied] of outcomes) {
    it(`a change that fails (${fault}) is looked up: applied ${applied}`, async () => {
      const fake = service();
      fake.fault = (request) => (request === 'addGitProviders' ? fault : undefined);
      const outcome = failed(
        await connectProvider(fake.client, { name: 'bitbucket', token: 'bb-token', host: null }),
      );
      assert.equal(outcome.applied, applied);
      assert.equal('bitbucket' in fake.state.providerTokens, applied === 'yes');
      assert.equal(fake.counts.addGitProviders, fault === 'notSent' ? 0 : 1);
    });
  }

  it('a token put in place of another does not show, so its outcome stays unknown', async () => {
    const fake = service();
    fake.fault = (request) => (request === 'addGitProviders' ? 'doneThenLost' : undefined);
    const outcome = failed(
      await connectProvider(fake.client, { name: 'github', token: 'next-token', host: null }),
    );
    assert.equal(outcome.applied, 'unknown');
  });

  it('when reading back fails the outcome is unknown', async () => {
    const fake = service();
    fake.fault = (request) =>
      request === 'getSettings' && fake.counts.getSettings === 1 ? 'lost' : undefined;
    const outcome = failed(
      await connectProvider(fake.client, { name: 'github', token: 'next-token', host: null }),
    );
    assert.equal(outcome.applied, 'unknown');
  });

  it('a provider that the service lost, kept, or gave another host is told', async () => {
    const fake = service();
    fake.carriedOut = (request) => {
      if (request === 'addGitProviders')
        fake.state.providerTokens = {
          github: token('github-token', 'elsewhere'),
          gitlab: token('gitlab-token'),
        };
    };
    const { notes } = done(await disconnectProvider(fake.client, 'gitlab'));
    assert.deepEqual(notes, [
      'The service still holds a token of gitlab.',
      'The service holds another host of github than was sent.',
    ]);
    fake.carriedOut = () => {
      fake.state.providerTokens = {};
    };
    const { notes: lost } = done(
      await connectProvider(fake.client, { name: 'bitbucket', token: 'x', host: null }),
    );
    assert.deepEqual(lost.at(-1), 'The service holds no token of bitbucket now.');
  });
});
