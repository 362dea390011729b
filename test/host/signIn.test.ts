import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/http/errors';
import type { DeviceAuthorization, DeviceSignIn } from '../../src/api/service/deviceSignIn';
import { KeptSignIn } from '../../src/editor/keptSignIn';
import { readConnections, updateConnections } from '../../src/editor/settings';
import { Accounts } from '../../src/features/connection/commands/accounts';
import { connect } from '../../src/features/connection/commands/connect';
import { signInTo, type SignInNeeds } from '../../src/features/connection/commands/signIn';
import { switchOrganization } from '../../src/features/connection/commands/switchOrganization';
import { authenticationId } from '../../src/ids';
import type { Connection, Organization } from '../../src/shared/connection';
import { aClient } from '../support/builders/client';
import { answering } from './answering';

const url = 'https://hosted.example.com';
const begun: DeviceAuthorization = {
  deviceCode: 'canary-code',
  userCode: 'ABCD-EFGH',
  page: { url: new URL(`${url}/device?user_code=ABCD-EFGH`), isOwn: true },
  intervalMs: 1_000,
  expiresAt: 600_000,
};

/** What a window keeps, and what the secret storage has. */
const keptIn = (memento: Map<string, unknown>, secrets: Map<string, string>) =>
  new KeptSignIn(
    {
      keys: () => [...memento.keys()],
      get: (key: string) => memento.get(key),
      update: (key: string, value: unknown) => {
        if (value === undefined) memento.delete(key);
        else memento.set(key, value);
        return Promise.resolve();
      },
    } as vscode.Memento,
    {
      get: (key) => Promise.resolve(secrets.get(key)),
      store: (key, value) => Promise.resolve(void secrets.set(key, value)),
      delete: (key) => Promise.resolve(void secrets.delete(key)),
    },
  );

