import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/api/events/event';
import { eventSchema } from '../../../../src/api/events/schema';

const common = { id: 'e1', timestamp: '2026-01-02T03:04:05.678901', source: 'agent' };

function read<K extends AgentEvent['kind']>(kind: K, event: object): Extract<AgentEvent, { kind: K }> {
  const { data } = eventSchema.safeParse({ ...common, ...event });
  assert.equal(data?.kind, kind);
  return data as Extract<AgentEvent, { kind: K }>;
}

const observation = (members: object) =>
  read('observation', { kind: 'ObservationEvent', action_id: 'a1', observation: members }).result;
const text = (words: string) => [{ type: 'text', text: words }];
const png = 'iVBORw0KGgo=';

describe('a result of a tool', () => {
  it('has what the server says before and after a command’s output', () => {
    const output = (metadata: object, content = 'line') =>
      observation({ kind: 'TerminalObservation', content: text(content), exit_code: -1, metadata }).text;
    const timedOut = '\n[The command timed out after 2.0 seconds. You may wait longer.]';
    assert.equal(output({ prefix: '', suffix: timedOut }), `line${timedOut}`);
    assert.equal(output({ suffix: timedOut }, ''), timedOut.trim());
    const cut =
      '[Previous command outputs are truncated. Showing the last 10013 lines of the output below.]\n';
    assert.equal(output({ prefix: cut }), `${cut}line`);
    assert.equal(
      output({ prefix: '[Below is the output of the previous command.]\n', suffix: timedOut }).split('\n')
        .length,
      3,
    );
    const sent = '\n[The command completed with exit code 130. CTRL+C was sent.]';
    assert.equal(output({ suffix: sent }), `line${sent}`);
  });

  it('leaves out the exit code, which the result has anyway, and metadata of another shape', () => {
    for (const metadata of [
      { suffix: '\n[The command completed with exit code 0.]' },
      null,
      7,
      { suffix: 7 },
      undefined,
    ])
      assert.equal(observation({ kind: 'TerminalObservation', content: text('ok'), metadata }).text, 'ok');
  });

  it('has the pictures of its parts and of a browser, as data URIs', () => {
    const image = { type: 'image', image_urls: [`data:image/png;base64,${png}`] };
    const mcp = observation({ kind: 'MCPToolObservation', content: [...text('See'), image] });
    assert.deepEqual([mcp.text, mcp.images, mcp.pictures], ['See', 1, image.image_urls]);
    for (const [data, type] of [
      [png, 'png'],
      ['/9j/4AAQ', 'jpeg'],
      ['R0lGODlh', 'gif'],
      ['UklGRgAA', 'webp'],
    ] as const) {
      const { pictures } = observation({ kind: 'BrowserObservation', content: [], screenshot_data: data });
      assert.deepEqual(pictures, [`data:image/${type};base64,${data}`]);
    }
    for (const data of [null, 7, '', undefined])
      assert.equal(observation({ kind: 'BrowserObservation', content: [], screenshot_data: data }).images, 0);
  });

  it('has the path and the contents of a file that other editors changed', () => {
    for (const kind of ['EditObservation', 'WriteFileObservation']) {
      const { path, before, after } = observation({
        kind,
        file_path: '/a',
        old_content: 'x',
        new_content: 'y',
      });
      assert.deepEqual([path, before, after], ['/a', 'x', 'y']);
    }
  });

  it('has each file of a patch, except those that can’t be read', () => {
    const changes = {
      'a.ts': { type: 'update', old_content: 'x', new_content: 'y', move_path: 'b.ts' },
      'new.ts': { type: 'add', old_content: null, new_content: 'n' },
      'old.ts': { type: 'delete', old_content: 'o' },
      odd: 7,
      empty: { type: 'update' },
      ['__proto__x']: { new_content: '' },
    };
    const { files } = observation({ kind: 'ApplyPatchObservation', content: [], commit: { changes } });
    assert.deepEqual(files, [
      { path: 'a.ts', before: 'x', after: 'y', movedTo: 'b.ts' },
      { path: 'new.ts', before: null, after: 'n' },
      { path: 'old.ts', before: 'o', after: null },
      { path: '__proto__x', before: null, after: '' },
    ]);
    for (const commit of [null, 7, {}, { changes: 7 }, { changes: {} }])
      assert.equal('files' in observation({ kind: 'ApplyPatchObservation', commit }), false);
  });
});

