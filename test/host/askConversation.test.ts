import assert from 'node:assert/strict';
import type { ServiceSettings } from '../../src/api/service/schemas/settings';
import type { ConversationChoice } from '../../src/features/start/model/choice';
import type { ToldLimit } from '../../src/features/start/model/toldLimits';
import { askConversation } from '../../src/features/start/commands/askConversation';
import { windowWith } from '../support/builders/window';
import { aClient } from '../support/builders/client';
import { aConversation, aSandbox } from '../support/builders/records';
import { answering } from './answering';

const full = ['sb-1', 'sb-2', 'sb-3', 'sb-4', 'sb-5'];

/**
 * Selects Start Conversation up to twice, the first time before the lists refresh. Returns each sandbox row shown.
 * @param reading what the refreshed lists contain
 * @param before what the lists contain when the options appear; not loaded if absent
 */
async function startedWith(
  reading: { ids: string[]; title: string },
  before?: typeof reading,
): Promise<string[]> {
  let list: () => void = () => undefined;
  let listed = Promise.resolve();
  let now = before ?? reading;
  const client = aClient({
    searchSandboxes: async () => {
      await listed;
      return { items: now.ids.map((id) => aSandbox({ id })), nextPageId: null };
    },
    listConversations: () =>
      Promise.resolve({ items: [aConversation({ title: now.title })], nextPageId: null }),
    getSettings: () => Promise.resolve({} as ServiceSettings),
  });
  const { model, dispose } = await windowWith(client);
  if (before) await model.refresh('sandboxes', 'conversations');
  now = reading;
  listed = new Promise((resolve) => (list = resolve));
  const start = 'Start Conversation';
  const beforeListed = () => {
    list();
    return start;
  };
  const { rows, restore } = answering([beforeListed, start]);
  const setUpModel = () => Promise.resolve();
  const choice = {
    repository: undefined,
    branch: undefined,
    provider: undefined,
    place: { kind: 'default' as const },
    model: undefined,
    title: undefined,
  };
  try {
    assert.deepEqual(await askConversation({ client, model, proposals: [], choice, setUpModel }), choice);
  } finally {
    restore();
    dispose();
  }
  return rows.map((shown) => shown.find((row) => row.startsWith('Sandbox: ')) ?? '');
}

/** What several attempts are asked for, with the models that the service lists. */
async function attemptsWith(answers: string[], models: string[], told?: ToldLimit) {
  const client = aClient({
    searchSandboxes: () => Promise.resolve({ items: full.map((id) => aSandbox({ id })), nextPageId: null }),
    listConversations: () =>
      Promise.resolve({ items: [aConversation({ title: 'Mend it' })], nextPageId: null }),
    getSettings: () => Promise.resolve({} as ServiceSettings),
    listModels: () => Promise.resolve(models),
  });
  const { model, dispose } = await windowWith(client);
  await model.refresh('sandboxes', 'conversations');
  const { rows, restore } = answering(answers);
  const attempts = { variants: [] };
  const setUpModel = () => Promise.resolve();
  const choice = { place: { kind: 'existing' as const, sandboxId: 'sb-1' } };
  try {
    const chosen = await askConversation({
      client,
      model,
      proposals: [],
      choice,
      attempts,
      setUpModel,
      told,
    });
    return { chosen, rows, attempts };
  } finally {
    restore();
    dispose();
  }
}