describe('signing in', () => {
  const { env } = vscode;
  const { openExternal } = env;
  const keys = new Map<string, string>();
  let opened: string[];
  let questions: { message: string; detail: string }[];
  let organizations: Organization[];
  let asked: (string | undefined)[];
  let restore: () => void;
  let keptSignIn: KeptSignIn;

  beforeEach(async () => {
    [opened, questions, organizations, asked] = [[], [], [], []];
    keys.clear();
    keptSignIn = keptIn(new Map(), new Map());
    await updateConnections((entries) => [...entries, { name: 'Hosted', url }]);
    Object.assign(env, { openExternal: (uri: unknown) => Promise.resolve(opened.push(String(uri)) > 0) });
    restore = () => undefined;
  });
  afterEach(async () => {
    restore();
    Object.assign(env, { openExternal });
    await updateConnections((entries) => entries.filter((entry) => entry.url !== url));
  });

  const find = () => readConnections().connections.find(({ baseUrl }) => baseUrl === url);
  const connected = (): Connection => find() ?? assert.fail('no connection');

  /** Answers pickers with these rows, and the question about the code with `button`. */
  function answer(button: string | undefined, ...rows: string[]) {
    const answers = answering(rows);
    Object.assign(vscode.window, {
      showInformationMessage: (message: string, options: { detail?: string } = {}) => {
        questions.push({ message, detail: options.detail ?? '' });
        return Promise.resolve(options.detail === undefined ? undefined : button);
      },
    });
    restore = answers.restore;
    return answers;
  }

  const needsOf = (at: Partial<DeviceSignIn> = {}) => {
    const client = (connection: Connection) =>
      aClient({
        baseUrl: url,
        listOrganizations: () => {
          asked.push(connection.organization?.id);
          return Promise.resolve(organizations);
        },
      });
    return {
      session: {
        get current() {
          const connection = connected();
          return { kind: 'ready', connection, client: client(connection) };
        },
        reload: () => Promise.resolve(),
        verify: () => Promise.resolve(),
      },
      keys: {
        has: (origin: string) => keys.has(origin),
        get: (origin: string) => Promise.resolve(keys.get(origin)),
        set: (origin: string, key: string) => Promise.resolve(void keys.set(origin, key)),
        clear: (origin: string) => Promise.resolve(void keys.delete(origin)),
      },
      createClient: client,
      listConnections: readConnections,
      keptSignIn,
      focusConversations: () => Promise.resolve(),
      signInAt: () =>
        Promise.resolve({
          begin: () => Promise.resolve(begun),
          finish: () => Promise.resolve({ kind: 'signedIn', token: 'canary-token' }),
          ...at,
        }),
    } as unknown as SignInNeeds;
  };

  it('shows the code, copies it, opens the page, and keeps the key apart from the settings', async () => {
    answer('Copy Code and Open Browser');
    assert.equal(await signInTo(needsOf(), connected()), true);
    assert.equal(questions[0]?.message, 'Your code is ABCD-EFGH');
    assert.equal(
      questions[0].detail,
      `Enter it at ${url}/device to sign in to Hosted. Enter a code only if you requested it here.`,
    );
    assert.equal(await env.clipboard.readText(), 'ABCD-EFGH');
    assert.deepEqual(opened, [`${url}/device?user_code=ABCD-EFGH`]);
    assert.deepEqual([connected().authentication, keys.get(url)], ['signIn', 'canary-token']);
    const settings = JSON.stringify(vscode.workspace.getConfiguration('agentWorkspace').get('connections'));
    assert.doesNotMatch(settings, /canary/);
  });

  it('keeps and opens nothing for a user who leaves', async () => {
    answer(undefined);
    assert.equal(await signInTo(needsOf(), connected()), false);
    assert.deepEqual([opened, keys.size, connected().authentication], [[], 0, undefined]);
  });

  it('names a page that isn’t on the service’s own address, and opens no unsafe one', async () => {
    answer('Open Browser');
    const elsewhere = { url: new URL('https://login.example.org/device'), isOwn: false };
    const begin = (page: DeviceAuthorization['page']) => ({
      begin: () => Promise.resolve({ ...begun, page }),
    });
    await signInTo(needsOf(begin(elsewhere)), connected());
    assert.match(questions[0]?.detail ?? '', /Continue only if you know login\.example\.org\./);
    const { showErrorMessage } = vscode.window;
    const errors: string[] = [];
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => Promise.resolve(void errors.push(message)),
    });
    assert.equal(await signInTo(needsOf(begin(undefined)), connected()), false);
    Object.assign(vscode.window, { showErrorMessage });
    assert.match(errors[0] ?? '', /can’t be opened safely/);
    assert.equal(opened.length, 1);
  });

  it('continues after its window is reloaded, with the code that was shown, and keeps nothing after', async () => {
    answer('Open Browser');
    const [memento, secrets] = [new Map<string, unknown>(), new Map<string, string>()];
    const before = keptIn(memento, secrets);
    const long = { ...begun, expiresAt: performance.now() + 600_000 };
    await new Promise<void>((resolve) => {
      const waits = () => new Promise<never>(() => resolve());
      const needs = needsOf({ begin: () => Promise.resolve(long), finish: waits });
      void signInTo({ ...needs, keptSignIn: before }, connected());
    });
    assert.doesNotMatch(JSON.stringify([...memento]), /canary/);
    // The host of the extension ends here, and another one begins.
    const asked: DeviceAuthorization[] = [];
    const finish = (one: DeviceAuthorization) => {
      asked.push(one);
      return Promise.resolve({ kind: 'signedIn' as const, token: 'canary-token' });
    };
    const begin = () => assert.fail('another code');
    const needs = { ...needsOf({ begin, finish }), keptSignIn: keptIn(memento, secrets) };
    const resumes = { ...needs, activeConnection: { choose: () => Promise.resolve() } } as never;
    await connect(resumes)({ resumes: true });
    const [{ deviceCode, userCode } = begun] = asked;
    assert.deepEqual([asked.length, deviceCode, userCode], [1, 'canary-code', 'ABCD-EFGH']);
    assert.deepEqual([connected().authentication, keys.get(url)], ['signIn', 'canary-token']);
    assert.deepEqual([memento.size, secrets.size, opened.length], [0, 0, 1]);
    await connect(resumes)({ resumes: true });
    assert.equal(asked.length, 1);
  });

  it('says after a reload that it ended if its code is lost, and nothing once that has expired', async () => {
    const [memento, secrets] = [new Map<string, unknown>(), new Map<string, string>()];
    const { showWarningMessage } = vscode.window;
    const warnings: string[] = [];
    Object.assign(vscode.window, {
      showWarningMessage: (message: string) => Promise.resolve(void warnings.push(message)),
    });
    const resume = () =>
      connect({ ...needsOf(), keptSignIn: keptIn(memento, secrets) } as never)({ resumes: true });
    await keptIn(memento, secrets).keep(connected(), { ...begun, expiresAt: performance.now() + 60_000 });
    secrets.clear();
    await resume();
    await keptIn(memento, secrets).keep(connected(), { ...begun, expiresAt: performance.now() - 1 });
    await resume();
    Object.assign(vscode.window, { showWarningMessage });
    assert.deepEqual(warnings, ['The sign-in to Hosted ended when the window was reloaded.']);
    assert.deepEqual([keys.size, memento.size], [0, 0]);
  });

  it('begins again after a code has expired', async () => {
    const answers = answer('Open Browser');
    Object.assign(vscode.window, {
      showWarningMessage: (message: string, again: string) => {
        answers.said.push(message);
        return Promise.resolve(again);
      },
    });
    const ends = ['expired', 'signedIn'];
    const finish = () => Promise.resolve({ kind: ends.shift(), token: 'canary-token' } as never);
    assert.equal(await signInTo(needsOf({ finish }), connected()), true);
    assert.deepEqual(answers.said, ['The code to sign in to Hosted has expired.']);
    assert.equal(opened.length, 2);
  });

  it('asks for the organization if there are several, telling apart those that look the same', async () => {
    organizations = [
      { id: 'a', name: 'Same\u202E' },
      { id: 'b', name: 'Same' },
      { id: 'c', name: ' \n ' },
      { id: 'd', name: 'x'.repeat(500) },
    ];
    const { rows } = answer('Open Browser', 'c');
    await signInTo(needsOf(), connected());
    const shown = rows[0] ?? [];
    assert.deepEqual(shown.slice(0, 3), ['Same: a', 'Same: b', 'c:']);
    assert.ok((shown[3] ?? '').length < 100);
    assert.deepEqual(connected().organization, { id: 'c', name: ' \n ' });
  });

  it('switches the organization of the connection', async () => {
    organizations = [
      { id: 'a', name: 'One' },
      { id: 'b', name: 'Two' },
    ];
    await updateConnections((entries) =>
      entries.map((entry) => (entry.url === url ? { ...entry, authentication: 'signIn' } : entry)),
    );
    answer(undefined, 'Two');
    await switchOrganization(needsOf())();
    assert.deepEqual(connected().organization, { id: 'b', name: 'Two' });
    organizations.shift();
    await switchOrganization(needsOf())();
    assert.deepEqual(
      [questions[0]?.message, asked],
      ['You have no other organization on Hosted.', [undefined, 'b']],
    );
    restore();
    // The organization has removed the user.
    organizations = [{ id: 'c', name: 'Three' }];
    answer(undefined, 'Three');
    await switchOrganization(needsOf())();
    assert.deepEqual(connected().organization, { id: 'c', name: 'Three' });
  });

  it('is an account of the editor, until the user signs out', async () => {
    answer('Open Browser');
    const told: string[] = [];
    const accounts = new Accounts(needsOf(), ({ added, removed }) =>
      told.push(`+${added?.length ?? 0} -${removed?.length ?? 0}`),
    );
    assert.deepEqual(await accounts.getSessions(), []);
    const session = await accounts.createSession([url]);
    assert.deepEqual(
      [session.account.label, session.scopes, session.accessToken],
      ['Hosted', [url], 'canary-token'],
    );
    await accounts.refresh();
    assert.deepEqual(await accounts.getSessions(['https://other.example.com']), []);
    await accounts.removeSession(session.id);
    await accounts.refresh();
    assert.deepEqual([await accounts.getSessions([url]), told, keys.size], [[], ['+1 -0', '+0 -1'], 0]);
    assert.equal(connected().authentication, 'signIn', 'the connection stays, to sign in again');
    await assert.rejects(accounts.createSession(['https://other.example.com']));
  });

  it('is offered by Connect… where the service says so, beside an API key', async () => {
    await updateConnections((entries) => entries.filter((entry) => entry.url !== url));
    const { rows } = answer('Open Browser', url, 'Team', 'Sign In with Your Browser…');
    const needs = needsOf();
    const refused = new ApiError('unauthorized', 'GET', '/api/settings', { status: 401 });
    const sent: string[] = [];
    Object.assign(needs, {
      session: {
        current: { kind: 'none' },
        reload: () => Promise.resolve(),
        verify: () => Promise.resolve(),
      },
      activeConnection: { choose: () => Promise.resolve() },
      createClient: (_connection: Connection, key: string) => {
        sent.push(key);
        return aClient({
          baseUrl: url,
          getSettings: () => Promise.reject(refused),
          recognizeAgentServer: () => Promise.resolve(undefined),
          listOrganizations: () => Promise.resolve([]),
        });
      },
    });
    Object.assign(needs.keys, { has: () => true });
    await connect(needs as unknown as Parameters<typeof connect>[0])(undefined);
    assert.deepEqual(
      rows.at(-1)?.map((row) => row.split(':')[0]),
      ['Sign In with Your Browser…', 'Enter an API Key…'],
    );
    const { name, authentication } = connected();
    assert.deepEqual([name, authentication, keys.get(url)], ['Team', 'signIn', 'canary-token']);
    assert.deepEqual(sent, ['address-check', 'canary-token']);
  });

  it('has a provider that the editor asks', async () => {
    const session = await vscode.authentication.getSession(authenticationId, [url], { silent: true });
    assert.equal(session, undefined);
  });
});
