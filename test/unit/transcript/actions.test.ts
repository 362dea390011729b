import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ToolCall } from '../../../src/api/events/event';
import { purposeOf, purposeOfCall } from '../../../src/features/transcript/model/actions';
import { parsePatch } from '../../../src/features/transcript/model/patch';
import { readableArguments } from '../../../src/features/transcript/model/readable';
import { resultSchema } from '../../../src/api/events/results';
import { agentFolders, folderName } from '../../../src/shared/agentFolders';
import { askLine, stepLine } from '../../../src/features/conversation/page/stepWords';
import { detailOf } from '../../../src/features/transcript/model/steps';
import { step } from '../../support/conversation/entries';
import { everyCase } from '../../support/everyCase';

/** The line of an action that’s over, and that of one that waits. */
function lines(kind: string, input: Record<string, unknown>): string[] {
  const detail = detailOf(purposeOf({ kind, input }), undefined, 'tool_name');
  const { before, subject, after } = stepLine(step(detail));
  const ask = askLine(detail);
  return [`${before}${subject}${after}`, `${ask.before}${ask.subject}${ask.after}`];
}

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

const call = (more: Partial<ToolCall>): ToolCall => ({
  callId: 'c',
  title: 'Do it',
  tool: '',
  state: 'done',
  input: null,
  result: {
    kind: '',
    text: '',
    length: 0,
    images: 0,
    isError: false,
    exitCode: null,
    path: null,
    before: null,
    after: null,
    tasks: null,
  },
  ...more,
});