describe('the options of several attempts', () => {
  it('say how many there are, that each has a sandbox of its own, and what the service may pause', async () => {
    const answers = ['Nothing', '3 attempts', 'Start 3 Attempts'];
    const { chosen, rows, attempts } = await attemptsWith(answers, ['one']);
    assert.ok(chosen);
    assert.deepEqual(attempts, {
      variants: [{ label: 'Attempt 1' }, { label: 'Attempt 2' }, { label: 'Attempt 3' }],
    });
    assert.equal(rows[0]?.length, 1, 'one model can’t differ');
    assert.equal(rows[1]?.length, 7);
    assert.ok(rows[2]?.includes('Attempts: 3: Attempt 1, Attempt 2, Attempt 3'), rows[2]?.join('\n'));
    const sandbox = rows[2]?.find((row) => row.startsWith('Sandbox: '));
    assert.match(sandbox ?? '', /^Sandbox: New, one for each attempt May pause “Mend it”, /);
  });

  it('say how many sandboxes run, and what the service said about its limit', async () => {
    const told = { words: 'Maximum of 6 sandboxes reached', most: 6 };
    const { rows } = await attemptsWith(['Nothing', '2 attempts', 'Start 2 Attempts'], [], told);
    const sandbox = rows[2]?.find((row) => row.startsWith('Sandbox: '));
    assert.match(
      sandbox ?? '',
      /\. 5 sandboxes are running\. The service runs at most 6 at once\. It refused a start: “Maximum of 6 sandboxes reached”$/,
    );
  });

  it('start nothing for less than two models', async () => {
    const { chosen, rows } = await attemptsWith(['Model', 'one'], ['one', 'two']);
    assert.equal(chosen, undefined);
    assert.deepEqual(rows[1], ['one:', 'two:']);
  });
});

/** The options chosen by these answers, and the rows of each picker, for somebody who works on `acme/shop`. */
async function chosenBy(answers: Parameters<typeof answering>[0]) {
  const client = aClient({
    searchSandboxes: () => Promise.resolve({ items: [], nextPageId: null }),
    listConversations: () => Promise.resolve({ items: [], nextPageId: null }),
    getSettings: () => Promise.resolve({} as ServiceSettings),
  });
  const { model, dispose } = await windowWith(client);
  const { rows, restore } = answering(answers);
  const proposals = ['acme/shop', 'acme/atlas'].map((repository) => ({
    ...{ repository, provider: undefined, root: `file:///${repository}`, remote: 'origin' },
    ...{ branch: undefined, pushed: true, branches: [] },
  }));
  const choice = { repository: 'acme/shop', place: { kind: 'default' as const }, model: 'large' };
  const remembered = (about: ConversationChoice): ConversationChoice =>
    about.repository === 'acme/atlas' ? { ...about, model: 'small', policy: 'never' } : about;
  const setUpModel = () => Promise.resolve();
  try {
    return {
      rows,
      chosen: await askConversation({ client, model, proposals, choice, remembered, setUpModel }),
    };
  } finally {
    restore();
    dispose();
  }
}

describe('the options of a new conversation', () => {
  it('have the confirmation policy, by default the service’s', async () => {
    const { rows, chosen } = await chosenBy([
      ...['Confirmation policy', 'Ask before each action', 'Start Conversation'],
    ]);
    assert.ok(rows[0]?.includes('Confirmation policy: Service’s setting'), rows[0]?.join('\n'));
    assert.equal(rows[1]?.[0], 'Service’s setting: current');
    const later =
      'Confirmation policy: Ask before each action Your message is sent once the conversation has this policy.';
    assert.ok(rows[2]?.includes(later), rows[2]?.join('\n'));
    assert.equal(chosen?.policy, 'always');
  });

  it('are those of the other repository once that is selected, unless the user has changed them', async () => {
    const select = ['Repository', 'acme/atlas', 'Start Conversation'];
    const other = await chosenBy([...select]);
    assert.deepEqual([other.chosen?.model, other.chosen?.policy], ['small', 'never']);
    const changed = await chosenBy(['Confirmation policy', 'Ask before each action', ...select]);
    assert.deepEqual([changed.chosen?.model, changed.chosen?.policy], ['large', 'always']);
  });

  it('come back after Enter if the service may pause a sandbox that wasn’t listed yet', async () => {
    assert.deepEqual(await startedWith({ ids: full, title: 'Mend the login test' }), [
      'Sandbox: New (service default)',
      'Sandbox: New (service default) May pause “Mend the login test”. 5 sandboxes are running',
    ]);
  });

  it('come back if the service may pause other sandboxes than before', async () => {
    const before = { ids: full, title: 'Mend the login test' };
    const rows = await startedWith({ ...before, ids: ['sb-0', ...full.slice(1)] }, before);
    assert.equal(rows.length, 2);
  });

  it('don’t come back if only a name has changed', async () => {
    const before = { ids: full, title: 'Mend the login test' };
    assert.deepEqual(await startedWith({ ...before, title: 'Mend it' }, before), [
      'Sandbox: New (service default) May pause “Mend the login test”. 5 sandboxes are running',
    ]);
  });
});
