import assert from 'node:assert/strict';
import {
  askLine,
  filePath,
  firstWords,
  foldWords,
  moveLine,
  stepLine,
} from '../../../../src/features/conversation/page/stepWords';
import type { StepDetail, StepEntry } from '../../../../src/shared/transcript';
import { step, terminal } from '../../../support/conversation/entries';

const command: StepDetail = { step: 'terminal', command: 'ls', output: null, exitCode: null };
const edit: Extract<StepDetail, { step: 'edit' }> = {
  ...{ step: 'edit', path: '/w/a.ts', isNew: false, added: 1, removed: 0, diff: [], hasContents: false },
};
const look = (how?: 'list' | 'search'): StepDetail => ({
  ...{ step: 'read', path: '/w/a', output: null, ...(how && { how }) },
});
const plan: StepDetail = {
  step: 'plan',
  tasks: (['done', 'todo', 'in_progress', 'done'] as const).map((status) => ({
    title: '',
    notes: '',
    status,
  })),
};
const tool = (kind: 'mcp' | 'browser' | 'other', more: object = {}) =>
  ({ step: kind, tool: 'find_it', input: '', output: null, ...more }) as StepDetail;
const about = (what: string, subject: string) => tool('other', { about: { what, subject } });

type State = StepEntry['state'];
const line = (detail: StepDetail, state: State = 'done', more: Partial<StepEntry> = {}) => {
  const { before, subject, after, facts } = stepLine(step(detail, { state, took: null, ...more }));
  return `${before}[${subject}]${after}${facts.map((fact) => ` · ${fact}`).join('')}`;
};

