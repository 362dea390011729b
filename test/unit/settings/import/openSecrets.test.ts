import assert from 'node:assert/strict';
import { exportMcpFile, mergeMcpFile } from '../../../../src/features/settings/model/import/export';
import { newServer } from '../support';
import { fillWith, readOne, serverOf } from './support';

const key = 'canaryA1b2C3d4E5f6';

describe('MCP: secrets in arguments', () => {
  const secrets: string[][] = [
    ['--api-key', key],
    [`--api-key=${key}`],
    ['--token', key],
    [`--accessToken=${key}`],
    ['--password', `${key} with spaces`],
    ['-e', `GITHUB_PERSONAL_ACCESS_TOKEN=${key}`],
    [`--env=TOKEN=${key}`],
    ['--header', `Authorization: Bearer ${key}`],
    ['--header', `Authorization:Bearer ${key}`],
    ['--header', `X-Api-Key: ${key}`],
    ['--config', `{"url": "https://e.example", "braveApiKey": "${key}"}`],
    ['--config', `"{\\"braveApiKey\\": \\"${key}\\"}"`],
    ['--config', `{'apiKey': '${key}'}`],
    ['--oauth2Bearer', key],
    ['-c', `export PASSWORD="${key}"; npx weather`],
    [`PASSWORD='${key}'`],
    ['--authkey', key],
    [`Bearer ${key}`],
    [`lin_api_${'canary01'.repeat(5)}`],
    [`postgresql://ada:${key}@db.example:5432/main`],
    [`postgresql://ada:p@${key}@db.example/main`],
    ['--dsn', `Server=db.example;User=ada;Password=${key};Encrypt=true`],
    [`https://e.example/mcp?apiKey=${key}&team=blue`],
    [`https://${key}@e.example/repository.git`],
    [`https://e.azurewebsites.net/runtime/webhooks/mcp/sse?code=${key}xyz==`],
    [`sk-${key}`],
    [`ghp_${key}ABCDEF`],
    ['run', `sk-proj-${key}`, '--verbose'],
    ['mysql', '-uroot', `-p${key}`],
    ['exec', 'db', 'mariadb-dump', `-p${key}`, 'shop'],
    ['redis-cli', '-a', key],
    ['curl', '-sSu', `me:${key}`],
    ['-c', `exec mysql -p${key} shop`],
    ['-c', `mkdir -p /data && sshpass -p '${key}' ssh -p 22 host`],
    ['htpasswd', '-nb', 'me', key],
  ];
  for (const args of secrets)
    it(`become inputs of an exported file, and are named when imported: ${args.join(' ')}`, () => {
      const server = newServer({ id: 'a', kind: 'stdio', name: 'a', command: 'x', args });
      const text = exportMcpFile([server]);
      assert.doesNotMatch(text, /canary/);
      const parsed = serverOf(text);
      assert.equal(parsed.preview.inputs.length, 1, text);
      const [input] = parsed.preview.inputs;
      assert.equal(input?.password, true);
      const filled = fillWith(parsed, { [input.key]: 'SECRET' });
      assert.match(filled.server.args.join(' '), /SECRET/);
      const imported = readOne({ command: 'x', args }).preview.problems;
      assert.match(imported[0]?.message ?? '', /^There seems to be a password or key in argument \d/);
    });

  it('become inputs that are named after what they are', () => {
    for (const [args, id] of [
      [[`sk-${key}`], 'a-key'],
      [[`Bearer ${key}`], 'a-token'],
      [[`postgresql://ada:${key}@db.example/main`], 'a-login'],
      [['mysql', `-p${key}`], 'a-password'],
      [['-c', `exec mysql -p${key} shop`], 'a-password'],
      [['--authkey', key], 'a-authkey'],
      [[`--authkey=${key}`], 'a-authkey'],
    ] as const) {
      const server = newServer({ id: 'a', kind: 'stdio', name: 'a', command: 'x', args: [...args] });
      assert.match(exportMcpFile([server]), new RegExp(`"id": "${id}"`), args.join(' '));
    }
  });

  const open: string[][] = [
    ['-y', '@acme/server-with-a-very-long-name@1.2.3'],
    ['--max-tokens', '4096'],
    ['--max-tokens=4096'],
    ['--key', '/etc/ssl/key.pem'],
    ['--token-file', '/run/secrets/token'],
    ['--auth', 'true'],
    ['Bearer'],
    ['Bearer of bad news'],
    ['--keyboard', 'qwerty'],
    ['--api-key', '${API_KEY}'],
    ['https://e.example/mcp?team=blue'],
    ['image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['git+ssh://git@git.example/repository.git'],
    ['--mount', 'type=bind,src=/a,dst=/b'],
    ['mkdir', '-p', '/data'],
    ['run', '-p', '80:80', '-p', '127.0.0.1:8080:8080', 'mysql:8'],
    ['ssh', '-p', '22', 'host'],
    ['-c', 'mkdir -p /data && mysql -p shop'],
  ];
  for (const args of open)
    it(`aren’t seen in ${args.join(' ')}`, () => {
      const server = newServer({ id: 'a', kind: 'stdio', name: 'a', command: 'x', args });
      assert.deepEqual(
        (JSON.parse(exportMcpFile([server]).replace(/^\s*\/\/.*$/gm, '')) as { inputs: unknown }).inputs,
        [],
      );
      assert.deepEqual(readOne({ command: 'x', args }).preview.problems, []);
    });
});

describe('MCP: secrets in addresses', () => {
  for (const url of [
    `https://ada:${key}@e.example/mcp`,
    `https://${key}@e.example/mcp`,
    `https://e.example/mcp?apiKey=${key}`,
    `https://e.example/mcp?team=blue&access_token=${key}#x`,
    `https://e.example/mcp/s/${key}${key}/mcp`,
    `https://e.example/sse?KEY=${key}`,
  ])
    it(`become inputs of an exported file, and are named when imported: ${url}`, () => {
      const apiKey = { presence: 'set', intention: 'keep' } as const;
      const text = exportMcpFile([newServer({ id: 'b', kind: 'shttp', url, apiKey })]);
      assert.doesNotMatch(text, /canary/);
      const parsed = serverOf(text);
      assert.equal(parsed.preview.inputs.length, 2);
      const [input] = parsed.preview.inputs;
      const filled = fillWith(parsed, { [input?.key ?? '']: 'SECRET' });
      assert.match(filled.server.url, /^https:\/\/.*SECRET/);
      const [problem] = readOne({ url }).preview.problems;
      assert.match(problem?.message ?? '', /^There seems to be a password or key in the address/);
      assert.equal(problem?.blocking, false);
    });
});

describe('MCP: inputs of an exported file in a file with other inputs', () => {
  it('are renamed in arguments and addresses, but the user’s own text isn’t', () => {
    const added = exportMcpFile([
      newServer({
        id: 'a',
        kind: 'stdio',
        name: 'a',
        command: 'x',
        args: ['--token', key, '${input:a-token}', '${input:other}'],
      }),
      newServer({ id: 'b', kind: 'shttp', url: `https://b.example/?key=${key}` }),
    ]);
    const existing = '{"inputs": [{"id": "a-token-2"}, {"id": "b-example-key"}, {"id": "other"}]}';
    const merged = mergeMcpFile(existing, added, false);
    assert.ok(merged.ok);
    const { servers } = JSON.parse(merged.text) as {
      servers: Record<string, { args?: string[]; url?: string }>;
    };
    assert.deepEqual(servers['a']?.args, [
      '--token',
      '${input:a-token-2-2}',
      '${input:a-token}',
      '${input:other}',
    ]);
    assert.equal(servers['b-example']?.url, 'https://b.example/?key=${input:b-example-key-2}');
  });
});

describe('MCP: texts designed to be slow', () => {
  const size = 900_000;
  for (const part of [
    'ey-',
    '?key=a',
    'key=',
    '://a',
    '"key":"',
    '/a1',
    'sk-',
    ':',
    'https://a/',
    'a1',
    '@',
    'a ',
  ])
    it(`are searched for secrets in time: ${part}`, () => {
      const text = part.repeat(size / part.length);
      for (const each of [text, `https://e.example/${text}`])
        exportMcpFile([newServer({ id: 'a', kind: 'stdio', name: 'a', command: 'x', args: [each] })]);
    });
});
