import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { MoreValues } from '../../../src/shared/moreFields';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { makeDraft, parseDraft } from '../../../src/features/settings/model/draft';
import { fakeService, type FakeService } from './fakeService';
import { edits, saveAs } from './support';

const temperature = 'agent_settings.llm.temperature';
const retries = 'agent_settings.llm.num_retries';
const effort = 'agent_settings.llm.reasoning_effort';
const subAgents = 'agent_settings.enable_sub_agents';

const load = (service: FakeService, client = service.client) =>
  SettingsDocument.load(client, service.safeguards);

async function opened() {
  const service = fakeService('current', { llm_api_key: 'stored-key', language: 'de' });
  return { service, document: await load(service) };
}

const valueAt = (document: SettingsDocument, path: string) =>
  document.model.more.fields.find((field) => field.path === path)?.value;

/** Another client saves. */
async function saveElsewhere(service: FakeService, more: MoreValues): Promise<void> {
  await saveAs('saved', await load(service, service.clientOf('other', 'other')), { more }, {});
  service.posts.length = 0;
}

describe('settings that the service describes', () => {
  it('are shown with the values that it has', async () => {
    const { document } = await opened();
    assert.deepEqual(
      [temperature, retries, effort, subAgents].map((path) => valueAt(document, path)),
      [null, 5, 'high', false],
    );
    assert.ok(document.model.more.elsewhere.includes('AWS Secret Access Key'));
  });

  it('are shown as null where the service has that, whatever their default, and can get the default', async () => {
    const { service } = await opened();
    service.rewrite = (answer) => {
      const body = structuredClone(answer.body) as { agent_settings?: { llm: Record<string, unknown> } };
      if (service.posts.length === 0) Object.assign(body.agent_settings?.llm ?? {}, { num_retries: null });
      return { ...answer, body };
    };
    const document = await load(service);
    assert.equal(valueAt(document, retries), null);
    const { notes } = await saveAs('saved', document, { more: { [retries]: 5 } }, {});
    assert.deepEqual([service.posts, notes], [[{ agent_settings_diff: { llm: { num_retries: 5 } } }], []]);
  });

  it('are saved as changed leaves with everything else, and read back', async () => {
    const { service, document } = await opened();
    const more = { [temperature]: 0.5, [effort]: 'low', [retries]: 5 };
    const outcome = await saveAs('saved', document, { more, values: { language: 'it' } }, {});
    assert.deepEqual(service.posts, [
      { language: 'it', agent_settings_diff: { llm: { temperature: 0.5, reasoning_effort: 'low' } } },
    ]);
    assert.deepEqual(outcome.notes, []);
    assert.equal(valueAt(outcome.document, temperature), 0.5);
    assert.equal(service.state.settings?.llm_api_key, 'stored-key');
  });

  it('post nothing when they are as wanted already', async () => {
    const { service, document } = await opened();
    await saveElsewhere(service, { [temperature]: 0.5 });
    await saveAs('saved', document, { more: { [temperature]: 0.5 } }, {});
    assert.deepEqual(service.posts, []);
  });

  it('keep what somebody else changed of others', async () => {
    const { service, document } = await opened();
    await saveElsewhere(service, { [retries]: 9 });
    const { document: after } = await saveAs('saved', document, { more: { [effort]: 'low' } }, {});
    assert.deepEqual([valueAt(after, retries), valueAt(after, effort)], [9, 'low']);
  });

  it('ask which side stands when somebody else changed the same one', async () => {
    const { service, document } = await opened();
    await saveElsewhere(service, { [effort]: 'medium' });
    const part = { more: { [effort]: 'low' } };
    const { conflicts, document: asked } = await saveAs('conflict', document, part, {});
    const [conflict, ...others] = conflicts;
    assert.ok(conflict);
    assert.deepEqual(others, []);
    const { key, label, mine, theirs, previous } = conflict;
    assert.deepEqual([label, mine, theirs, previous], ['Reasoning Effort', 'low', 'medium', 'high']);
    assert.deepEqual(service.posts, []);
    const { document: after } = await saveAs('saved', asked, part, { resolution: { [key]: 'mine' } });
    assert.equal(valueAt(after, effort), 'low');
  });

  it('are reported where the service has another value after the save', async () => {
    for (const [held, kind] of [
      [9, 'changed'],
      [5, 'kept'],
      // Not a number any longer.
      ['many', 'changed'],
    ] as const) {
      const { service, document } = await opened();
      service.rewrite = (answer) => {
        const body = structuredClone(answer.body) as { agent_settings?: { llm: Record<string, unknown> } };
        if (service.posts.length > 0) Object.assign(body.agent_settings?.llm ?? {}, { num_retries: held });
        return { ...answer, body };
      };
      const { notes } = await saveAs('saved', document, { more: { [retries]: 7, [effort]: 'low' } }, {});
      assert.deepEqual(
        notes.map((note) => [note.kind, note.label, note.target]),
        [[kind, 'Num Retries', { at: 'more', path: retries }]],
      );
    }
  });

  it('tell whether a save with an unknown outcome took effect', async () => {
    for (const [fault, applied] of [
      ['lost', 'no'],
      ['doneThenLost', 'yes'],
    ] as const) {
      const { service, document } = await opened();
      service.fault = (request) => (request === 'postSettings' ? fault : undefined);
      const outcome = await saveAs('failed', document, { more: { [retries]: 7 } }, {});
      assert.equal(outcome.applied, applied);
    }
  });

  it('are undone by their previous values', async () => {
    const { service, document } = await opened();
    const more = { [temperature]: 0.5, [subAgents]: true };
    const { document: after } = await saveAs('saved', document, { more }, {});
    const undo = after.undo();
    assert.deepEqual(undo?.edits.more, { [temperature]: null, [subAgents]: false });
    assert.ok(undo);
    await saveAs('saved', after, undo.edits, {});
    assert.deepEqual(service.posts[1], {
      agent_settings_diff: { llm: { temperature: null }, enable_sub_agents: false },
    });
  });

  it('come in the review by their labels', async () => {
    const { document } = await opened();
    assert.deepEqual(document.review(edits({ more: { [subAgents]: true, [retries]: 5 } })), [
      { target: { at: 'more', path: subAgents }, label: 'Enable sub-agents', before: 'Off', after: 'On' },
    ]);
  });

  it('are refused before the post when their type or choice is wrong', async () => {
    const { service, document } = await opened();
    const more = { [retries]: 1.5, [effort]: 'huge', [temperature]: 'hot', [subAgents]: 'yes' };
    const { errors } = await saveAs('invalid', document, { more }, {});
    assert.deepEqual(
      new Set(errors.map(({ target }) => target.at === 'more' && target.path)),
      new Set(Object.keys(more)),
    );
    assert.deepEqual(service.posts, []);
  });

  it('get the service’s refusal on their field', async () => {
    const { document } = await opened();
    const { errors } = await saveAs('invalid', document, { more: { [retries]: null } }, {});
    assert.deepEqual(
      errors.map(({ target }) => target),
      [{ at: 'more', path: retries }],
    );
  });

  it('ignore edits of what the service doesn’t describe', async () => {
    const { service, document } = await opened();
    const more = {
      'agent_settings.agent_kind': 'acp',
      'agent_settings.llm.api_key': null,
      v1_enabled: false,
    };
    await saveAs('saved', document, { more }, {});
    assert.deepEqual(service.posts, []);
  });

  it('are kept in a draft, with what they were made on', async () => {
    const { service, document } = await opened();
    const part = edits({ more: { [effort]: 'low', [temperature]: 0.5 } });
    const draft = parseDraft(JSON.parse(JSON.stringify(makeDraft(document.model, part, new Date(0)))));
    assert.deepEqual(draft?.base.more, { [effort]: 'high', [temperature]: null });
    await saveElsewhere(service, { [effort]: 'medium' });
    const restored = (await load(service)).restore(draft.edits, draft.base);
    assert.deepEqual(restored.edits.more, part.more);
    assert.deepEqual(
      restored.overlaps.map(({ label, theirs }) => [label, theirs]),
      [['Reasoning Effort', 'medium']],
    );
  });

  it('are named with their values when the service doesn’t describe them any longer', async () => {
    const { document } = await opened();
    const { edits: left, unplaced } = document.restore(edits({ more: { 'agent_settings.gone': 'x' } }), {
      values: {},
      mcpServers: null,
    });
    assert.deepEqual([left, unplaced], [edits(), ['agent_settings.gone: x']]);
  });

  it('are those of the agent that is chosen', async () => {
    for (const [agent_kind, expected] of [
      ['acp', 'acp'],
      [undefined, 'openhands'],
      [5, 'openhands'],
    ] as const) {
      const { service } = await opened();
      const asked: string[] = [];
      service.rewrite = (answer) => {
        const body = structuredClone(answer.body) as { agent_settings?: object };
        return { ...answer, body: { ...body, agent_settings: { ...body.agent_settings, agent_kind } } };
      };
      const describeFields = (kind: string) => {
        asked.push(kind);
        return Promise.resolve({ fields: [], elsewhere: [] });
      };
      await load(service, { ...service.client, describeFields });
      assert.deepEqual(asked, [expected]);
    }
  });

  it('are left out when they can’t be read, and the rest works', async () => {
    const { service } = await opened();
    const describeFields = () => Promise.reject(new ApiError('serverError', 'GET', '/x', { status: 500 }));
    const document = await load(service, { ...service.client, describeFields });
    assert.deepEqual(document.model.more, { fields: [], elsewhere: [] });
    await saveAs('saved', document, { values: { language: 'it' } }, {});
    assert.deepEqual(service.posts, [{ language: 'it' }]);
  });

  it('are only named where the stored value isn’t of the described type', async () => {
    const { service } = await opened();
    service.rewrite = (answer) => {
      const body = structuredClone(answer.body) as { agent_settings?: { llm: Record<string, unknown> } };
      Object.assign(body.agent_settings?.llm ?? {}, { num_retries: 'many', reasoning_effort: '********' });
      return { ...answer, body };
    };
    const { fields, elsewhere } = (await load(service)).model.more;
    assert.equal(
      fields.some(({ path }) => path === retries || path === effort),
      false,
    );
    assert.ok(['Num Retries', 'Reasoning Effort'].every((label) => elsewhere.includes(label)));
  });

  it('are none on the first generation', async () => {
    const service = fakeService('observed', { language: 'de' });
    assert.deepEqual((await load(service)).model.more, { fields: [], elsewhere: [] });
  });

  it('aren’t asked for on the first generation', async () => {
    const service = fakeService('observed', { language: 'de' });
    const describeFields = () => Promise.reject(new Error('asked'));
    await load(service, { ...service.client, describeFields });
  });

  it('are waited for only until the opening is canceled', async () => {
    const { service } = await opened();
    const cancel = new AbortController();
    const describeFields = (_kind: string, signal?: AbortSignal) => {
      cancel.abort();
      assert.equal(signal?.aborted, true);
      return Promise.reject(new ApiError('canceled', 'GET', '/x'));
    };
    await assert.rejects(
      SettingsDocument.load({ ...service.client, describeFields }, service.safeguards, cancel.signal),
      { name: 'ApiError', reason: 'canceled' },
    );
  });

  it('hide no error that is not the service’s', async () => {
    const { service } = await opened();
    const describeFields = () => Promise.reject(new TypeError('odd'));
    await assert.rejects(load(service, { ...service.client, describeFields }), /odd/);
  });

  it('are either fields or named as found elsewhere', async () => {
    const { fields, elsewhere } = (await opened()).document.model.more;
    assert.deepEqual(
      fields.filter(({ label }) => elsewhere.includes(label)),
      [],
    );
  });

  it('ask about each one by itself, and keep what the user chose', async () => {
    const { service, document } = await opened();
    await saveElsewhere(service, { [effort]: 'medium', [retries]: 9 });
    const part = { more: { [effort]: 'low', [retries]: 7 } };
    const { conflicts, document: asked } = await saveAs('conflict', document, part, {});
    assert.deepEqual(
      conflicts.map(({ target }) => target.at === 'more' && target.path).toSorted(),
      [retries, effort].toSorted(),
    );
    const resolution = Object.fromEntries(
      conflicts.map(({ key, label }) => [key, label === 'Num Retries' ? 'mine' : 'theirs'] as const),
    );
    const { document: after } = await saveAs('saved', asked, part, { resolution });
    assert.deepEqual([valueAt(after, effort), valueAt(after, retries)], ['medium', 7]);
    assert.deepEqual(service.posts, [{ agent_settings_diff: { llm: { num_retries: 7 } } }]);
  });

  it('come back from a draft without a question if the service has what they were made on', async () => {
    const { service, document } = await opened();
    const part = edits({ more: { [effort]: 'low' } });
    const draft = makeDraft(document.model, part, new Date(0));
    const restored = (await load(service)).restore(draft.edits, draft.base);
    assert.deepEqual(restored.edits, part);
    assert.deepEqual([restored.overlaps, restored.unplaced], [[], []]);
  });

  it('come back from a draft beside those that nobody can place', async () => {
    const { document } = await opened();
    const mine = edits({ more: { [effort]: 'low', 'agent_settings.gone': true } });
    const restored = document.restore(mine, { values: {}, mcpServers: null });
    assert.deepEqual(restored.edits.more, { [effort]: 'low' });
    assert.deepEqual(restored.unplaced, ['agent_settings.gone: On']);
  });

  it('are not undone where the service kept what it had', async () => {
    const { service, document } = await opened();
    service.rewrite = (answer) => {
      const body = structuredClone(answer.body) as { agent_settings?: { llm: Record<string, unknown> } };
      Object.assign(body.agent_settings?.llm ?? {}, { num_retries: 5 });
      return { ...answer, body };
    };
    const more = { [retries]: 7, [effort]: 'low' };
    const { document: after } = await saveAs('saved', document, { more }, {});
    assert.deepEqual(after.undo()?.edits.more, { [effort]: 'high' });
  });
});
