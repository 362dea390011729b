import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { createSandboxWorkspace } from '../../src/api/agent/workspace';
import { createLimiter } from '../../src/api/http/limiter';
import type * as extension from '../../src/extension';
import { commandIds } from '../../src/ids';
import type * as networkFetch from '../../src/editor/networkFetch';
import { judgeAudit } from '../support/auditJudge';
import { english, translatedLocales } from '../support/l10n/locales';
import { projectFolder } from '../support/paths';
import { readPublisherLinks } from '../support/publisherLinks';
import { packageExtension } from '../support/vsix';
import { createAuthority } from './api/support/certificates';
import { closeServers, json, serveProxy, serveTls } from './api/support/servers';
import { serveSockets } from './api/support/sockets';
import { looseEditor } from './support/looseEditor';

/** The files of a zip, from its central directory. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const header = zip.readUInt32LE(at + 42);
    const body = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(body, body + size);
    files.set(zip.toString('utf8', at + 46, at + 46 + name!), method === 0 ? packed : inflateRawSync(packed));
    at += 46 + name! + extra! + comment!;
  }
  return files;
}

/** Required files of the package. Chunk names contain a content hash. */
const contents: RegExp[] = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package\.json$/,
  /^extension\/package\.nls\.json$/,
  /^extension\/readme\.md$/i,
  /^extension\/license\.txt$/i,
  /^extension\/changelog\.md$/i,
  /^extension\/dist\/extension\.js$/,
  /^extension\/dist\/[\w-]+\.js$/,
  /^extension\/dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^extension\/dist\/webview\/(settings|conversation)\.(js|css)$/,
  /^extension\/media\/(icon\.png|container\.svg|message\.tmLanguage\.json)$/,
  /^extension\/media\/walkthrough\/[\w.-]+\.(png|svg|md)$/,
  /^extension\/docs\/troubleshooting\.md$/,
  /^extension\/package\.nls\.(de|ja|zh-cn)\.json$/,
  /^extension\/dist\/l10n\/(numbers|(de|ja|zh-cn)\.json\.br)$/,
];
/** Optional files of the package. */
const optional: RegExp[] = [/^extension\/dist\/webview\/[\w-]+\.(ttf|js|css)$/];

