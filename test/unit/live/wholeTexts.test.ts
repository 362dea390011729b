import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { createEntryMaker } from '../../../src/features/transcript';
import { compact } from '../../../src/features/transcript/model/compact';
import {
  editedFileOf,
  fullTextOf,
  picturesIn,
  wholeEvents,
} from '../../../src/features/live/model/wholeTexts';
import {
  aCommand,
  aMessage,
  anAction,
  anEvent,
  aRejection,
  aReport,
  aResult,
  ofOtherKinds,
} from '../transcript/events';

const long = (mark: string) => mark.repeat(50_000);
const never = new AbortController().signal;

/** Reads these events again, as the server has them; notes which. */
function server(...events: AgentEvent[]) {
  const asked: string[] = [];
  const read = (id: string) => {
    asked.push(id);
    return Promise.resolve(events.find((event) => event.id === id) ?? null);
  };
  return { asked, read };
}

describe('the whole text of an entry', () => {
  /** Of an event that is held whole. */
  const textOf = (events: AgentEvent[], { id } = events[0]!) => fullTextOf(events, id, server().read);

  it('is what was said, without asking for what is held whole', async () => {
    const { asked, read } = server();
    const message = aMessage('Hello');
    assert.equal(await fullTextOf([aMessage('Other'), message], message.id, read), 'Hello');
    assert.deepEqual(asked, []);
    assert.equal(await textOf([anEvent({ kind: 'failure', code: 'E', detail: 'Broken' })]), 'Broken');
    assert.equal(await textOf([anEvent({ kind: 'condensation', summary: 'So far' })]), 'So far');
    for (const event of ofOtherKinds().filter(({ kind }) => kind !== 'action'))
      assert.equal(await textOf([event]), '', event.kind);
  });

  it('is none for an entry that isn’t there', async () => {
    assert.equal(await fullTextOf([aMessage('Hello')], 'other', server().read), undefined);
  });

  it('is a command with its result', async () => {
    const command = aCommand('ls');
    assert.equal(await textOf([command]), '$ ls');
    assert.equal(await textOf([command, aResult(command, { text: 'a\nb' })]), '$ ls\n\na\nb');
    assert.equal(await textOf([command, aResult(command)]), '$ ls');
    assert.equal(await textOf([command, aRejection(command, 'Never')]), '$ ls\n\nNever');
  });

  it('is the arguments of another action, or the call as the model wrote it', async () => {
    const grep = anAction('GrepAction', { q: 1 });
    assert.equal(await textOf([grep, aResult(grep, { text: 'found' })]), 'q: 1\n\nfound');
    const call = { ...anAction('GrepAction', {}, { callId: 'c1' }), action: null, call: '{"x":' };
    const error = anEvent({ kind: 'toolError', callId: 'c1', tool: 't', error: 'Invalid' });
    assert.equal(await textOf([call as AgentEvent, error]), '{"x":\n\nInvalid');
  });

  it('is found without pairing all results with their actions again for each', async () => {
    let looks = 0;
    const commands = Array.from({ length: 200 }, (_, number) => aCommand(`echo ${number}`));
    const results = commands.map((command, number) =>
      Object.defineProperty(aResult(command, { text: String(number) }), 'actionId', {
        get: () => {
          looks += 1;
          return command.id;
        },
      }),
    );
    const events = [...commands, ...results];
    for (const [number, { id }] of commands.entries())
      assert.equal(await fullTextOf(events, id, server().read), `$ echo ${number}\n\n${number}`);
    assert.ok(looks < 2_000, `${looks} looks`);
  });

  it('is read again where it was shortened', async () => {
    const [message, command] = [aMessage(long('m')), aCommand('cat')];
    const result = aResult(command, { text: long('r') });
    const { asked, read } = server(message, result);
    const held = [message, command, result].map(compact);
    assert.equal(await fullTextOf(held, message.id, read), long('m'));
    assert.equal(await fullTextOf(held, command.id, read), `$ cat\n\n${long('r')}`);
    assert.deepEqual(asked, [message.id, result.id]);
  });

  it('stays shortened where the server doesn’t have it any longer', async () => {
    const held = compact(aMessage(long('m')));
    const text = await fullTextOf([held], held.id, server().read);
    assert.equal(text, held.kind === 'message' && held.text);
  });
});

