import assert from 'node:assert/strict';
import { agentFolders } from '../../../../src/shared/agentFolders';
import type { Entry } from '../../../../src/shared/transcript';
import { entryMarkdown } from '../../../../src/features/transcript/model/exportText';
import { entryName } from '../../../../src/features/conversation/page/view/entry';
import { message, separator } from '../../../support/conversation/entries';

describe('senders and separators', () => {
  // Times on the page are in its language.
  before(() => Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));

  it('have the same words on the page and in an export', () => {
    const onPage = (entry: Entry) => entryName(entry, agentFolders('', null)).split(',')[0];
    const inExport = (entry: Entry) => /^## (.*?) · /.exec(entryMarkdown(entry))?.[1];
    const entries = [
      ...(['user', 'agent', 'environment'] as const).map((from) => message(from, 'Hello')),
      ...(['paused', 'interrupted', 'condensed', 'modelChanged', 'gap', 'other'] as const).map((what) =>
        separator(what),
      ),
    ];
    assert.deepEqual(entries.map(onPage), entries.map(inExport));
  });
});
