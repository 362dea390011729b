import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { exportTranscript } from '../../src/features/live/commands/transcript';
import { ReadModel } from '../support/conversation/fakeModel';
import { head } from '../support/conversation/entries';
import { answering } from './answering';

describe('exporting several transcripts', () => {
  const { showOpenDialog } = vscode.window;
  let folder: string;
  let answers: ReturnType<typeof answering>;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-workspace-test-'));
    answers = answering(['JSON']);
    Object.assign(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(folder)]) });
  });
  afterEach(async () => {
    answers.restore();
    Object.assign(vscode.window, { showOpenDialog });
    await rm(folder, { recursive: true });
  });

  /** Exports the conversations `a`, `b`, and `c`, of which one can't be read if it's named. */
  const exportAll = async ({ unknown = '', title = 'Fix it', whileReading = () => undefined } = {}) => {
    const model = new ReadModel();
    model.set({ head: head({ title }) });
    const conversations = {
      service: 'http://service.invalid',
      model: (id: string) => (id === unknown ? undefined : model),
      transcript: () => {
        whileReading();
        return Promise.resolve('{}');
      },
    };
    const needs = { conversations } as unknown as Parameters<typeof exportTranscript>[0];
    const rows = ['a', 'b', 'c'].map((id) => ({ ref: { kind: 'conversation', id } }));
    await exportTranscript(needs)(rows[0], rows);
  };

  it('says where they are', async () => {
    await exportAll();
    assert.deepEqual(answers.said, [`Exported 3 transcripts to ${folder}.`]);
    assert.deepEqual((await readdir(folder)).sort(), ['Fix it 2.json', 'Fix it 3.json', 'Fix it.json']);
  });

  it('says how many are there if it ended early, and nothing if none are', async () => {
    await exportAll({ unknown: 'c' });
    assert.deepEqual(answers.said, [`Exported 2 of 3 transcripts to ${folder}.`]);
    answers.restore();
    answers = answering(['JSON']);
    await exportAll({ unknown: 'a' });
    assert.deepEqual(answers.said, []);
  });

  it('says which file can’t be written, and how many are there', async () => {
    const errors: string[] = [];
    const { showErrorMessage } = vscode.window;
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => {
        errors.push(message);
        return Promise.resolve(undefined);
      },
    });
    try {
      let read = 0;
      await exportAll({
        whileReading: () => {
          read += 1;
          if (read === 2) mkdirSync(path.join(folder, 'Fix it 2.json'));
        },
      });
    } finally {
      Object.assign(vscode.window, { showErrorMessage });
    }
    assert.match(errors.join('\n'), /^Couldn’t write Fix it 2\.json\. /);
    assert.deepEqual(answers.said, [`Exported 1 of 3 transcripts to ${folder}.`]);
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