describe('package', function () {
  this.timeout(240_000);
  let folder: string;
  let zips: Buffer[];
  let files: Map<string, Buffer>;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vsix-'));
    zips = [];
    for (const name of ['one.vsix', 'two.vsix']) {
      await packageExtension(path.join(folder, name));
      zips.push(readFileSync(path.join(folder, name)));
    }
    files = unzip(zips[0]!);
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(closeServers);

  const texts = () => [...files].filter(([name]) => /\.(js|json|css|html|xml|vsixmanifest)$/.test(name));
  const code = () => texts().filter(([name]) => name.endsWith('.js'));

  it('is identical each time it is built', () => {
    assert.ok(zips[0]!.equals(zips[1]!));
  });

  it('contains only the listed files', () => {
    for (const name of files.keys()) {
      assert.ok(
        [...contents, ...optional].some((pattern) => pattern.test(name)),
        `${name} is not on the list`,
      );
    }
    for (const pattern of contents) {
      assert.ok(
        [...files.keys()].some((name) => pattern.test(name)),
        `nothing like ${pattern.source}`,
      );
    }
  });

  it('is under 817 kB, with less than 15 bytes for each text of a language', () => {
    const languages = translatedLocales();
    assert.ok(languages.length > 0);
    const sizeOf = (locale: string) =>
      [...files]
        .filter(([name]) => /[./]([\w-]+)\.json(?:\.br)?$/.exec(name)?.[1] === locale)
        .reduce((sum, [, content]) => sum + deflateRawSync(content).length, 0);
    const sizes = languages.map(sizeOf);
    // With the English beside each text, it would be twice as much.
    const { manifest, bundle } = english();
    const texts = Object.keys(manifest).length + Object.keys(bundle).length;
    for (const size of sizes) assert.ok(size > 0 && size < 15 * texts, `${size} bytes of ${texts} texts`);
    assert.ok(zips[0]!.length < 817_000, `${zips[0]!.length} bytes`);
  });

  const inPackage = createRequire(__filename);
  const inDist = (...names: string[]) => path.join(folder, 'extension', 'dist', ...names);
  /** Writes the code of the package where the extension host would read it, with `editor` as its `vscode`. */
  const unpack = (editor: unknown = {}): void => {
    const api = path.join(folder, 'node_modules', 'vscode.js');
    for (const [name, content] of [['node_modules/vscode.js', ''] as const, ...code()]) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      Reflect.deleteProperty(inPackage.cache, file);
    }
    inPackage.cache[api] = Object.assign(new Module(api), { exports: editor, loaded: true });
  };
  const trusted = () => {
    const authority = createAuthority();
    const caFile = path.join(folder, 'ca.pem');
    writeFileSync(caFile, authority.ca);
    return { caFile, identity: authority.issue() };
  };

  it('asks, uploads, and opens sockets by the network options of a connection', async () => {
    unpack();
    await build({
      entryPoints: [path.join(projectFolder, 'src', 'editor', 'networkFetch.ts')],
      outdir: inDist(),
      bundle: true,
      format: 'cjs',
      platform: 'node',
      external: ['./undici'],
      alias: { 'undici/index-fetch.js': './undici' },
      supported: { 'dynamic-import': false },
    });
    const { createFetch, createOpenSocket } = inPackage(inDist('networkFetch.js')) as typeof networkFetch;
    const { caFile, identity } = trusted();
    const body = JSON.stringify({ success: true, text: 'ü'.repeat(100_000) });
    const uploads: string[] = [];
    const server = await serveTls((request, response) => {
      const received = text(request);
      void received.then((sent) => {
        if (request.headers['content-type']?.startsWith('multipart/form-data')) uploads.push(sent);
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        response.end(gzipSync(body));
      });
    }, identity);
    const sockets = await serveSockets((socket) => socket.send('hello'), { tls: identity });
    const proxy = await serveProxy();
    const globals = () =>
      [1, 2].map(
        (version) =>
          (globalThis as Record<symbol, unknown>)[Symbol.for(`undici.globalDispatcher.${version}`)],
      );
    await globalThis.fetch('data:,');
    const present = globals();
    const agent = { release: '1.58.0', capabilities: [] };
    for (const through of [undefined, { url: proxy.origin }]) {
      const fetch = await createFetch({ caFile }, through);
      const answer = await fetch(server.origin, { method: 'POST', body, redirect: 'manual' });
      assert.equal(await answer.text(), body);
      await assert.rejects((await createFetch({}, through))(server.origin));
      const workspace = createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'key', agent, {
        fetch,
        limiter: createLimiter(),
      });
      await workspace.upload('/a', Buffer.from('content'));
      assert.match(uploads.pop() ?? '', /name="file"; filename="file"\r\n[^]*\r\n\r\ncontent\r\n--/);
      const open = await createOpenSocket({ caFile }, through);
      const socket = await open(sockets.origin.replace('http', 'ws'), { 'X-Session-API-Key': 'key' });
      const heard = await new Promise<unknown>((resolve, reject) => {
        socket.addEventListener('message', ({ data }) => resolve(data));
        socket.addEventListener('error', () => reject(new Error('no socket')));
      });
      assert.equal(heard, 'hello');
      socket.close();
    }
    assert.deepEqual(globals(), present);
    assert.equal(server.requests.length, 4);
    assert.ok(proxy.asked.length > 0);
    assert.deepEqual(
      sockets.requests.map(({ headers }) => headers['x-session-api-key']),
      ['key', 'key'],
    );
  });

  it('loads each of its files when it is first needed', async () => {
    const { caFile, identity } = trusted();
    const server = await serveTls((_request, response) => json(response, {}, 404), identity);
    const connection = { name: 'Team', url: server.origin, network: { caFile } };
    const editor = looseEditor({ connections: [connection] }, 'key-of-the-test');
    unpack(editor.api);
    const read = () => {
      const names = code().flatMap(([name]) => (inPackage.cache[path.join(folder, name)] ? [name] : []));
      return names.map((name) => path.basename(name)).sort();
    };
    const { activate } = inPackage(inDist('extension.js')) as typeof extension;
    activate(editor.context);
    assert.deepEqual(read(), ['extension.js']);
    const { size } = statSync(inDist('extension.js'));
    assert.ok(size < 20_000, `${size} bytes at activation`);
    assert.equal(await editor.run(commandIds.connectionDiagnose), undefined);
    assert.deepEqual(read(), ['compose.js', 'extension.js', 'undici.js']);
    assert.match(editor.shown.join(), /HTTP 404/);
    assert.ok(server.requests.some(({ headers }) => headers['x-session-api-key'] === 'key-of-the-test'));
    editor.dispose();
  });

  it('contains only links set by the publisher', () => {
    const { repository, bugs, homepage, qna } = readPublisherLinks();
    const set = [repository, bugs, homepage, qna].filter((link) => link !== null);
    const manifest = files.get('extension.vsixmanifest')!.toString('utf8');
    const links = [...manifest.matchAll(/<Property Id="[^"]*Links[^"]*" Value="([^"]*)"/g)].map(
      ([, to]) => to!,
    );
    assert.deepEqual(
      links.filter((link) => !set.some((own) => link.startsWith(own))),
      [],
    );
    const readme = [...files].find(([name]) => /^extension\/readme\.md$/i.test(name))![1].toString('utf8');
    // Relative links and pictures don’t work in the editor.
    if (repository === null) assert.doesNotMatch(readme, /\]\((?!#)/);
  });

  it('contains no source map, build machine path, or key', () => {
    for (const [name, content] of texts()) {
      const text = content.toString('utf8');
      assert.doesNotMatch(text, /sourceMappingURL|-----BEGIN [A-Z ]*PRIVATE KEY-----/, name);
      assert.ok(!text.includes(projectFolder), name);
    }
  });

  it('never switches certificate checks off', () => {
    assert.ok(code().length > 3);
    for (const [name, content] of code()) {
      const text = content.toString('utf8');
      assert.doesNotMatch(text, /rejectUnauthorized["']?\s*[:=](?!=)\s*(?:!1|false|0)/, name);
      assert.doesNotMatch(text, /NODE_TLS_REJECT_UNAUTHORIZED/, name);
    }
  });

  it('lists every bundled package with its permissive license', () => {
    const notices = files.get('extension/dist/THIRD-PARTY-NOTICES.txt')!.toString('utf8');
    const parts = notices.split(`\n${'-'.repeat(80)}\n`).map((part) => part.trim());
    const found = parts.map((part) => /^(\S+) (\S+) \(([^)]+)\)\n/.exec(part));
    for (const name of ['undici', 'zod', 'lit-html', '@vscode/l10n', 'eventsource-parser']) {
      assert.ok(
        found.some((match) => match?.[1] === name),
        `${name} is not named`,
      );
    }
    for (const [index, match] of found.entries()) {
      assert.ok(match, parts[index]!.slice(0, 80));
      assert.match(
        match[3]!,
        /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|CC-BY-4\.0|BlueOak-1\.0\.0)$/,
        match[1],
      );
      assert.ok(parts[index]!.length > 60, `${match[1]} says nothing of its licence`);
    }
  });
});