describe('what an action is about', () => {
  const actions: [kind: string, input: Record<string, unknown>, over: string, ask: string][] = [
    ['TerminalAction', { command: 'npm ci' }, 'Ran npm ci', 'Run npm ci'],
    ['FileEditorAction', { command: 'create', path: '/a' }, 'Created /a', 'Create /a'],
    ['FileEditorAction', { command: 'undo_edit', path: '/a' }, 'Edited /a', 'Edit /a'],
    [
      'PlanningFileEditorAction',
      { command: 'insert', path: '/PLAN.md', new_str: 'x' },
      'Edited /PLAN.md',
      'Edit /PLAN.md',
    ],
    ['PlanningFileEditorAction', { command: 'view', path: '/PLAN.md' }, 'Read /PLAN.md', 'Look at /PLAN.md'],
    ['EditAction', { file_path: 'a.py', old_string: 'x', new_string: 'y' }, 'Edited a.py', 'Edit a.py'],
    ['EditAction', { file_path: 'n.py', old_string: '', new_string: 'y' }, 'Created n.py', 'Create n.py'],
    [
      'WriteFileAction',
      { file_path: 'config/app.json', content: '{}' },
      'Edited config/app.json',
      'Edit config/app.json',
    ],
    ['ApplyPatchAction', { patch: patch('*** Add File: n.ts', '+x') }, 'Created n.ts', 'Create n.ts'],
    ['ApplyPatchAction', { patch: patch('*** Delete File: o.ts') }, 'Deleted o.ts', 'Delete o.ts'],
    ['ReadFileAction', { file_path: 'a' }, 'Read a', 'Look at a'],
    ['ListDirectoryAction', { dir_path: 'src' }, 'Listed src', 'List src'],
    ['ListDirectoryAction', {}, 'Listed .', 'List .'],
    [
      'GlobAction',
      { pattern: '**/*.ts', path: '/w' },
      'Searched for **/*.ts · /w',
      'Search for **/*.ts · /w',
    ],
    ['GrepAction', { pattern: 'x+', include: '*.ts' }, 'Searched for x+', 'Search for x+'],
    ['TaskTrackerAction', { command: 'plan', task_list: [] }, 'Updated the plan', 'Update the plan'],
    ['ThinkAction', { thought: 'x' }, 'Thought', 'Think'],
    ['FinishAction', { message: 'x' }, 'Finished', 'Finish'],
    ['MCPToolAction', { data: {} }, 'Used tool_name', 'Use tool_name'],
    [
      'BrowserNavigateAction',
      { url: 'https://a.example' },
      'Opened https://a.example',
      'Open https://a.example',
    ],
    ['BrowserClickAction', { index: 1 }, 'Browsed with tool_name', 'Browse with tool_name'],
    [
      'TaskAction',
      { description: 'Find it', prompt: 'p' },
      'Ran a sub-agent: Find it',
      'Run a sub-agent: Find it',
    ],
    [
      'TaskAction',
      { prompt: 'Look\naround' },
      'Ran a sub-agent: Look around',
      'Run a sub-agent: Look\naround',
    ],
    [
      'DelegateAction',
      { command: 'spawn', ids: ['a', 'b'] },
      'Started sub-agents: a, b',
      'Start sub-agents: a, b',
    ],
    [
      'DelegateAction',
      { command: 'delegate', tasks: { a: 'x' } },
      'Gave tasks to sub-agents: a',
      'Give tasks to sub-agents: a',
    ],
    ['WorkflowAction', { name: 'w', script: 's' }, 'Ran the workflow w', 'Run the workflow w'],
    [
      'StartChildConversationAction',
      { task: 't' },
      'Started another conversation: t',
      'Start another conversation: t',
    ],
    ['AskOracleAction', { question: 'Why?' }, 'Asked for advice: Why?', 'Ask for advice: Why?'],
    ['ConsultTomAction', { reason: 'r' }, 'Asked for advice: r', 'Ask for advice: r'],
    ['SleeptimeComputeAction', {}, 'Indexed earlier conversations', 'Index earlier conversations'],
    ['InvokeSkillAction', { name: 's' }, 'Loaded the skill s', 'Load the skill s'],
    [
      'SwitchLLMAction',
      { profile_name: 'p', reason: 'r' },
      'Switched to the model p',
      'Switch to the model p',
    ],
    ['ClassifyAndSwitchLLMAction', {}, 'Chose a model', 'Choose a model'],
    [
      'VisionInspectAction',
      { image_index: 0, question: 'q' },
      'Looked at a picture: q',
      'Look at a picture: q',
    ],
    ['ClientAction_open_door', { door: 1 }, 'Used tool_name', 'Use tool_name'],
    ['BrandNewAction', { door: 1 }, 'Used tool_name', 'Use tool_name'],
  ];
  for (const [kind, input, over, ask] of actions) {
    it(`has a sentence: ${kind} ${JSON.stringify(input)}`, () => {
      assert.deepEqual(lines(kind, input), [over, ask]);
      assert.equal(lines(`${kind}WithRisk`, input)[0], over);
    });
  }

  it('isn’t an edit where its texts aren’t texts', () => {
    for (const [kind, input] of [
      ['FileEditorAction', { command: 'create', path: '/a', file_text: ['x'] }],
      ['EditAction', { file_path: 7, old_string: 'x', new_string: 'y' }],
      ['WriteFileAction', { file_path: 'a', content: { x: 1 } }],
      ['ApplyPatchAction', { patch: 7 }],
    ] as const)
      assert.equal(purposeOf({ kind, input }).to, 'other', kind);
  });

  it('is readable where a patch can’t be read', () => {
    const text = '*** Begin Patch\n*** Update File: a\n<<< what\n*** End Patch';
    const purpose = purposeOf({ kind: 'ApplyPatchAction', input: { patch: text } });
    assert.deepEqual(purpose, { to: 'other', input: `patch:\n${text.replace(/^/gm, '  ')}` });
  });

  const calls: [more: Partial<ToolCall>, over: string][] = [
    [{ tool: 'execute', input: { command: ['bash', '-lc', 'ls'] } }, 'Ran bash -lc ls'],
    [{ tool: 'execute', input: { command: 'ls' } }, 'Ran ls'],
    [{ tool: 'execute', title: '`ls`' }, 'Ran `ls`'],
    [{ tool: 'read', input: { file_path: '/a' } }, 'Read /a'],
    [{ tool: 'read', title: 'Read a.txt' }, 'Read Read a.txt'],
    [{ tool: 'search', input: { pattern: 'x' } }, 'Searched for x'],
    [{ tool: 'edit', input: { file_path: '/a', old_string: 'x', new_string: 'y' } }, 'Edited /a'],
    [{ tool: 'edit', input: { file_path: '/a', content: 'y' } }, 'Edited /a'],
    [{ tool: 'read', input: { filePath: '/a' } }, 'Read /a'],
    [{ tool: 'read', input: { absolute_path: '/a' } }, 'Read /a'],
    [{ tool: 'edit', input: { filePath: '/a', oldString: 'x', newString: 'y' } }, 'Edited /a'],
    [{ tool: 'edit', input: { path: '/a', old_str: 'x', new_str: 'y' } }, 'Edited /a'],
    [{ tool: 'edit', input: { command: 'create', path: '/a', file_text: 'y' } }, 'Edited /a'],
    [{ tool: 'edit', input: { file_path: '/a', edits: [{ oldString: 'x', newString: 'y' }] } }, 'Edited /a'],
    [{ tool: 'edit', input: { input: patch('*** Delete File: o.ts') } }, 'Deleted o.ts'],
    [{ tool: 'edit', input: { filePath: '/a', input: 'no patch' } }, 'Edited /a'],
    [{ tool: 'edit', input: { path: '/a', edits: [] } }, 'Edited /a'],
    [{ tool: 'edit', input: { path: '/a' } }, 'Edited /a'],
    [{ tool: 'edit', input: { path: '/a', fileText: 'x' } }, 'Edited /a'],
    [{ tool: 'edit', input: { target_file: '/a', instructions: 'x', code_edit: 'y' } }, 'Edited /a'],
    [{ tool: 'edit', input: { changes: { 'a.ts': { add: { content: 'x' } } } } }, 'Created a.ts'],
    [{ tool: 'edit', input: { changes: { 'a.ts': { delete: {} } } } }, 'Deleted a.ts'],
    [{ tool: 'edit', input: { changes: { 'a.ts': { type: 'update', unified_diff: '+x' } } } }, 'Edited a.ts'],
    [{ tool: 'edit', input: { changes: { 'a.ts': 7 } } }, 'Edited a.ts'],
    [{ tool: 'edit', input: { changes: { a: { add: { content: 'x' } }, b: { delete: {} } } } }, 'Edited a'],
    [{ tool: 'edit', input: { changes: [{ path: 'a', kind: 'delete', diff: '' }] } }, 'Deleted a'],
    [{ tool: 'edit', input: { changes: {} } }, 'Do it'],
    [{ tool: 'edit', input: { changes: [{ kind: 'add' }, null] } }, 'Do it'],
    [{ tool: 'edit', input: { changes: null } }, 'Do it'],
    [{ tool: 'delete', input: { path: '/a' } }, 'Deleted /a'],
    [{ tool: 'delete', input: { path: ['/a'] } }, 'Do it'],
    [{ tool: 'edit', input: {} }, 'Do it'],
    [{ tool: 'think' }, 'Thought'],
    [{ tool: 'fetch', input: { url: 'u' } }, 'Do it'],
    [{ tool: '', title: 'Custom tool' }, 'Custom tool'],
  ];
  for (const [more, over] of calls) {
    it(`has a sentence, of an agent that runs its tools itself: ${JSON.stringify(more)}`, () => {
      const { before, subject, after } = stepLine(step(detailOf(purposeOfCall(call(more)), undefined, 'x')));
      assert.equal(`${before}${subject}${after}`, over);
    });
  }

  it('takes each name that agents have for an argument', () =>
    everyCase(
      Object.entries({
        path: 'file_path',
        abs_path: 'file_path',
        absolute_path: 'file_path',
        notebook_path: 'file_path',
        filePath: 'file_path',
        target_file: 'file_path',
        oldString: 'old_string',
        old_str: 'old_string',
        newString: 'new_string',
        new_str: 'new_string',
        file_text: 'content',
        fileText: 'content',
        contents: 'content',
        input: 'patch',
      }),
      ([name]) => name,
      ([name, usual]) => {
        const inputs = [
          { file_path: '/a', content: 'y' },
          { file_path: '/a', old_string: 'x', new_string: 'y' },
          { patch: patch('*** Delete File: o.ts') },
        ].filter((input) => usual in input);
        assert.ok(inputs.length > 0);
        for (const input of inputs) {
          const renamed = Object.entries(input).map(([own, value]) => [own === usual ? name : own, value]);
          const own = call({ tool: 'edit', input: Object.fromEntries(renamed) as Record<string, unknown> });
          assert.deepEqual(purposeOfCall(own), purposeOfCall(call({ tool: 'edit', input })));
        }
      },
    ));

  it('takes an argument by its usual name first, and no other that isn’t a text', () => {
    for (const input of [
      { file_path: '/a', content: 'y', path: '/b', contents: 'z' },
      { path: '/a', target_file: '/b', contents: 'y', fileText: 'z' },
      { path: '/a', content: 'y', filePath: ['/b'], input: 7 },
    ])
      assert.deepEqual(purposeOfCall(call({ tool: 'edit', input })), {
        to: 'edit',
        edits: [{ path: '/a', change: 'write', before: '', after: 'y' }],
      });
  });

  it('has every replacement of a call with several', () => {
    const edits = [
      { old_string: 'x', new_string: 'y' },
      { old_str: 'p', new_str: 'q' },
    ];
    const purpose = purposeOfCall(call({ tool: 'edit', input: { filePath: '/a', edits, replaceAll: true } }));
    assert.deepEqual(purpose, {
      to: 'edit',
      edits: [
        { path: '/a', change: 'edit', before: 'x', after: 'y' },
        { path: '/a', change: 'edit', before: 'p', after: 'q' },
      ],
    });
  });
});

