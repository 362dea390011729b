import assert from 'node:assert/strict';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
} from '../../src/features/settings/model/providers';
import { accessTo } from '../unit/core/settings/safeguards';
import { failureOf } from '../unit/api/support/client';
import { gitLab } from './support/gitHost';
import { withSettings } from './support/releases';
import { differences, holdSettings, onDisk, settingsNow } from './support/settings';
import { real, knownClient, realClient, realSuite } from './support/suite';

realSuite('git providers', withSettings, () => {
  const access = () => accessTo(realClient());
  const connect = (name: string, token: string, host: string | null = real().gitHost.host) =>
    connectProvider(access(), { name, token, host });
  const stored = () => onDisk('secrets.json');
  const tokens = async () => {
    const { provider_tokens } = (await stored()) as { provider_tokens: Record<string, { token: string }> };
    return Object.fromEntries(Object.entries(provider_tokens).map(([name, { token }]) => [name, token]));
  };

  beforeEach(() => holdSettings());

  it('stores a token, then another provider’s beside it, and leaves the settings alone', async () => {
    const { host } = real().gitHost;
    const before = await settingsNow();
    assert.deepEqual(await connect('github', 'good-github-1'), {
      kind: 'done',
      providers: [{ name: 'github', host }],
      notes: [],
    });
    assert.equal((await connect('gitlab', 'good-gitlab-1')).kind, 'done');
    assert.deepEqual(await tokens(), { github: 'good-github-1', gitlab: 'good-gitlab-1' });
    const after = await settingsNow();
    assert.deepEqual(differences(before.disk, after.disk), {});
    assert.deepEqual(differences(before.read, after.read), {
      'provider_tokens_set.github': [undefined, host],
      'provider_tokens_set.gitlab': [undefined, host],
    });
  });

  it('replaces one token and keeps the other', async () => {
    await connect('github', 'good-github-1');
    await connect('gitlab', 'good-gitlab-1');
    await connect('github', 'good-github-2');
    assert.deepEqual(await tokens(), { github: 'good-github-2', gitlab: 'good-gitlab-1' });
  });

  it('changes nothing when the git host refuses a token, and doesn’t blame the session key', async () => {
    await connect('github', 'good-github-1');
    const before = await stored();
    const outcome = await connect('gitlab', 'wrong');
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.applied, 'no');
    assert.equal(outcome.error.status, 401);
    assert.match(outcome.error.serverText ?? '', /^Invalid token\. .*gitlab/);
    assert.deepEqual(await stored(), before);
    assert.ok(await realClient().getSettings());
  });

  it('makes the service forget one token and keep the other', async () => {
    await connect('github', 'good-github-1');
    await connect('gitlab', 'good-gitlab-1');
    assert.equal((await disconnectProvider(access(), 'github')).kind, 'done');
    assert.deepEqual(await tokens(), { gitlab: 'good-gitlab-1' });
  });

  it('makes the service forget all tokens', async () => {
    await connect('github', 'good-github-1');
    assert.deepEqual(await disconnectAll(access()), { kind: 'done', providers: [], notes: [] });
    assert.deepEqual(await tokens(), {});
  });
});

realSuite('git providers’ repositories', ['current'], () => {
  const connect = async () => {
    const { host } = real().gitHost;
    const outcome = await connectProvider(accessTo(realClient()), {
      name: 'gitlab',
      token: 'good-gitlab-1',
      host,
    });
    assert.equal(outcome.kind, 'done');
  };
  const ask = () => knownClient().searchRepositories('gitlab');

  beforeEach(() => holdSettings());

  it('are listed with their branches', async () => {
    await connect();
    const [repository] = await ask();
    assert.deepEqual(
      [repository?.full_name, repository?.git_provider, repository?.main_branch],
      [gitLab.repository, 'gitlab', 'main'],
    );
    assert.deepEqual(await knownClient().searchBranches('gitlab', gitLab.repository), gitLab.branches);
  });

  it('need a token', async () => {
    const { reason, status } = await failureOf(ask());
    const expected = real().release.quirks.includes('answersNoToken')
      ? ['unauthorized', 401]
      : ['forbidden', 403];
    assert.deepEqual([reason, status], expected);
  });

  it('need a token for this provider', async () => {
    await connect();
    assert.equal((await failureOf(knownClient().searchRepositories('github'))).reason, 'serverError');
  });
});

realSuite('git providers’ repositories, if the service lists none', ['first'], () => {
  it('are absent from the client', async () => {
    const client = realClient();
    await client.getSettings();
    assert.equal(client.repositories, undefined);
  });
});
