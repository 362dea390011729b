import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import type * as networkFetch from '../../src/platform/networkFetch';
import { judgeAudit } from '../support/auditJudge';
import { translatedLocales } from '../support/l10n/locales';
import { projectFolder } from '../support/paths';
import { readPublisherLinks } from '../support/publisherLinks';
import { packageExtension } from '../support/vsix';
import { createAuthority } from './api/support/certificates';
import { closeServers, serveProxy, serveTls } from './api/support/servers';

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
  /^extension\/media\/(icon\.png|container\.svg)$/,
  /^extension\/media\/settings-(light|dark)\.svg$/,
  /^extension\/media\/conversation(-(working|waiting|failed))?-(light|dark)\.svg$/,
  /^extension\/media\/walkthrough\/[\w.-]+\.(png|svg|md)$/,
  /^extension\/docs\/troubleshooting\.md$/,
  /^extension\/package\.nls\.(de|ja|zh-cn)\.json$/,
  /^extension\/dist\/l10n\/(english|de|ja|zh-cn)\.json\.br$/,
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

  it('is under 455 kB plus 25 kB for each language besides English', () => {
    const languages = translatedLocales();
    assert.ok(languages.length > 0);
    const sizeOf = (locale: string) =>
      [...files]
        .filter(([name]) => /[./]([\w-]+)\.json(?:\.br)?$/.exec(name)?.[1] === locale)
        .reduce((sum, [, content]) => sum + deflateRawSync(content).length, 0);
    const sizes = languages.map(sizeOf);
    for (const size of sizes) assert.ok(size > 0 && size < 25_000, `${size} bytes of a language`);
    const rest = sizes.reduce((left, size) => left - size, zips[0]!.length);
    assert.ok(rest < 455_000, `${rest} bytes without them, of ${zips[0]!.length}`);
  });

  it('contains the parts of undici for connections with network options', async () => {
    for (const [name, content] of code()) writeFileSync(path.join(folder, path.basename(name)), content);
    const chunk = readdirSync(folder).find((name) => name.startsWith('networkFetch-'))!;
    mkdirSync(path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'node_modules', 'vscode.js'), '');
    const { createFetch: packed, createOpenSocket: packedSocket } = createRequire(__filename)(
      path.join(folder, chunk),
    ) as typeof networkFetch;
    const authority = createAuthority();
    const caFile = path.join(folder, 'ca.pem');
    writeFileSync(caFile, authority.ca);
    const body = JSON.stringify({ items: [], text: 'ü'.repeat(100_000) });
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync(body));
    }, authority.issue());
    const proxy = await serveProxy();
    for (const through of [undefined, { url: proxy.origin }]) {
      const fetch = await packed({ caFile }, through);
      const answer = await fetch(server.origin, { method: 'POST', body, redirect: 'manual' });
      assert.equal(await answer.text(), body);
      await assert.rejects((await packed({}, through))(server.origin));
      const open = await packedSocket({ caFile }, through);
      const socket = await open(server.origin.replace('https', 'wss'), {});
      // The server answers with 200, where a socket would be.
      await new Promise((resolve) => socket.addEventListener('error', resolve));
    }
    assert.equal(server.requests.length, 4);
    assert.ok(proxy.asked.length > 0);
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
    for (const name of ['undici', 'zod', 'lit-html', 'marked', '@vscode/l10n', 'eventsource-parser']) {
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
    const [statusBar, question, tooltip] = [
      path.join('platform', 'statusBar.ts'),
      path.join('tools', 'questionMarkdown.ts'),
      path.join('views', 'tooltip.ts'),
    ] as const;
    assert.deepEqual(makers.sort(), [statusBar, question, tooltip]);
    const rows = readFileSync(path.join(src, tooltip), 'utf8');
    // The exception escapes text itself, because the editor's escaping turns addresses into links.
    assert.equal(rows.match(/new vscode\.MarkdownString\(/g)?.length, 1);
    assert.match(rows, /facts\.map\(\(\{ label, value \}\) => escaped\(/);
    assert.match(rows, /\*\*\$\{escaped\(title\.value\)\}\*\*/);
    for (const maker of [statusBar, question]) {
      const text = readFileSync(path.join(src, maker), 'utf8');
      assert.doesNotMatch(text, /new vscode\.MarkdownString\([^)]/);
      const appended = text.match(/appendMarkdown\(.*?\)\)?/g) ?? [];
      const allowed = ["appendMarkdown('\\n\\n')", 'appendMarkdown(linkMarkdown(line))'];
      for (const one of appended) assert.ok(allowed.includes(one), one);
    }
  });

  it('trusts Markdown only to run its own commands in the status bar', () => {
    const trusting = files.filter((name) => readFileSync(path.join(src, name), 'utf8').includes('isTrusted'));
    assert.deepEqual(trusting, [path.join('platform', 'statusBar.ts')]);
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