describe('the line of a step', () => {
  // Numbers on the page are in its language.
  before(() => Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));

  for (const [detail, running, wants, over] of [
    [command, 'Running [ls]', 'Wants to run [ls]', 'Ran [ls]'],
    [edit, 'Editing [/w/a.ts]', 'Wants to edit [/w/a.ts]', 'Edited [/w/a.ts]'],
    [{ ...edit, isNew: true }, 'Creating [/w/a.ts]', 'Wants to create [/w/a.ts]', 'Created [/w/a.ts]'],
    [{ ...edit, isDeleted: true }, 'Deleting [/w/a.ts]', 'Wants to delete [/w/a.ts]', 'Deleted [/w/a.ts]'],
    [look(), 'Reading [/w/a]', 'Wants to read [/w/a]', 'Read [/w/a]'],
    [look('list'), 'Listing [/w/a]', 'Wants to list [/w/a]', 'Listed [/w/a]'],
    [look('search'), 'Searching for [/w/a]', 'Wants to search for [/w/a]', 'Searched for [/w/a]'],
    [tool('mcp'), 'Using [find_it]', 'Wants to use [find_it]', 'Used [find_it]'],
    [tool('browser'), 'Browsing with [find_it]', 'Wants to browse with [find_it]', 'Browsed with [find_it]'],
    [tool('other'), 'Using [find_it]', 'Wants to use [find_it]', 'Used [find_it]'],
    [{ step: 'finish', text: 'Done.' }, 'Finishing[]', 'Wants to finish[]', 'Finished[]'],
    [
      about('skill', 'deploy'),
      'Loading the skill [deploy]',
      'Wants to load the skill [deploy]',
      'Loaded the skill [deploy]',
    ],
    [about('call', 'Ask'), '[Ask]', '[Ask]', '[Ask]'],
  ] as const)
    it(`says what was done, or would be: ${over}`, () => {
      assert.deepEqual(
        [line(detail, 'running'), line(detail, 'pending'), line(detail)],
        [running, wants, over],
      );
    });

  it('says how a plan is going, and how a thought begins', () => {
    assert.equal(line(plan), 'Updated the plan[] · 2 of 4 done');
    assert.equal(line({ step: 'think', text: '**Hm**, `a`' }), 'Thought[] · Hm, a');
    assert.equal(line({ step: 'think', text: '' }), 'Thought[]');
    assert.equal(firstWords('## A > b _c_'), 'A b c');
    assert.equal(firstWords(`* ${'x'.repeat(200)}`).length, 100);
  });

  it('says how a command ended, where, and how long it took', () => {
    const ended = (exitCode: number | null) => line({ ...command, exitCode });
    assert.deepEqual([ended(0), ended(null), ended(2)], ['Ran [ls]', 'Ran [ls]', 'Ran [ls] · exit 2']);
    assert.equal(line(command, 'done', { took: 999 }), 'Ran [ls]');
    assert.match(line(command, 'done', { took: 1_000 }), /^Ran \[ls\] · 1\D* s$/);
    const of = { short: (path: string) => path.replace('/w/', ''), folder: (path: string) => path.slice(3) };
    const at = { ...command, folder: '/w/src' } as StepDetail;
    assert.deepEqual(stepLine(step(at, { took: null }), of).facts, ['in src']);
    assert.deepEqual(stepLine(step(command, { took: null }), of).facts, []);
    assert.deepEqual(stepLine(terminal('ls', '', 0, { took: null })).facts, []);
    assert.equal(stepLine(step(edit), of).subject, 'a.ts');
    assert.equal(stepLine(step(look('search')), of).subject, '/w/a', 'it’s no path');
  });

  it('says what became of it first, and how many pictures it brought last', () => {
    const failed = { ...command, exitCode: 1 } as StepDetail;
    assert.equal(line(failed, 'failed'), 'Ran [ls] · failed · exit 1');
    assert.equal(line(command, 'rejected'), 'Wants to run [ls] · rejected');
    assert.equal(line(command, 'rejected', { isBlocked: true }), 'Wants to run [ls] · blocked by a hook');
    assert.equal(line(command, 'left'), 'Wants to run [ls] · not run');
    assert.equal(line(command, 'unanswered'), 'Wants to run [ls] · no result');
    assert.equal(line(failed, 'done', { images: 1 }), 'Ran [ls] · exit 1 · 1 picture');
    assert.equal(line(failed, 'done', { images: 3 }), 'Ran [ls] · exit 1 · 3 pictures');
  });

  it('counts the files of an edit of several', () => {
    assert.equal(line({ ...edit, files: 3 }), 'Edited [/w/a.ts] · 3 files');
    const asked = askLine({ ...edit, files: 3 });
    assert.deepEqual(asked, { before: 'Edit ', subject: '/w/a.ts', after: '', files: '3 files' });
    assert.equal(askLine(command).files, '');
  });

  it('has the path of what can be opened, and of nothing else', () => {
    assert.deepEqual([edit, look(), look('list')].map(filePath), ['/w/a.ts', '/w/a', '/w/a']);
    assert.deepEqual([look('search'), command, plan].map(filePath), [undefined, undefined, undefined]);
    assert.ok(!('path' in stepLine(step(command))));
  });

  it('says what an action would do', () => {
    assert.deepEqual(moveLine(), { before: 'Move ', after: '' });
    const ask = (detail: StepDetail) => {
      const { before, subject, after } = askLine(detail);
      return `${before}[${subject}]${after}`;
    };
    assert.deepEqual([command, look(), look('search'), plan, tool('mcp')].map(ask), [
      'Run [ls]',
      'Look at [/w/a]',
      'Search for [/w/a]',
      'Update the plan[]',
      'Use [find_it]',
    ]);
  });

  it('counts folded steps by their kind', () => {
    const steps = (...details: StepDetail[]) => foldWords(details.map((detail) => step(detail)));
    assert.equal(
      steps(look(), look('list'), look('search'), tool('browser')),
      'Read 1 file, 1 folder listing, 1 search, 1 browser step',
    );
    const two = [look(), look('list'), look('search'), tool('browser')].flatMap((one) => [one, one]);
    assert.equal(steps(...two), 'Read 2 files, 2 folder listings, 2 searches, 2 browser steps');
    assert.equal(steps(look('search')), '1 search');
    assert.equal(steps(look()), 'Read 1 file');
  });
});