describe('changes by their paths', () => {
  const editsOf = (input: Record<string, unknown>) => {
    const purpose = purposeOfCall(call({ tool: 'edit', input }));
    assert.ok(purpose.to === 'edit');
    return purpose.edits;
  };
  const diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@ f()\n same\n-old\n+new\n\\ No newline at end of file\n';
  const lines = [
    { kind: 'gap', text: 'f()' },
    { kind: 'same', text: 'same' },
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
    { kind: 'gap', text: '\\ No newline at end of file' },
  ];
  const edits = [
    { path: 'a', change: 'create', before: '', after: 'x\n' },
    { path: 'b', change: 'edit', lines, movedTo: 'c' },
    { path: 'd', change: 'delete', before: 'y', after: '' },
  ];

  it('are edits with their lines, in each form that an agent has for them', () => {
    assert.deepEqual(
      editsOf({
        changes: {
          a: { add: { content: 'x\n' } },
          b: { update: { unified_diff: diff, move_path: 'c' } },
          d: { delete: { content: 'y' } },
        },
      }),
      edits,
    );
    assert.deepEqual(
      editsOf({
        changes: {
          a: { type: 'add', content: 'x\n' },
          b: { type: 'update', unified_diff: diff, move_path: 'c' },
          d: { type: 'delete', content: 'y' },
        },
      }),
      edits,
    );
    assert.deepEqual(
      editsOf({
        changes: [
          { path: 'a', kind: { type: 'add' }, diff: 'x\n' },
          { path: 'b', kind: { type: 'update', move_path: 'c' }, diff },
          { path: 'd', kind: 'delete', diff: 'y' },
        ],
      }),
      edits,
    );
  });

  it('have the lines of a unified diff, whatever is between them', () => {
    const unified = ['@@ -1,2 +1,2 @@', '', '-a', '@@ -9 +9 @@ f(x) @@ g', '+b', 'odd @@ 1 @@ line'].join(
      '\n',
    );
    assert.deepEqual(editsOf({ changes: { a: { update: { unified_diff: unified } } } }), [
      {
        ...{ path: 'a', change: 'edit' },
        lines: [
          { kind: 'gap', text: '' },
          { kind: 'same', text: '' },
          { kind: 'removed', text: 'a' },
          { kind: 'gap', text: 'f(x) @@ g' },
          { kind: 'added', text: 'b' },
          { kind: 'gap', text: 'odd @@ 1 @@ line' },
        ],
      },
    ]);
  });

  it('are counted in the line of their step', () => {
    const purpose = purposeOfCall(call({ tool: 'edit', input: { changes: { a: { add: {} }, b: {} } } }));
    assert.deepEqual(stepLine(step(detailOf(purpose, undefined, ''))).facts, ['2 files']);
  });

  it('say what became of them, before anything else', () => {
    const purpose = purposeOfCall(call({ tool: 'edit', input: { changes: { a: { add: {} }, b: {} } } }));
    const one = step(detailOf(purpose, undefined, ''));
    const facts = (more: object) => stepLine({ ...one, ...more }).facts;
    for (const [state, said] of [
      ['rejected', 'rejected'],
      ['left', 'not run'],
      ['failed', 'failed'],
      ['unanswered', 'no result'],
    ] as const)
      assert.deepEqual(facts({ state }), [said, '2 files']);
    assert.deepEqual(facts({ state: 'rejected', isBlocked: true }), ['blocked by a hook', '2 files']);
    assert.deepEqual(facts({ state: 'running' }), ['2 files']);
  });

  it('are edits of which nothing goes unseen if they’re told in another way', () => {
    assert.deepEqual(editsOf({ changes: { a: { patch: 'x\ny' }, b: { update: { move_path: 'c' } } } }), [
      {
        path: 'a',
        change: 'edit',
        lines: [
          { kind: 'gap', text: 'patch:' },
          { kind: 'gap', text: '  x' },
          { kind: 'gap', text: '  y' },
        ],
      },
      { path: 'b', change: 'edit', lines: [], movedTo: 'c' },
    ]);
    assert.deepEqual(editsOf({ path: '/a', edits: [], instructions: 'do' }), [
      {
        path: '/a',
        change: 'edit',
        lines: [
          { kind: 'gap', text: 'edits: []' },
          { kind: 'gap', text: 'instructions: do' },
        ],
      },
    ]);
    assert.deepEqual(editsOf({ path: '/a' }), [{ path: '/a', change: 'edit', lines: [] }]);
  });
});