describe('all events, whole', () => {
  const message = { ...aMessage(long('m')), images: 1, pictures: ['data:image/png;base64,AQID'] };
  const events = [aMessage('Short'), message].map(compact);

  it('are read again one by one, where they were shortened, without pictures', async () => {
    const { asked, read } = server(message);
    const [short, whole, ...others] = await wholeEvents(events, read, never);
    assert.deepEqual([short, others, asked], [events[0], [], [message.id]]);
    assert.ok(whole?.kind === 'message' && !('pictures' in whole));
    assert.equal(whole.text, long('m'));
  });

  it('stay as they are held where that fails, or once it’s canceled', async () => {
    assert.deepEqual(await wholeEvents(events, () => Promise.reject(new Error('down')), never), events);
    const { asked, read } = server(message);
    assert.deepEqual(await wholeEvents(events, read, AbortSignal.abort()), events);
    assert.deepEqual(asked, []);
  });
});

describe('both sides of an edit', () => {
  const action = anAction('FileEditorAction', { command: 'create', path: '/a' });
  const sides = (result: Parameters<typeof aResult>[1]) =>
    editedFileOf([aMessage('Hi'), action, aResult(action, result)], action.id);

  it('are those of its result', () => {
    assert.deepEqual(sides({ path: '/a', before: 'x', after: 'y' }), { path: '/a', before: 'x', after: 'y' });
    assert.deepEqual(sides({ path: '/a', after: '' }), { path: '/a', before: '', after: '' });
  });

  it('are those of the last report of a call', () => {
    const reports = ['y', 'z'].map((after) => {
      const { result } = aResult(action, { path: '/a', before: 'x', after }) as Extract<
        AgentEvent,
        { kind: 'observation' }
      >;
      return anEvent({
        ...{ kind: 'toolCall', callId: 'c', title: 'Edit', tool: 'edit', state: 'done', input: null },
        result,
      });
    });
    const after = editedFileOf(reports, reports[0]!.id)?.after;
    assert.equal(after, 'z');
  });

  it('are those of an earlier report of a call whose last one has none', () => {
    const content = [{ type: 'diff', path: '/a', old_text: null, new_text: 'y' }];
    const reports = [
      aReport('c', 'in_progress', { tool_kind: 'edit', content }),
      aReport('c', 'completed', { tool_kind: 'edit' }),
    ];
    const [step] = createEntryMaker()(reports, 'idle');
    assert.ok(step?.kind === 'step' && step.detail.step === 'edit' && step.detail.hasContents);
    assert.deepEqual(editedFileOf(reports, step.id), { path: '/a', before: '', after: 'y' });
  });

  it('aren’t there without a file, a result, or an action', () => {
    assert.equal(sides({ path: '/a', before: 'x' }), undefined);
    assert.equal(sides({ before: 'x', after: 'y' }), undefined);
    assert.equal(editedFileOf([action], action.id), undefined);
    assert.equal(editedFileOf([action, aRejection(action, 'No')], action.id), undefined);
    const message = aMessage('Hi');
    assert.equal(editedFileOf([message], message.id), undefined);
    assert.equal(editedFileOf([message], 'other'), undefined);
  });
});

describe('the pictures of an entry', () => {
  const nothing = {
    ...{ kind: '', text: '', length: 0, isError: false, exitCode: null },
    ...{ path: null, before: null, after: null, tasks: null },
  };
  const report = (state: 'running' | 'done', pictures: readonly unknown[]) =>
    anEvent({
      ...{ kind: 'toolCall', callId: 'c', title: 'Look', tool: 'read', state, input: null },
      result: { ...nothing, images: pictures.length, pictures },
    });
  const inMessage = anEvent({
    ...{ kind: 'message', text: '', length: 0, images: 1, thought: '' },
    pictures: ['in a message'],
  });
  const action = anAction('BrowserAction', {});
  const shot = aResult(action, { images: 1, pictures: ['of a page'] });
  const calls = [report('running', ['first']), report('running', ['last']), report('done', [])] as const;
  const all = [inMessage, action, shot, ...calls];
  const read = async (id: string) => {
    const { asked, read: ask } = server(...all);
    const found = await picturesIn(all, id, ask);
    return [asked, found];
  };

  it('are those of the message, of what the action brought, or of the last report with any', async () => {
    assert.deepEqual(await read(inMessage.id), [[inMessage.id], ['in a message']]);
    assert.deepEqual(await read(action.id), [[shot.id], ['of a page']]);
    assert.deepEqual(await read(calls[0].id), [[calls[1].id], ['last']]);
  });

  it('aren’t there, and aren’t asked for, without an entry, a result, or pictures in any report', async () => {
    assert.deepEqual(await read('other'), [[], []]);
    const bare = [anAction('BrowserAction', {}), report('done', [])];
    const { asked, read: ask } = server(...bare);
    for (const { id } of bare) assert.deepEqual(await picturesIn(bare, id, ask), []);
    assert.deepEqual(asked, []);
    assert.deepEqual(await picturesIn(all, inMessage.id, () => Promise.resolve(null)), []);
  });
});