describe('a tool call of an agent that runs its tools itself', () => {
  const call = (more: object) =>
    read('toolCall', { kind: 'ACPToolCallEvent', tool_call_id: 'c1', title: 'Look', ...more });

  it('has a state, whatever the server calls it', () => {
    const states = (status: unknown, more = {}) => call({ status, ...more }).state;
    assert.deepEqual(
      ['pending', 'in_progress', null, 'completed', 'failed', 'cancelled', 'new', 'constructor'].map(
        (status) => states(status),
      ),
      ['running', 'running', 'running', 'done', 'failed', 'failed', 'running', 'running'],
    );
    assert.equal(states('completed', { is_error: true }), 'failed');
    const isError = (more: object) => call(more).result.isError;
    assert.deepEqual(
      [{ status: 'failed' }, { status: 'completed' }, { status: 'failed', is_error: false }, {}].map(isError),
      [true, false, false, false],
    );
  });

  it('has the texts, pictures, and files of its content, in either spelling', () => {
    const { result } = call({
      content: [
        { type: 'content', content: { type: 'text', text: 'one' } },
        { type: 'diff', path: '/a', old_text: 'x', new_text: 'y' },
        { type: 'diff', path: '/b', oldText: null, newText: 'z' },
        { type: 'content', content: { type: 'image', data: png, mimeType: 'image/png' } },
        { type: 'content', content: { type: 'resource', resource: { uri: 'file:///r', text: 'two' } } },
        { type: 'content', content: { type: 'resource_link', uri: 'file:///link' } },
        { type: 'terminal', terminalId: 't' },
        7,
      ],
    });
    assert.equal(result.text, 'one\ntwo\nfile:///link');
    assert.deepEqual(result.pictures, [`data:image/png;base64,${png}`]);
    assert.deepEqual(result.files, [
      { path: '/a', before: 'x', after: 'y', isPart: true },
      { path: '/b', before: null, after: 'z' },
    ]);
  });

  it('has files without contents if a diff can’t be read', () => {
    for (const [told, before] of [
      [{ old_text: 'x' }, ''],
      [{ old_text: 'x', new_text: null }, ''],
      [{ old_text: null, new_text: 7 }, null],
      [{ old_text: 7, new_text: 'y' }, ''],
      [{ oldText: 'x', newText: ['y'] }, ''],
    ] as const)
      assert.deepEqual(call({ content: [{ type: 'diff', path: '/a', ...told }] }).result.files, [
        { path: '/a', before, after: '', isGone: true },
      ]);
    assert.equal(call({ content: ['plain', { type: 'new' }] }).result.text, 'plain');
  });

  it('has the output in a result of any shape', () => {
    const output = (raw_output: unknown) => call({ raw_output, status: 'completed' }).result.text;
    assert.equal(output('plain'), 'plain');
    assert.equal(output({ stdout: 'out', stderr: 'err', exit_code: 1 }), 'out\nerr');
    assert.equal(output({ n: 1 }), '{\n  "n": 1\n}');
    assert.equal(output([1]), '[\n  1\n]');
    assert.equal(output(null), '');
    assert.equal(call({ raw_output: { exit_code: 3 } }).result.exitCode, 3);
  });

  it('has the texts and pictures that a tool of MCP answered', () => {
    const parts = [
      { type: 'text', text: 'one' },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'text', text: '二' },
    ];
    for (const raw_output of [parts, { content: parts, isError: false }])
      for (const content of [null, [], [{ type: 'content', content: { type: 'text', text: '' } }]]) {
        const { text, pictures } = call({ raw_output, content }).result;
        assert.deepEqual([text, pictures], ['one\n二', [`data:image/png;base64,${png}`]]);
      }
    const said = [{ type: 'content', content: { type: 'text', text: 'said' } }];
    assert.equal(call({ raw_output: parts, content: said }).result.text, 'said');
    assert.match(call({ raw_output: [parts[0], { n: 1 }] }).result.text, /"n": 1/);
  });
});

