import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Refusal } from '../../src/core/basics/refusal';
import { exportTranscript } from '../../src/features/live/commands/transcript';
import { anError } from '../support/builders/client';
import { ReadModel } from '../support/conversation/fakeModel';
import { head } from '../support/conversation/entries';
import { answering } from './answering';

describe('exporting several transcripts', () => {
  const { showOpenDialog, showErrorMessage } = vscode.window;
  let folder: string;
  let answers: ReturnType<typeof answering>;
  let errors: string[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-workspace-test-'));
    answers = answering(['JSON']);
    errors = [];
    Object.assign(vscode.window, {
      showOpenDialog: () => Promise.resolve([vscode.Uri.file(folder)]),
      // The user looks at it later.
      showErrorMessage: (message: string) => {
        errors.push(message);
        return new Promise(() => undefined);
      },
    });
  });
  afterEach(async () => {
    answers.restore();
    Object.assign(vscode.window, { showOpenDialog, showErrorMessage });
    await rm(folder, { recursive: true });
  });

  /** Exports the conversations `a`, `b`, and `c`, of which one can't be read if it's named. */
  const exportAll = async ({
    unknown = '',
    title = 'Fix it',
    whileReading = (_id: string): unknown => undefined,
  } = {}) => {
    const modelOf = (id: string) => {
      const model = Object.assign(new ReadModel(), { id });
      model.set({ head: head({ title }) });
      return model;
    };
    const conversations = {
      service: 'http://service.invalid',
      model: (id: string) => (id === unknown ? undefined : modelOf(id)),
      transcript: async ({ id }: { id: string }) => {
        await whileReading(id);
        return '{}';
      },
    };
    const names: Record<string, string> = { a: 'Do a', b: 'Do b', c: 'Do c' };
    const lists = {
      service: conversations.service,
      conversation: (id: string) => ({ id, title: names[id] }),
    };
    const needs = { conversations, model: lists } as unknown as Parameters<typeof exportTranscript>[0];
    const rows = ['a', 'b', 'c'].map((id) => ({ ref: { kind: 'conversation', id } }));
    await exportTranscript(needs)(rows[0], rows);
  };

  it('says where they are', async () => {
    await exportAll();
    assert.deepEqual(answers.said, [`Exported 3 of 3 transcripts to ${folder}.`]);
    assert.deepEqual((await readdir(folder)).sort(), ['Fix it 2.json', 'Fix it 3.json', 'Fix it.json']);
  });

  it('exports the others if some can’t be read, and names those with the reason', async () => {
    const refused = () => Promise.reject(new Refusal('Not all of it can be read.'));
    await exportAll({ unknown: 'a', whileReading: (id) => id === 'c' && refused() });
    assert.deepEqual(answers.said, [
      'Couldn’t export “Do a”, “Do c”. Conversations of this service can only be continued in the browser.',
      `Exported 1 of 3 transcripts to ${folder}.`,
    ]);
    answers.restore();
    answers = answering(['JSON']);
    await exportAll({ whileReading: () => Promise.reject(anError('serverError', 500)) });
    assert.deepEqual(answers.said, []);
    assert.match(errors.join('\n'), /^Couldn’t export “Do a”, “Do b”, “Do c”\. /);
  });

  it('says which one can’t be written, and how many are there', async () => {
    await exportAll({ whileReading: (id) => id === 'b' && mkdirSync(path.join(folder, 'Fix it 2.json')) });
    assert.match(errors.join('\n'), /^Couldn’t export “Do b”\. /);
    assert.deepEqual(answers.said, [`Exported 2 of 3 transcripts to ${folder}.`]);
  });

  for (const [title, name] of [
    ['con', '_con.json'],
    ['Lpt1.x', '_Lpt1.x.json'],
    ['console', 'console.json'],
    ['..', '-.json'],
    ['.env', '-env.json'],
    ['แก้ไขไฟล์', 'แก้ไขไฟล์.json'],
    ['a/b\\c:d', 'a-b-c-d.json'],
  ] as const)
    it(`names the file of “${title}” ${name}`, async () => {
      await exportAll({ title });
      assert.ok((await readdir(folder)).includes(name));
    });
});
