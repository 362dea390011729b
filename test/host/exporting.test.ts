import assert from 'node:assert/strict';
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
  const exportAll = async (unknown = '') => {
    const model = new ReadModel();
    model.set({ head: head({ title: 'Fix it' }) });
    const conversations = {
      service: 'http://service.invalid',
      model: (id: string) => (id === unknown ? undefined : model),
      transcript: () => Promise.resolve('{}'),
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
    await exportAll('c');
    assert.deepEqual(answers.said, [`Exported 2 of 3 transcripts to ${folder}.`]);
    answers.restore();
    answers = answering(['JSON']);
    await exportAll('a');
    assert.deepEqual(answers.said, []);
  });
});
