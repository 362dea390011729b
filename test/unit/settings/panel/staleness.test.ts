import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, type Action } from './support';

const edits = { ...noEdits, values: { git_user_name: 'Grace' } };
const target = { at: 'field', field: 'llm_api_key' } as const;

/** One action of each type; a missing type doesn't compile. */
const actions: { [T in Action['type']]: Extract<Action, { type: T }> } = {
  edits: { type: 'edits', edits },
  save: { type: 'save', edits, choices: {} },
  review: { type: 'review', edits },
  undoSave: { type: 'undoSave' },
  restoreDraft: { type: 'restoreDraft', id: 'draft' },
  discardDraft: { type: 'discardDraft', id: 'draft' },
  revert: { type: 'revert' },
  replaceSecret: { type: 'replaceSecret', target },
  replaceSecrets: { type: 'replaceSecrets', targets: [target] },
  clearSecret: { type: 'clearSecret', target },
  keepSecret: { type: 'keepSecret', target },
  replaceProviderToken: { type: 'replaceProviderToken', name: 'github', host: null },
  setProviderHost: { type: 'setProviderHost', name: 'github', host: 'git.example.com' },
  clearProvider: { type: 'clearProvider', name: 'github' },
  clearAllProviders: { type: 'clearAllProviders' },
  dismiss: { type: 'dismiss', list: 'notices' },
  manage: { type: 'manage', what: 'secrets' },
  importServers: { type: 'importServers' },
  exportServers: { type: 'exportServers' },
  testServer: { type: 'testServer', id: 'server' },
  cancelTest: { type: 'cancelTest', id: 'server' },
  signInToServer: { type: 'signInToServer', id: 'server' },
  parkServer: { type: 'parkServer', id: 'server' },
  restoreServer: { type: 'restoreServer', id: 'server' },
  deleteParked: { type: 'deleteParked', id: 'server' },
};

describe('outdated form actions', () => {
  let first: ReferenceService;
  let second: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    [first, second] = await Promise.all([
      startService({ profile: 'observed', seed: 'lifelike' }),
      startService({ profile: 'observed', seed: 'lifelike' }),
    ]);
    form = new Harness(clientOf(first));
    form.secret = 'typed-canary';
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await Promise.all([first.close(), second.close()]);
  });

  const shown = () => form.last('form').document;
  const sent = () =>
    [first, second].flatMap(({ requests }) => requests).filter(({ method }) => method !== 'GET');
  const toSecond = () => form.switchTo(clientOf(second));

  for (const action of Object.values(actions))
    it(`drops “${action.type}” from another connection, and says so`, async () => {
      const previous = shown();
      await toSecond();
      form.posted.splice(0, form.posted.length - 1);
      await form.send(action, previous);

      assert.deepEqual([sent(), form.questions, form.servers.asked, [...form.drafts]], [[], [], [], []]);
      assert.deepEqual(form.host.open?.edits, noEdits);
      const [told, ...more] = form.posted.slice(1);
      assert.ok(told?.type === 'form' && more.length === 0);
      const isSave = action.type === 'save';
      assert.equal(told.result?.kind, isSave ? 'failed' : undefined);
      const words = JSON.stringify(isSave ? told.result : told.notices);
      assert.match(words, /have changed, so your last action wasn’t applied/);
    });

  it('drops an action on an outdated model of the same service', async () => {
    const previous = shown();
    await form.save({ values: { language: 'it' } });
    const before = sent().length;
    await form.send(actions.save, previous);
    assert.equal(sent().length, before);
    assert.equal(form.result.kind, 'failed');
  });

  it('reports a dropped action with the next settings', async () => {
    const previous = shown();
    const switched = toSecond();
    await form.send(actions.edits, previous);
    await switched;
    assert.match(form.last('form').notices.join(), /your last action wasn’t applied/);
    await form.send({ type: 'revert' });
    assert.deepEqual(form.last('form').notices, []);
  });

  it('drops a secret entered for another connection', async () => {
    form.whileAsked = toSecond;
    await form.send(actions.replaceSecret);
    assert.equal(form.questions.length, 1);
    assert.deepEqual(form.host.open?.edits, noEdits);
    form.whileAsked = () => Promise.resolve();
    await form.save({ secrets: { llm_api_key: 'replace' } });
    assert.equal(form.result.kind, 'invalid');
  });

  it('drops a secret entered while a save is in progress', async () => {
    const held = first.fail({
      method: 'POST',
      path: '/api/settings',
      effect: { kind: 'stallBeforeHeaders' },
    });
    let saving: Promise<void> | undefined;
    form.whileAsked = async () => {
      form.whileAsked = () => Promise.resolve();
      const arrived = first.waitForRequest(({ method }) => method === 'POST', { phase: 'arrived' });
      saving = form.save({ values: { language: 'it' } });
      await arrived;
    };
    await form.send(actions.replaceSecret);
    held.release();
    await saving;
    assert.deepEqual(form.host.open?.edits.secrets, {});
    assert.match(JSON.stringify(form.posted), /your last action wasn’t applied/);
  });
});