describe('a patch', () => {
  it('has its files with every line', () => {
    const text = patch(
      '*** Add File: new.ts',
      '+one',
      '+',
      '*** Update File: a.ts',
      '*** Move to: b.ts',
      '@@ function f()',
      ' same',
      '-old',
      '+new',
      '',
      '@@',
      '-x',
      '*** End of File',
      '*** Delete File: gone.ts',
    );
    assert.deepEqual(parsePatch(`\n${text}\n`), [
      {
        path: 'new.ts',
        change: 'create',
        lines: [
          { kind: 'added', text: 'one' },
          { kind: 'added', text: '' },
        ],
      },
      {
        path: 'a.ts',
        change: 'edit',
        movedTo: 'b.ts',
        lines: [
          { kind: 'gap', text: 'function f()' },
          { kind: 'same', text: 'same' },
          { kind: 'removed', text: 'old' },
          { kind: 'added', text: 'new' },
          { kind: 'same', text: '' },
          { kind: 'gap', text: '' },
          { kind: 'removed', text: 'x' },
          { kind: 'gap', text: '*** End of File' },
        ],
      },
      { path: 'gone.ts', change: 'delete', lines: [] },
    ]);
  });

  it('is none where the tool would refuse it', () => {
    for (const text of [
      '',
      'no patch',
      '*** Begin Patch',
      patch(),
      patch('+x'),
      patch('*** Add File: a', 'x'),
      patch('*** Add File: a', '+x', '-y'),
      patch('*** Add File: a', '+x', ' y'),
      patch('*** Add File: '),
      patch('*** Delete File: a', '-x'),
      patch('*** Update File: a', 'what'),
      patch('*** Update File: a', '*** What', '+x'),
      patch('*** Update File: a', '+x', '*** Move to: b'),
      patch('*** Update File: a', '*** Move to: ', '+x'),
      patch('*** Update File: a', '*** Move to: b', '*** Move to: c'),
      patch('*** Update File: a', '+x', '*** Update File: a', '+y'),
      `${patch('*** Add File: a', '+x')}\nmore`,
      patch('*** Add File: a', '+x', '*** End Patch'),
      'Patch\n*** Add File: a\n+x\n*** End Patch',
      '*** Begin Patch\n*** Add File: a\n+x\n+y',
    ])
      assert.equal(parsePatch(text), undefined, JSON.stringify(text));
  });

  it('keeps every line of any patch, or is none', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '@@',
        '@@ f',
        '*** End of File',
        '*** Move to: m',
        '',
        ' ',
        '+',
        '-',
        '*** End Patch',
        '***',
      ),
      fc.string({ maxLength: 6 }).map((text) => `+${text}`),
      fc.string({ maxLength: 6 }).map((text) => ` ${text}`),
      fc.string({ maxLength: 6 }).map((text) => `-${text}`),
      fc.string({ maxLength: 6 }),
      fc
        .constantFrom('Add', 'Update', 'Delete')
        .chain((how) => fc.nat(9).map((path) => `*** ${how} File: ${path}`)),
    );
    const marks = { added: '+', removed: '-', same: ' ', gap: '@@ ', file: '' };
    const headings = { create: 'Add', edit: 'Update', delete: 'Delete' };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const body = lines.flatMap((one) => one.split('\n'));
        const files = parsePatch(patch(...body));
        if (!files) return;
        const written = files.flatMap(({ path, change, movedTo, lines: kept }) => [
          `*** ${headings[change]} File: ${path}`,
          ...(movedTo === undefined ? [] : [`*** Move to: ${movedTo}`]),
          ...kept.map(({ kind, text }) =>
            kind === 'gap' && text === '*** End of File' ? text : `${marks[kind]}${text}`,
          ),
        ]);
        const same = (text: string) => (text === '' ? ' ' : text === '@@' ? '@@ ' : text);
        assert.deepEqual(written.map(same), body.map(same));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('arguments as people read them', () => {
  it('are members with their texts as they are', () => {
    assert.equal(
      readableArguments({
        a: 'one',
        b: 'two\nthree: x',
        n: 7,
        no: null,
        list: ['x', 'y\nz'],
        deep: { c: 'd\ne' },
        empty: '',
        none: [],
      }),
      [
        'a: one',
        'b:',
        '  two',
        '  three: x',
        'n: 7',
        'no: null',
        'list:',
        '  - x',
        '  -',
        '    y',
        '    z',
        'deep:',
        '  c:',
        '    d',
        '    e',
        'empty: ""',
        'none: []',
      ].join('\n'),
    );
  });

  it('have no line that looks like another member', () => {
    const ends = ['\n', '\r', '\r\n', '\u2028', '\u2029'];
    fc.assert(
      fc.property(fc.constantFrom(...ends), fc.string(), fc.string(), (end, name, value) => {
        const text = readableArguments({ [`${name}${end}command`]: 'x', text: `${value}${end}command: rm` });
        const members = text.split(/\r\n?|[\n\u2028\u2029]/).filter((line) => !line.startsWith('  '));
        assert.ok(!members.includes('command: rm') && members.every((line) => !line.startsWith('command')));
      }),
    );
  });

  it('nest as deep as anybody sends', () => {
    let deep: Record<string, unknown> = { text: 'x\ny' };
    for (let level = 0; level < 60; level += 1) deep = { deep };
    assert.match(readableArguments(deep), /x\\ny/);
  });

  it('name the folder of a command where it isn’t the one of the conversation', () => {
    const factsIn = (workingDir: string | undefined, repository: string) => {
      const result = resultSchema.parse({
        kind: 'TerminalObservation',
        content: [],
        exit_code: 0,
        metadata: { prefix: '', suffix: '', working_dir: workingDir },
      });
      const detail = detailOf({ to: 'terminal', command: 'npm ci' }, result, 'terminal');
      const folders = agentFolders(repository, null);
      return stepLine(step(detail), {
        short: (path) => path,
        folder: (path) => folderName(path, folders),
      }).facts;
    };
    const root = '/workspace/project';
    for (const none of [undefined, '', root, `${root}/webshop`, '/tmp', `${root}/../x`, 'webshop'])
      assert.deepEqual(factsIn(none, 'northwind/webshop'), [], none);
    assert.deepEqual(factsIn(`${root}/webshop`, ''), ['in webshop']);
    assert.deepEqual(factsIn(`${root}/api`, 'northwind/webshop'), ['in api']);
    assert.deepEqual(factsIn(`${root}/webshop/src`, 'northwind/webshop'), ['in src']);
  });
});
