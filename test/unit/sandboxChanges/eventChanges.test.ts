import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { eventSchema } from '../../../src/api/events/schema';
import { blobHash } from '../../../src/features/sandboxChanges/model/blobHash';
import { addressOf } from '../../../src/features/targets/model/changePlace';
import { eventEdits, EventChanges } from '../../../src/features/sandboxChanges/model/eventChanges';
import { planChanges } from '../../../src/features/changes/model/planning';
import { compact } from '../../../src/features/transcript/model/compact';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { Refusal } from '../../../src/core/basics/refusal';
import { EventLog } from '../../service/agent/eventLog';
import { realClock } from '../../service/clock';
import { aMessage, anAction, aResult } from '../transcript/events';

const root = '/workspace/project/shop';
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

/** Events of an agent’s editor, as servers tell them. */
class Editor {
  private readonly log = new EventLog(realClock(), { terse: false, branches: false });

  edit(
    path: string,
    before: string | null,
    after: string | null,
    members: Record<string, unknown> = {},
  ): string {
    const action = this.log.action('file_editor', {
      kind: 'FileEditorAction',
      command: members['command'] ?? 'str_replace',
      path: `${root}/${path}`,
    });
    this.log.observation(action, 'FileEditorObservation', 'Done.', {
      path: `${root}/${path}`,
      prev_exist: before !== null,
      old_content: before,
      new_content: after,
      ...members,
    });
    return action.id;
  }

  get events(): AgentEvent[] {
    return this.log.all.map((event) => eventSchema.parse(event));
  }
}