describe('source code', () => {
  const src = path.join(projectFolder, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const forbidden = [
    'rejectUnauthorized',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'setGlobalDispatcher',
    'supportHtml',
    'enableCommandUris',
    'eval(',
    'new Function',
    'unsafeHTML',
    'innerHTML',
    // See shared/url.ts.
    'URL.canParse(',
  ];
  for (const word of forbidden) {
    it(`does not contain ${word}`, () => {
      for (const name of files) {
        assert.ok(!readFileSync(path.join(src, name), 'utf8').includes(word), name);
      }
    });
  }

  it('creates Markdown in three places, from escaped text', () => {
    const makers = files.filter((name) =>
      readFileSync(path.join(src, name), 'utf8').includes('MarkdownString'),
    );
    const [tooltip, statusBar, question] = [
      path.join('editor', 'rows', 'rowTree.ts'),
      path.join('editor', 'statusBar.ts'),
      path.join('features', 'tools', 'editor.ts'),
    ] as const;
    assert.deepEqual(makers.sort(), [tooltip, statusBar, question]);
    const rows = readFileSync(path.join(src, tooltip), 'utf8');
    // The exception escapes text itself, because the editor's escaping turns addresses into links.
    assert.equal(rows.match(/new vscode\.MarkdownString\(/g)?.length, 1);
    assert.match(rows, /facts\.map\(\(\{ label, value \}\) =>\s+markdownText\(/);
    assert.match(rows, /\*\*\$\{markdownText\(title\.value\)\}\*\*/);
    const asked = readFileSync(path.join(src, question), 'utf8');
    assert.deepEqual(asked.match(/new vscode\.MarkdownString\(.*/g), [
      'new vscode.MarkdownString(questionText(question));',
    ]);
    const text = readFileSync(path.join(src, statusBar), 'utf8');
    assert.doesNotMatch(text, /new vscode\.MarkdownString\([^)]/);
    const appended = text.match(/appendMarkdown\(.*?\)\)?/g) ?? [];
    const allowed = [
      "appendMarkdown('\\n\\n')",
      'appendMarkdown(linkMarkdown(line))',
      'appendMarkdown(markdownText(line))',
    ];
    for (const one of appended) assert.ok(allowed.includes(one), one);
  });

  it('trusts Markdown only to run its own commands in the status bar', () => {
    const trusting = files.filter((name) => readFileSync(path.join(src, name), 'utf8').includes('isTrusted'));
    assert.deepEqual(trusting, [path.join('editor', 'statusBar.ts')]);
    const text = readFileSync(path.join(src, trusting[0]!), 'utf8');
    assert.deepEqual(text.match(/isTrusted.*/g), ['isTrusted = { enabledCommands: linked };']);
  });

  it('checks lengths with shared/bounded.ts when reading responses, settings, and messages', () => {
    for (const name of files.filter((file) => /^(api|shared)\b/.test(file)))
      assert.doesNotMatch(readFileSync(path.join(src, name), 'utf8'), /z\.(?:min|max)Length/, name);
  });

  it('does not log error objects, whose text can contain secrets', () => {
    for (const name of files) {
      const text = readFileSync(path.join(src, name), 'utf8');
      assert.doesNotMatch(text, /\blog\.(?:trace|debug|info|warn|error)\((?:error|reason|thrown)\b/, name);
    }
  });
});

describe('dependency audit', () => {
  const finding = (severity: string) =>
    JSON.stringify({ vulnerabilities: { bad: { name: 'bad', severity, range: '<2' } } });
  for (const [name, output, passed, words] of [
    ['no finding', '{"vulnerabilities":{}}', true, /no finding/],
    ['a moderate finding', finding('moderate'), true, /no finding/],
    ['a high finding', finding('high'), false, /high: bad <2/],
    ['a critical finding', finding('critical'), false, /critical: bad <2/],
    [
      'a registry without an audit',
      '{"message":"405 Method Not Allowed","statusCode":405}',
      true,
      /NOT DONE.*405/,
    ],
    ['no audit by npm’s own word', '{"error":{"code":"ENOAUDIT","summary":"x"}}', true, /NOT DONE.*ENOAUDIT/],
    ['no network', '{"error":{"code":"ENOTFOUND","summary":"x"}}', false, /failed \(ENOTFOUND x\)/],
    ['no lock file', '{"error":{"code":"ENOLOCK","summary":"no lock"}}', false, /failed \(ENOLOCK no lock\)/],
    ['a registry that fails', '{"message":"boom","statusCode":500}', false, /failed/],
    ['nothing', '', false, /failed \(no answer\)/],
    ['another answer', '[]', false, /failed \(no answer\)/],
  ] as const) {
    it(`${passed ? 'passes' : 'fails'} with a message for ${name}`, () => {
      const judged = judgeAudit(output);
      assert.equal(judged.passed, passed);
      assert.match(judged.message, words);
    });
  }
});
