import assert from 'node:assert/strict';
import { fromEnvironment } from '../../../../src/features/settings/model/import/types';
import { fillWith, readOne, secretsOf, serverOf } from './support';

describe('MCP import: filling in answers', () => {
  const url = 'https://e.example/mcp';

  it('returns the server and its secrets separately', () => {
    const filled = fillWith(
      readOne({
        command: 'x',
        args: ['a', '--t=${T}'],
        env: { KEY: 'plain', MIX: 'u:${T}@${input:h}', EMPTY: '' },
      }),
      { 'env:T': 't-value', 'input:h': 'host' },
    );
    assert.deepEqual(filled.server, {
      id: 'new-1',
      kind: 'stdio',
      url: '',
      apiKey: { presence: 'notSet', intention: 'keep' },
      timeout: null,
      name: 'one',
      command: 'x',
      args: ['a', '--t=t-value'],
      env: [
        { name: 'KEY', presence: 'notSet', intention: 'replace' },
        { name: 'MIX', presence: 'notSet', intention: 'replace' },
        { name: 'EMPTY', presence: 'notSet', intention: 'keep' },
      ],
    });
    assert.deepEqual(secretsOf(filled), { KEY: 'plain', MIX: 'u:t-value@host' });
    assert.deepEqual(filled.problems, []);
    assert.equal(filled.notes.length, 1);
    assert.match(filled.notes[0] ?? '', /“T” is used in argument 2/);
  });

  it('fills the key and address of a URL server', () => {
    const server = readOne({ url: '${BASE}/mcp', headers: { Authorization: 'Bearer pre-${input:k}' } });
    assert.deepEqual(server.preview.problems, []);
    const filled = fillWith(server, { 'env:BASE': 'https://e.example', 'input:k': 'k' });
    assert.equal(filled.server.url, url);
    assert.deepEqual(filled.server.apiKey, { presence: 'notSet', intention: 'replace' });
    assert.deepEqual(filled.secrets, [{ target: { at: 'mcpApiKey', id: 'new-1' }, value: 'pre-k' }]);
    assert.match(filled.notes.join(), /“BASE” is used in the address/);
    const bad = fillWith(server, { 'env:BASE': 'nowhere', 'input:k': 'k' });
    assert.deepEqual(
      bad.problems.map(({ member, blocking }) => [member, blocking]),
      [['url', true]],
    );
  });

  const wholes: [string, string | undefined][] = [
    ['Bearer k', 'k'],
    ['bearer   k ', 'k'],
    ['k', 'k'],
    ['Basic k', undefined],
    ['', undefined],
  ];
  for (const [answer, key] of wholes)
    it(`accepts “${answer}” as a whole Authorization header`, () => {
      const server = readOne({ url, headers: { Authorization: '${input:auth}' } });
      assert.equal(server.preview.hasApiKey, true);
      const filled = fillWith(server, { 'input:auth': answer });
      assert.deepEqual(secretsOf(filled), key === undefined ? {} : { '(key)': key });
      assert.equal(filled.server.apiKey.intention, key === undefined ? 'keep' : 'replace');
      assert.equal(filled.problems.length, answer === 'Basic k' ? 1 : 0);
    });

  it('uses an environment variable only where the answer says so', () => {
    const server = readOne({
      url: 'https://${HOST}/${SECRET}/${env:OTHER}',
      headers: { Authorization: 'Bearer ${SECRET}' },
    });
    const env = { HOST: 'e.example', SECRET: 'from-env', OTHER: 'other-env' };
    const none = fillWith(server, {}, env);
    assert.doesNotMatch(JSON.stringify(none), /-env/);
    assert.deepEqual(none.secrets, []);
    assert.deepEqual(
      none.problems.map(({ member, blocking }) => [member, blocking]),
      [
        ['url', true],
        ['apiKey', false],
      ],
    );
    const answers = new Map<string, string | typeof fromEnvironment>([
      ['env:HOST', fromEnvironment],
      ['env:SECRET', fromEnvironment],
      ['env:OTHER', 'typed'],
    ]);
    const filled = fillWith(server, answers, env);
    assert.equal(filled.server.url, 'https://e.example/from-env/typed');
    assert.deepEqual(secretsOf(filled), { '(key)': 'from-env' });
  });

  it('never reads the environment for an input', () => {
    const server = readOne({ command: 'x', args: ['${input:HOME}'] });
    const filled = fillWith(server, new Map([['input:HOME', fromEnvironment]]), { HOME: '/root' });
    assert.deepEqual(filled.server.args, ['${input:HOME}']);
    assert.equal(filled.problems.length, 1);
  });

  const defaults: [string, Record<string, string>, Record<string, string>, string][] = [
    ['${A:-d}', {}, {}, 'd'],
    ['${A:-d}', { 'env:A': 'x' }, {}, 'x'],
    ['${A:-d}', { 'env:A': '' }, {}, ''],
    ['${A:-}', {}, {}, ''],
    ['${A:-x:-y}', {}, {}, 'x:-y'],
    ['${A:-one} ${A:-two}', {}, {}, 'one two'],
    ['${A} ${A:-two}', {}, {}, 'two two'],
    ['${input:i}', {}, {}, 'preset'],
    ['$A ${} $', {}, {}, '$A ${} $'],
  ];
  for (const [text, answers, env, expected] of defaults)
    it(`fills ${text} with ${JSON.stringify(answers)} to “${expected}”`, () => {
      const server = serverOf({
        inputs: [{ id: 'i', default: 'preset' }],
        servers: { one: { command: 'x', args: [text] } },
      });
      assert.deepEqual(fillWith(server, answers, env).server.args, [expected]);
    });

  it('uses the default for an empty or missing variable', () => {
    const server = readOne({ command: 'x', args: ['${A:-d}'] });
    const answers = new Map([['env:A', fromEnvironment] as const]);
    assert.deepEqual(fillWith(server, answers, { A: '' }).server.args, ['d']);
    assert.deepEqual(fillWith(server, answers).server.args, ['d']);
    assert.deepEqual(fillWith(server, answers, { A: 'v' }).server.args, ['v']);
  });

  it('uses a password’s default but keeps it out of the preview', () => {
    const server = serverOf({
      inputs: [{ id: 'p', password: true, default: 'preset-secret' }],
      servers: { one: { command: 'x', args: ['${input:p}'], env: { E: '${E:-other-secret}' } } },
    });
    assert.doesNotMatch(JSON.stringify(server.preview), /secret/);
    assert.deepEqual(
      server.preview.inputs.map(({ hasDefault }) => hasDefault),
      [true, true],
    );
    const filled = fillWith(server);
    assert.deepEqual(filled.server.args, ['preset-secret']);
    assert.deepEqual(secretsOf(filled), { E: 'other-secret' });
  });

  it('doesn’t expand placeholders in answers', () => {
    const server = readOne({ command: 'x', args: ['${A}${B}'], env: { E: '${A}' } });
    const filled = fillWith(server, { 'env:A': '${B}', 'env:B': "$& $' ${A}" });
    assert.deepEqual(filled.server.args, ["${B}$& $' ${A}"]);
    assert.deepEqual(secretsOf(filled), { E: '${B}' });
    assert.deepEqual(filled.problems, []);
  });

  it('doesn’t set a secret if part of the value is missing', () => {
    const filled = fillWith(readOne({ command: 'x', env: { A: 'u:${P}', B: 'b' } }));
    assert.deepEqual(filled.server.env, [
      { name: 'A', presence: 'notSet', intention: 'keep' },
      { name: 'B', presence: 'notSet', intention: 'replace' },
    ]);
    assert.deepEqual(secretsOf(filled), { B: 'b' });
    assert.deepEqual(
      filled.problems.map(({ message }) => message),
      ['No value for ${P} in the variable “A”.'],
    );
  });

  it('doesn’t set a secret with the beginning of a placeholder that no tool would fill', () => {
    const filled = fillWith(readOne({ command: 'x', env: { A: 'u:${', B: 'b$', C: 'c{d}' } }));
    assert.deepEqual(secretsOf(filled), { B: 'b$', C: 'c{d}' });
    assert.deepEqual(
      filled.problems.map(({ message }) => message),
      ['No value for ${ in the variable “A”.'],
    );
  });

  it('asks once for a repeated input, as a password if any use is secret', () => {
    const { preview } = readOne({ command: '${T}', args: ['${T}', 'x'], env: { E: '${env:T}' } });
    assert.deepEqual(
      preview.inputs.map(({ key, places, password }) => [key, places, password]),
      [['env:T', [{ at: 'command' }, { at: 'args', index: 0 }, { at: 'env', name: 'E' }], true]],
    );
  });

  it('names the editor command that an input is filled by, but not for a variable of its name', () => {
    const inputs = [{ id: 'branch', type: 'command', command: 'git.branch' }];
    const carried = (text: string) =>
      serverOf({ inputs, servers: { one: { command: 'x', args: [text] } } }).preview.cannotCarry;
    assert.deepEqual(carried('${input:branch}'), ['the editor command “git.branch” that provides “branch”']);
    assert.deepEqual(carried('${env:branch}'), []);
  });

  it('leaves unanswerable placeholders unchanged and lists them', () => {
    const texts = [
      '${workspaceFolder:api}',
      '${config:a.b}',
      '${command:x}',
      '${/}',
      '${A:-{}}',
      '${A:-${B}}',
    ];
    for (const text of texts) {
      const server = readOne({ command: 'x', args: [text] });
      assert.equal(server.preview.cannotCarry.length, 1, text);
      assert.match(server.preview.cannotCarry[0] ?? '', /in argument 1 \(kept as text\)/);
    }
  });

  it('rejects a command if an answer adds spaces', () => {
    const filled = fillWith(readOne({ command: '${CMD}' }), { 'env:CMD': 'npx -y' });
    assert.deepEqual(
      filled.problems.map(({ member, blocking }) => [member, blocking]),
      [['command', true]],
    );
  });
});