describe('a hook', () => {
  const hook = (more: object) =>
    read('hook', {
      kind: 'HookExecutionEvent',
      hook_event_type: 'PreToolUse',
      hook_command: './check',
      ...more,
    });

  it('says what it did, and why', () => {
    assert.deepEqual(
      [
        { success: true, exit_code: 0 },
        { success: false, blocked: true, exit_code: 2 },
        { success: false, exit_code: 1 },
        { exit_code: 1 },
        {},
      ].map((more) => hook(more).outcome),
      ['passed', 'blocked', 'failed', 'failed', 'passed'],
    );
    const {
      text: said,
      actionId,
      on,
      command,
    } = hook({
      action_id: 'a1',
      reason: 'no terminal today',
      stderr: 'no terminal today\n',
      stdout: '\x1b[2Jout',
      additional_context: 'Be careful.',
      hook_input: { secret: 'canary' },
    });
    assert.deepEqual(
      [said, actionId, on, command],
      ['no terminal today\nout\nBe careful.', 'a1', 'PreToolUse', './check'],
    );
  });

  it('is distinguished from the user when it rejects an action', () => {
    const by = (rejection_source: unknown) =>
      read('rejection', {
        kind: 'UserRejectObservation',
        action_id: 'a',
        rejection_reason: 'No',
        rejection_source,
      }).byHook;
    assert.deepEqual(['hook', 'user', null, 7].map(by), [true, undefined, undefined, undefined]);
  });
});

describe('what else the server says', () => {
  it('is what can be done about a failure', () => {
    const remedy = (classification: unknown) => [
      read('toolError', { kind: 'AgentErrorEvent', error: 'E', classification }).remedy,
      read('failure', { kind: 'ConversationErrorEvent', code: 'E', classification }).remedy,
    ];
    for (const [told, expected] of [
      [{ kind: 'auth', retryable: false, user_action: 'settings' }, 'settings'],
      [{ kind: 'transient', retryable: true, user_action: 'none' }, 'retry'],
      [{ kind: 'rate_limit', retryable: false, user_action: 'retry' }, 'retry'],
      [{ kind: 'unknown', retryable: false, user_action: 'none' }, 'none'],
      [null, undefined],
      [7, undefined],
    ] as const)
      assert.deepEqual(remedy(told), [expected, expected], JSON.stringify(told));
  });

  it('is that settings have a wrong key, also on releases that don’t say what can be done', () => {
    const failure = { kind: 'ConversationErrorEvent', code: 'LLMAuthenticationError' };
    assert.equal(read('failure', failure).remedy, 'settings');
    const told = { kind: 'auth', retryable: true, user_action: 'retry' };
    assert.equal(read('failure', { ...failure, classification: told }).remedy, 'retry');
  });

  it('is how risky an analyzer considers actions', () => {
    const risks = { a: 'HIGH', b: 'LOW', c: 'NEW', d: 7 };
    const event = read('risks', {
      kind: 'SecurityAnalysisEvent',
      risks,
      details: { a: { secret: 'canary' } },
    });
    assert.deepEqual(event.risks, { a: 'HIGH', b: 'LOW', c: 'HIGH', d: 'HIGH' });
  });

  it('has no summary if that only repeats the call', () => {
    const summary = (words: string) =>
      read('action', { kind: 'ActionEvent', tool_name: 'terminal', action: {}, summary: words }).summary;
    assert.equal(summary('terminal: {"command": "true"}'), '');
    assert.equal(summary('terminal: {}'), '');
    assert.equal(summary('List the files'), 'List the files');
    assert.equal(summary('terminal: list {all} files'), 'terminal: list {all} files');
  });
});