describe('changes from events', () => {
  let editor: Editor;
  beforeEach(() => (editor = new Editor()));

  const list = (entryId?: string, repository: string | null = 'acme/shop') =>
    new EventChanges(eventEdits(editor.events, entryId), repository).list();

  it('go from before the first edit of a file to after the last', async () => {
    editor.edit('src/a.ts', 'one\r\n', 'two\r\n');
    editor.edit('src/a.ts', 'two\r\n', 'three', { command: 'insert' });
    editor.edit('new.ts', null, 'x', { command: 'create' });
    const source = new EventChanges(eventEdits(editor.events), 'acme/shop');
    const { repository, files, complete } = await source.list();
    assert.equal(complete, false);
    assert.deepEqual([repository.root, repository.name, repository.base], [root, 'shop', null]);
    assert.deepEqual(
      files.map(({ kind, path }) => `${kind} ${path}`),
      ['added new.ts', 'modified src/a.ts'],
    );
    const [created, edited] = files;
    assert.equal(created?.before, null);
    assert.equal(text(await source.content(edited!.before!)), 'one\r\n');
    assert.equal(text(await source.content(edited!.after!)), 'three');
  });

  it('are of one file however the agent spells its path', async () => {
    const spellings = [
      'src/a.ts',
      './src/a.ts',
      '/src//a.ts',
      'src/../src/./a.ts',
      '../shop/src/a.ts',
      'x/../src/a.ts/',
    ];
    for (const [index, path] of spellings.entries()) editor.edit(path, `${index}`, `${index + 1}`);
    const source = new EventChanges(eventEdits(editor.events), 'acme/shop');
    const [only, ...others] = (await source.list()).files;
    assert.deepEqual([only?.path, others], ['src/a.ts', []]);
    assert.equal(text(await source.content(only!.before!)), '0');
    assert.equal(text(await source.content(only!.after!)), `${spellings.length}`);
  });

  it('name files elsewhere, which can’t be applied, and open with all others', async () => {
    editor.edit('a.ts', '1', '2');
    for (const path of ['../../../tmp/x', '/../../other/b.ts', '../shopping/c.ts', '\uD800.ts'])
      editor.edit(path, '1', '2');
    const changes = await list();
    const elsewhere = ['/tmp/x', '/workspace/other/b.ts', '/workspace/project/shopping/c.ts'];
    assert.deepEqual(
      changes.files.map(({ path }) => path),
      [...elsewhere, 'a.ts', '\uD800.ts'],
    );
    const target = { read: () => Promise.resolve(null), windows: false };
    const { refused } = await planChanges(
      changes,
      () => assert.fail(),
      target,
      () => undefined,
    );
    for (const path of elsewhere) assert.equal(refused.find((one) => one.path === path)?.why, 'outside');
    const origin = { conversation: 'c', from: 'events' as const, root };
    for (const file of changes.files)
      for (const folder of [undefined, '', 'shop', '/'])
        for (const side of ['before', 'after'] as const) {
          const { path } = addressOf(origin, file, side, folder)!;
          assert.match(path, /^\/[^/]/);
          assert.ok(encodeURI(path));
        }
  });

  it('leave out what was undone, what failed, and what was only looked at', async () => {
    editor.edit('a.ts', 'one', 'two');
    editor.edit('a.ts', 'two', 'one', { command: 'undo_edit' });
    editor.edit('b.ts', null, null, { command: 'view' });
    editor.edit('c.ts', 'one', 'two', { is_error: true });
    assert.deepEqual((await list()).files, []);
  });

  it('name files whose contents are too large to be held', async () => {
    editor.edit('large.ts', null, null);
    const [file] = (await list()).files;
    assert.deepEqual(file, {
      path: 'large.ts',
      kind: 'modified',
      before: { oid: '', mode: '100644', size: null },
      after: { oid: '', mode: '100644', size: null },
    });
  });

  it('name such files of the first releases, too, which called their editor another name', async () => {
    const action = anAction('StrReplaceEditorAction', { command: 'str_replace' });
    const result = aResult(action, { kind: 'StrReplaceEditorObservation', path: `${root}/large.ts` });
    const { files } = await new EventChanges(eventEdits([action, result]), 'acme/shop').list();
    assert.deepEqual(
      files.map(({ path, after }) => [path, after?.size]),
      [['large.ts', null]],
    );
  });

  it('are of one step if asked for', async () => {
    editor.edit('a.ts', 'one', 'two');
    const id = editor.edit('src/b.ts', 'one', 'two');
    assert.deepEqual(
      (await list(id)).files.map(({ path }) => path),
      ['src/b.ts'],
    );
  });

  it('are relative to the folder of all files in a conversation without a repository', async () => {
    editor.edit('src/a.ts', 'one', 'two');
    editor.edit('src/sub/b.ts', 'one', 'two');
    const { repository, files } = await list(undefined, null);
    assert.equal(repository.root, `${root}/src`);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['a.ts', 'sub/b.ts'],
    );
  });

  it('are relative to the folder of the only file, and named by it', async () => {
    editor.edit('src/a.ts', 'one', 'two');
    const { repository, files } = await list(undefined, null);
    assert.deepEqual([repository.root, repository.name, files[0]?.path], [`${root}/src`, 'src', 'a.ts']);
  });

  it('are in the repository’s folder, wherever the first of its files is', async () => {
    editor.edit('notes', null, 'x', { path: '/tmp/notes' });
    editor.edit('deep/er/b.ts', 'one', 'two');
    editor.edit('a.ts', null, 'x');
    const { repository, files } = await list();
    assert.equal(repository.root, root);
    assert.deepEqual(
      files.map(({ kind, path }) => `${kind} ${path}`),
      ['added /tmp/notes', 'added a.ts', 'modified deep/er/b.ts'],
    );
  });

  it('have no contents but their own', async () => {
    editor.edit('a.ts', 'one', 'two');
    const source = new EventChanges(eventEdits(editor.events), 'acme/shop');
    await assert.rejects(source.content({ oid: '0'.repeat(40), mode: '100644', size: 1 }), Refusal);
  });

  it('name a file whose contents became too large to be held', async () => {
    editor.edit('large.ts', 'small', 'still small');
    editor.edit('large.ts', null, null);
    const [file] = (await list()).files;
    assert.deepEqual(
      [file?.kind, file?.before?.size, file?.after],
      ['modified', 5, { oid: '', mode: '100644', size: null }],
    );
  });

  it('are named by the repository, also in groups, and where none of its files was touched', async () => {
    editor.edit('notes', null, 'x', { path: '/tmp/notes' });
    const { repository, files } = await list(undefined, 'acme/tools/web');
    assert.deepEqual([repository.root, repository.name], ['/tmp', 'web']);
    assert.deepEqual(files[0]?.after, { oid: blobHash(Buffer.from('x')), mode: '100644', size: 1 });
    editor.edit('a.ts', null, 'x', { path: '/work/web/a.ts' });
    assert.equal((await list(undefined, 'acme/tools/web')).repository.root, '/work/web');
  });

  it('are in the repository’s folder, also if that is called as the one it is in', async () => {
    for (const name of ['project', 'workspace']) {
      editor = new Editor();
      editor.edit('x', null, 'x', { path: `/workspace/project/${name}/src/${name}/new.ts` });
      const { repository, files } = await list(undefined, `acme/${name}`);
      assert.deepEqual(
        [repository.root, files[0]?.path],
        [`/workspace/project/${name}`, `src/${name}/new.ts`],
      );
    }
  });

  it('are relative to what their folders have in common', async () => {
    const rootOf = async (...paths: string[]) => {
      editor = new Editor();
      for (const path of paths) editor.edit('x', null, 'x', { path });
      const { repository, files } = await list(undefined, null);
      return [repository.root, files.length];
    };
    assert.deepEqual(await rootOf('/w/a/deep/x', '/w/a/y', '/w/a/b/z'), ['/w/a', 3]);
    assert.deepEqual(await rootOf('/w/a/x', '/w/a/y', '/w/b/z'), ['/w', 3]);
    assert.deepEqual(await rootOf('/a/x', '/b/y'), ['', 2]);
    assert.deepEqual(await rootOf('/x'), ['', 1]);
  });

  it('leave out results without a file, and of other tools', () => {
    const result = (path: string | null, after: string | null, kind: string | null) => {
      const action = anAction(kind ?? '', { command: 'create' });
      return eventEdits([
        ...(kind === null ? [] : [action]),
        aMessage('Hi'),
        aResult(action, { path, after }),
      ]);
    };
    assert.deepEqual(result(null, 'x', 'FileEditorAction'), []);
    assert.deepEqual(result('/a', null, 'GrepAction'), []);
    assert.deepEqual(result('/a', null, null), []);
    assert.equal(result('/a', 'x', null).length, 1);
    assert.equal(result('/a', null, 'FileEditorAction').length, 1);
  });

  it('aren’t applied where secrets of the file are masked', async () => {
    const { event } = createSecretMask(() => ['canary-secret']);
    editor.edit('new.ts', null, 'key = "canary-secret"\n');
    // A file that is here has the secret itself: the masked text would seem to be another change of it.
    editor.edit('old.ts', 'key = "canary-secret"\n', 'key = process.env.KEY\n');
    editor.edit('a.ts', 'one\n', 'two\n');
    const source = new EventChanges(eventEdits(editor.events.map(event)), 'acme/shop');
    const target = { read: (path: string) => Promise.resolve(path === 'a.ts' ? here : null), windows: false };
    const here = { content: Buffer.from('one\n'), executable: false };
    const content = source.content.bind(source);
    const { changes, refused } = await planChanges(await source.list(), content, target, () => undefined);
    assert.deepEqual(
      [changes.map(({ path }) => path), refused],
      [
        ['a.ts'],
        [
          { path: 'new.ts', why: 'masked' },
          { path: 'old.ts', why: 'masked' },
        ],
      ],
    );
  });

  it('are applied to a file that contains bullets itself', async () => {
    const { event } = createSecretMask(() => ['canary-secret']);
    for (const [path, text] of [
      ['form.ts', "const mask = '••••••••';\n"],
      ['list.md', '•••••••••••• one\n'],
    ] as const)
      editor.edit(path, null, text);
    const source = new EventChanges(eventEdits(editor.events.map(event)), 'acme/shop');
    const target = { read: () => Promise.resolve(null), windows: false };
    const content = source.content.bind(source);
    const { changes, refused } = await planChanges(await source.list(), content, target, () => undefined);
    assert.deepEqual([changes.map(({ path }) => path), refused], [['form.ts', 'list.md'], []]);
  });

  it('are none without edits', async () => {
    const { files, repository } = await list();
    assert.deepEqual([files, repository.root, repository.name], [[], '', 'shop']);
  });

  describe('of other tools', () => {
    let count = 0;
    /** Reads events as servers tell them, in this order. */
    const told = (...events: object[]): AgentEvent[] =>
      events.map((event) => {
        count += 1;
        const timestamp = `2026-01-01T00:00:00.${String(count).padStart(6, '0')}`;
        return eventSchema.parse({ id: `e${count}`, timestamp, source: 'agent', ...event });
      });
    const acted = (action: object, observation: object) => {
      const id = `a${(count += 1)}`;
      return [
        { kind: 'ActionEvent', id, tool_call_id: id, action },
        { kind: 'ObservationEvent', action_id: id, observation },
      ];
    };
    const listed = async (events: readonly AgentEvent[], repository: string | null = 'acme/shop') => {
      const { files } = await new EventChanges(eventEdits(events), repository).list();
      return files.map(({ kind, path, before, after }) => [kind, path, before?.size, after?.size]);
    };
    const aPatch = (changes: object) =>
      acted(
        { kind: 'ApplyPatchAction', patch: '' },
        { kind: 'ApplyPatchObservation', content: [], commit: { changes } },
      );

    it('are those of each file of a patch, whose paths are relative', async () => {
      const changes = {
        'src/a.ts': { type: 'update', old_content: 'x', new_content: 'yy' },
        'new.ts': { type: 'add', new_content: 'n' },
        'old.ts': { type: 'delete', old_content: 'oo' },
        'from.ts': { type: 'update', old_content: 'f', new_content: 'ff', move_path: 'to.ts' },
      };
      const expected = [
        ['deleted', 'from.ts', 1, undefined],
        ['added', 'new.ts', undefined, 1],
        ['deleted', 'old.ts', 2, undefined],
        ['modified', 'src/a.ts', 1, 2],
        ['added', 'to.ts', undefined, 2],
      ];
      assert.deepEqual(await listed(told(...aPatch(changes))), expected);
      const below = Object.fromEntries(
        Object.entries(changes).map(([path, change]) => [
          `shop/${path}`,
          'move_path' in change ? { ...change, move_path: `shop/${change.move_path}` } : change,
        ]),
      );
      assert.deepEqual(await listed(told(...aPatch(below))), expected);
    });

    it('join those of the server’s own editor', async () => {
      const events = [
        ...acted(
          { kind: 'FileEditorAction', command: 'create' },
          { kind: 'FileEditorObservation', path: `${root}/a.ts`, new_content: 'x' },
        ),
        ...aPatch({ 'a.ts': { type: 'update', old_content: 'x', new_content: 'xyz' } }),
        ...acted(
          { kind: 'EditAction' },
          { kind: 'EditObservation', file_path: `${root}/b.ts`, old_content: 'b', new_content: 'bb' },
        ),
        ...acted(
          { kind: 'WriteFileAction' },
          { kind: 'WriteFileObservation', file_path: `${root}/c.ts`, new_content: 'c' },
        ),
        ...acted(
          { kind: 'ReadFileAction' },
          { kind: 'ReadFileObservation', file_path: `${root}/d.ts`, file_content: 'd' },
        ),
      ];
      assert.deepEqual(await listed(told(...events)), [
        ['added', 'a.ts', undefined, 3],
        ['modified', 'b.ts', 1, 2],
        ['added', 'c.ts', undefined, 1],
      ]);
    });

    it('are those of calls that an agent makes itself, once they have succeeded', async () => {
      const call = (id: string, status: string, content: object[]) => ({
        kind: 'ACPToolCallEvent',
        tool_call_id: id,
        title: 'Edit',
        tool_kind: 'edit',
        status,
        content,
      });
      const diff = (path: string, old_text: string | null) => ({
        type: 'diff',
        path: `${root}/${path}`,
        old_text,
        new_text: 'nn',
      });
      const events = told(
        call('1', 'pending', [diff('a.ts', 'a')]),
        call('1', 'completed', []),
        call('2', 'completed', [diff('new.ts', null), diff('b.ts', 'b')]),
        call('3', 'failed', [diff('c.ts', 'c')]),
      );
      // Only a part of a file that was there is known.
      assert.deepEqual(await listed(events), [
        ['modified', 'a.ts', null, null],
        ['modified', 'b.ts', null, null],
        ['added', 'new.ts', undefined, 2],
      ]);
      assert.deepEqual(
        eventEdits(events, events[2]!.id).map(({ path }) => path),
        [`${root}/new.ts`, `${root}/b.ts`],
      );
    });

    it('name the files of calls whose arguments only say what they are called', async () => {
      const call = (tool_kind: string, raw_input: object, status = 'completed') => ({
        kind: 'ACPToolCallEvent',
        tool_call_id: `c${(count += 1)}`,
        title: 'Edit',
        tool_kind,
        status,
        raw_input,
      });
      const path = (name: string) => `${root}/${name}`;
      const events = told(
        call('edit', { file_path: path('a.ts'), old_string: 'x', new_string: 'y' }),
        call('edit', { filePath: path('b.ts'), oldString: 'x', newString: 'y' }),
        call('edit', { path: path('c.ts'), old_str: '', new_str: 'y' }),
        call('edit', { filePath: path('d.ts'), content: 'y' }),
        call('edit', { input: '*** Begin Patch\n*** Update File: e.ts\n*** Move to: f.ts\n*** End Patch' }),
        call('edit', { filePath: path('g.ts'), oldString: 'x', newString: 'y' }, 'failed'),
        call('edit', { filePath: path('h.ts'), content: 'y'.repeat(50_000), other: 'z'.repeat(50_000) }),
        call('read', { filePath: path('i.ts') }),
      );
      const expected = [
        ['modified', 'a.ts', null, null],
        ['modified', 'b.ts', null, null],
        ['added', 'c.ts', undefined, null],
        ['modified', 'd.ts', null, null],
        ['deleted', 'e.ts', null, undefined],
        ['added', 'f.ts', undefined, null],
        ['modified', 'h.ts', null, null],
      ];
      assert.deepEqual(await listed(events), expected);
      assert.deepEqual(await listed(events.map(compact)), expected);
    });

    it('mark what is masked in each file', async () => {
      const { event } = createSecretMask(() => ['canary-secret']);
      const changes = {
        'a.ts': { type: 'update', old_content: 'x', new_content: 'canary-secret' },
        'b.ts': { type: 'add', new_content: 'fine' },
        'c.ts': { type: 'update', old_content: 'canary-secret', new_content: 'x' },
      };
      const { files } = await new EventChanges(eventEdits(told(...aPatch(changes)).map(event)), null).list();
      assert.deepEqual(
        files.map(({ path, before, after }) => [path, before?.masked, after?.masked]),
        [
          ['a.ts', undefined, true],
          ['b.ts', undefined, undefined],
          ['c.ts', true, undefined],
        ],
      );
    });
  });
});
