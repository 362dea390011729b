import assert from 'node:assert/strict';
import type { FromPage } from '../../../../src/shared/conversationFromPage';
import { Harness } from './support';

const path = '../../../../home/me/.ssh/id_rsa';
const file = `file:///home/me/.ssh/id_rsa`;
const nothing: readonly string[] = [];

const cases: {
  [Type in FromPage['type']]: [Omit<Extract<FromPage, { type: Type }>, 'type'>, readonly string[]];
} = {
  ready: [{ draft: { text: file, revision: 1 } }, nothing],
  loadOlder: [{}, nothing],
  goTo: [{ id: path }, nothing],
  search: [{ query: file }, nothing],
  draft: [{ text: file, revision: 1 }, nothing],
  send: [{ text: file, revision: 1 }, nothing],
  takeBack: [{ id: path }, nothing],
  resend: [{ id: path }, nothing],
  dismissAside: [{}, nothing],
  addContext: [{}, ['picked']],
  findContext: [{ query: file }, nothing],
  findSkills: [{ query: file }, nothing],
  mention: [{ id: path }, nothing],
  attachFiles: [{ uris: [file] }, ['located', 'asked']],
  attachPicture: [{ uri: file }, nothing],
  removeAttachment: [{ id: path }, nothing],
  approve: [{ ids: [path], marks: [path] }, nothing],
  reject: [{ ids: [path], reason: file }, nothing],
  pause: [{}, nothing],
  interrupt: [{}, nothing],
  resume: [{}, nothing],
  changePolicy: [{}, ['run changePolicy']],
  locate: [{ paths: [path, file] }, nothing],
  openFile: [{ path, id: path, line: 1 }, nothing],
  openDiff: [{ id: path }, nothing],
  showStep: [{ id: path }, [`step ${path}`]],
  openPort: [{ id: path }, nothing],
  showChanges: [{}, ['run showChanges']],
  openWhole: [{ id: path }, nothing],
  showPictures: [{ id: path }, nothing],
  openAsText: [{}, ['run openAsText']],
  export: [{}, ['run export']],
  openPullRequest: [{}, ['run openPullRequest']],
  revealSandbox: [{}, ['run revealSandbox']],
  switchHere: [{}, ['switched']],
  nextStep: [{}, ['run nextStep']],
  openLink: [{ url: 'https://example.com/?leak=1' }, ['asked']],
  copyCode: [{ text: file }, [`copied ${file}`]],
  copy: [{ id: path, what: 'text' }, nothing],
  refused: [{ what: file }, nothing],
};

describe('a conversation’s page that somebody took over', () => {
  for (const [type, [members, expected]] of Object.entries(cases))
    it(`makes the extension read and open nothing of its choice with ${type}`, async () => {
      const test = await new Harness().open();
      const { done } = test;
      test.agrees = false;
      test.files = {
        pickFiles: () => Promise.resolve(done.push('picked')).then(() => []),
        locateFile: (uri) => {
          done.push('located');
          return Promise.resolve({ uri, name: uri, paths: [uri], isInside: false });
        },
        readFile: () => Promise.resolve(done.push('read')).then(() => undefined),
      };
      await test.forge({ type, ...members });
      assert.deepEqual(
        done.map((one) => (one.startsWith('asked ') ? 'asked' : one)),
        expected,
      );
      assert.deepEqual(test.stored.attachments, []);
    });
});
