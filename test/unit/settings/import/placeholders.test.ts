import assert from 'node:assert/strict';
import { fillWith, readOne, secretsOf, serverOf } from './support';

describe('MCP import: what stands for a secret', () => {
  const url = 'https://e.example/mcp';

  const asked: [text: string, name: string][] = [
    ['${T}', 'T'],
    ['${env:T}', 'T'],
    ['${localEnv:T}', 'T'],
    ['${localEnv:T:fallback}', 'T'],
    ['${env:T:-fallback}', 'T'],
    ['${containerEnv:T}', 'T'],
    ['${secrets.T}', 'T'],
    ['${{ secrets.T }}', 'T'],
    ['{{T}}', 'T'],
    ['{{ T }}', 'T'],
    ['{env:T}', 'T'],
    ['${process.env.T}', 'T'],
    ['${input:t}', 't'],
    ['${inputs.t}', 't'],
    ['$T', 'T'],
    ['$my_token', 'my_token'],
    ['$env:T', 'T'],
    ['%T%', 'T'],
    ['<YOUR_TOKEN>', '<YOUR_TOKEN>'],
    ['<your token>', '<your token>'],
    ['your-api-key', 'your-api-key'],
    ['YOUR_API_KEY_HERE', 'YOUR_API_KEY_HERE'],
    ['<你的密钥>', '<你的密钥>'],
    ['你的 API 密钥', '你的 API 密钥'],
    ['您的API Key', '您的API Key'],
    ['あなたのキー', 'あなたのキー'],
    ['API_KEY_HERE', 'API_KEY_HERE'],
    ['paste-token', 'paste-token'],
    ['ENTER_API_KEY', 'ENTER_API_KEY'],
    ['[TOKEN]', '[TOKEN]'],
    ['[your token]', '[your token]'],
    ['{TOKEN}', '{TOKEN}'],
    ['COPILOT_MCP_T', 'COPILOT_MCP_T'],
    ['os.environ/T', 'T'],
  ];
  for (const [text, name] of asked)
    it(`is asked for, never stored: ${text}`, () => {
      for (const value of [text, `Bearer ${text}`]) {
        const local = readOne({ command: 'x', env: { KEY: value } });
        const remote = readOne({ url, headers: { Authorization: value } });
        for (const server of [local, remote]) {
          const [input] = server.preview.inputs;
          assert.deepEqual([input?.name, input?.password], [name, true]);
          const kept = Object.values(secretsOf(fillWith(server)));
          if (!text.includes('fallback')) assert.deepEqual(kept, []);
          assert.ok(!kept.some((secret) => secret.includes(text)));
          const filled = fillWith(server, { [input?.key ?? '']: 'given' });
          const [secret = ''] = Object.values(secretsOf(filled));
          assert.equal(secret.replace('Bearer ', ''), 'given');
        }
      }
    });

  const never = [
    '${workspaceFolder}/x',
    '${command:x}',
    '${my-token}',
    '$(pass show x)',
    '{file:~/key}',
    'op://vault/item/key',
    ...['sk-...', 'sk-ant-…', 'ghp_xxxxxxxxxxxx', 'XXXX', '********', 'CHANGEME', 'replace-me'],
    'a${b',
  ];
  for (const text of never)
    it(`is named, never stored: ${text}`, () => {
      const server = readOne({ command: 'x', env: { KEY: text } });
      assert.deepEqual(server.preview.inputs, []);
      assert.match(server.preview.cannotCarry.join(), /^the variable “KEY”, because of “.*” in it$/);
      const filled = fillWith(server);
      assert.deepEqual(secretsOf(filled), {});
      assert.match(filled.problems[0]?.message ?? '', /^No value for .* in the variable “KEY”\.$/);
    });

  const real = [
    'p$1',
    'a$b$c',
    '$2b$10$N9qo8uLOickgx2ZMRZoMye',
    '100%',
    'p%AB%CDx',
    'yours',
    ...['max', 'xxx', 'a...b', 'unchangeme', 'op:x', 'xxxxY'],
    '<a> and <b>',
    '{"a":{"b":1}}',
    ...['enter_sandman', 'mykeyhere', '[]', 'MY_COPILOT_MCP_T', '秘密の言葉', '我的密钥'],
    '$',
  ];
  for (const text of real)
    it(`is a secret as it is: ${text}`, () => {
      const server = readOne({ command: 'x', env: { KEY: text } });
      assert.deepEqual([server.preview.inputs, server.preview.cannotCarry], [[], []]);
      assert.deepEqual(secretsOf(fillWith(server)), { KEY: text });
    });

  it('stays in an argument if the server sets the variable itself', () => {
    const args = ['--header', 'Authorization:${AUTH_HEADER}', '${OTHER}', '${env:AUTH_HEADER}'];
    const server = readOne({ command: 'npx', args, env: { AUTH_HEADER: 'Bearer secret' } });
    assert.deepEqual(
      server.preview.inputs.map(({ name, password, places }) => [name, password, places]),
      [
        ['OTHER', false, [{ at: 'args', index: 2 }]],
        ['AUTH_HEADER', true, [{ at: 'args', index: 3 }]],
      ],
    );
    const filled = fillWith(server, { 'env:OTHER': 'o', 'env:AUTH_HEADER': 'h' });
    assert.deepEqual(filled.server.args, ['--header', 'Authorization:${AUTH_HEADER}', 'o', 'h']);
    assert.deepEqual(secretsOf(filled), { AUTH_HEADER: 'Bearer secret' });
  });

  it('stays in an argument with its default, too', () => {
    const args = ['-c', 'x --url ${URL:-http://a.example} ${TOKEN-} ${OTHER:-o}'];
    const server = readOne({ command: 'sh', args, env: { URL: 'https://b.example', TOKEN: 't' } });
    assert.deepEqual(
      server.preview.inputs.map(({ name }) => name),
      ['OTHER'],
    );
    assert.deepEqual(fillWith(server).server.args, ['-c', 'x --url ${URL:-http://a.example} ${TOKEN-} o']);
  });

  for (const text of ['$T', '%T%', '{{T}}', '$(cat key)', '<your key>', 'YOUR_TOKEN', 'op://a/b/c'])
    it(`is named where it stays as it is: ${text}`, () => {
      const { preview } = readOne({ command: 'x', args: ['--token', text], env: { OWN: 'v' } });
      assert.deepEqual(
        [preview.args[1], preview.cannotCarry],
        [text, [`the value of “${text}” in argument 2 (kept as text)`]],
      );
      const own = readOne({ command: 'sh', args: ['-c', 'x --token $OWN'], env: { OWN: 'v' } });
      assert.deepEqual(own.preview.cannotCarry, []);
    });

  it('is hidden while it’s typed if its name says so', () => {
    const { preview } = readOne({
      command: 'x',
      args: ['--key', '${API_KEY}', '${githubToken}', '${REGION}'],
    });
    assert.deepEqual(
      preview.inputs.map(({ password }) => password),
      [true, true, false],
    );
  });

  const numbers = ['1234567890123456789', '1.10', '1E400', '-0', '0.1e-7', '100000000000000000000000'];
  for (const text of numbers)
    it(`keeps the number ${text} as it’s written`, () => {
      const server = serverOf(
        `{"servers": {"a": {"command": "x", "args": [${text}], "env": {"N": ${text}}}}}`,
      );
      assert.deepEqual(server.preview.args, [text]);
      assert.deepEqual(secretsOf(fillWith(server)), { N: text });
    });
});
