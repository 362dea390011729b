import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { refusedImport, rooms } from '../support/layers.mjs';
import { projectFolder } from '../support/paths';

const src = join(projectFolder, 'src');
const files = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name.split(sep).join('/'), readFileSync(join(src, name), 'utf8')]),
);
/** What a file imports, including type imports and dynamic imports. */
const importsIn = (text: string) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
const imports = new Map([...files].map(([file, text]) => [file, importsIn(text)]));

function assertNone(violations: readonly string[]): void {
  assert.ok(violations.length === 0, `\n${violations.join('\n')}`);
}

/** Import cycles between files. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    else if (!done.has(file)) for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/** Which files of src each file imports. */
function targetsIn(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  return new Map(
    [...texts].map(([file, text]) => {
      const paths = importsIn(text).map((target) => posix.join(posix.dirname(file), target));
      return [
        file,
        paths.flatMap((path) => [`${path}.ts`, `${path}/index.ts`].filter((one) => texts.has(one))),
      ];
    }),
  );
}

const lengthOf = (text: string): number => text.trimEnd().split('\n').length;

/** Files of at most 60 lines that only one file imports, which lies beside them. */
function confetti(texts: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [file, targets] of targetsIn(texts))
    for (const target of targets) importers.set(target, (importers.get(target) ?? new Set()).add(file));
  return [...importers].flatMap(([file, [importer = '', ...others]]) =>
    others.length === 0 &&
    posix.dirname(importer) === posix.dirname(file) &&
    lengthOf(texts.get(file) ?? '') <= 60
      ? [`${file}, only for ${posix.basename(importer)}`]
      : [],
  );
}

/** Whether a module has variables, or creates objects that could change or are told apart by identity. */
function keepsState(text: string): boolean {
  const { statements } = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest);
  return statements.some((statement) => {
    if (ts.isClassDeclaration(statement)) return true;
    if (!ts.isVariableStatement(statement)) return false;
    const { flags, declarations } = statement.declarationList;
    return (
      !(flags & ts.NodeFlags.Const) ||
      declarations.some(
        ({ initializer }) =>
          initializer !== undefined &&
          (ts.isNewExpression(initializer) || ts.isArrayLiteralExpression(initializer)),
      )
    );
  });
}

/** The names that a file declares and exports; what it only passes on doesn’t count. */
function exportedNames(text: string): string[] {
  const { statements } = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported !== true) return [];
    const declared = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.Statement & { name?: ts.Node }];
    return declared.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
  });
}

/** What several files export by one name. */
function sharedNames(texts: ReadonlyMap<string, string>): string[] {
  const owners = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    for (const name of exportedNames(text)) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return [...owners].flatMap(([name, of]) => (of.size > 1 ? [`${name}: ${[...of].join(', ')}`] : []));
}

/** The files of the project that comments name, apart from examples, and that don’t exist. */
function missingFiles(texts: ReadonlyMap<string, string>): string[] {
  const isThere = (name: string) =>
    [...texts.keys()].some((file) => `/src/${file}`.endsWith(`/${name}`)) ||
    existsSync(join(projectFolder, name));
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/(?<!such as `)(?<![\w./-])(?:[\w./-]*\w\.(?:ts|mjs)\b|src\/[\w/]+\b(?!\.))/g)]
        .filter(([name]) => !isThere(name))
        .map(([name]) => `${file}: ${name}`),
    ),
  );
}

describe('layout of src', () => {
  it('allows each file only the imports of its part', () => {
    assertNone(
      [...imports].flatMap(([file, targets]) =>
        targets.flatMap((target) => {
          const refusal = refusedImport(file, target);
          return refusal === undefined ? [] : [`${file} imports ${target}: ${refusal}`];
        }),
      ),
    );
  });

  it('refuses imports upward, sideways, and of packages missing at run time', () => {
    const refused = [
      ['core/session/session.ts', '../../features/tools/editor'],
      ['core/session/session.ts', '../../editor/logLine'],
      ['editor/logLine.ts', '../features/settings'],
      ['api/service/client.ts', '../../../src/ids'],
      ['api/http/transport.ts', '../service/client'],
      ['api/agent/client.ts', '../service/client'],
      ['shell.ts', './features/connection'],
      ['compose.ts', './shell'],
      ['features/tools/editor.ts', '../../compose'],
      ['features/settings/panel/panel.ts', '../page/app'],
      ['features/settings/panel/panel.ts', '../../conversation'],
      ['features/settings/page/app.ts', '../../conversation/page/app'],
      ['features/settings/page/app.ts', '../model/document'],
      ['features/settings/model/document.ts', '../panel/panel'],
      ['features/settings/model/document.ts', '../index'],
      ['features/sandboxes/rows/rows.ts', '../commands/change'],
      ['features/sandboxes/commands/change.ts', '../../targets/commands/tellNone'],
      ['features/live/model/model.ts', '../../changes'],
      ['features/live/model/model.ts', '../../targets/editor'],
      ['features/live/index.ts', './commands/steer'],
      ['features/live/editor.ts', './page/main'],
      ['features/unheardOf/model/model.ts', '../../live'],
      ['core/kit/icons.ts', '../../features/settings/page/app'],
      ['core/kit/icons.ts', '../lists/ref'],
      ['core/lists/ref.ts', '../kit/icons'],
      ['core/session/session.ts', 'vscode'],
      ['features/live/model/model.ts', 'vscode'],
      ['features/live/index.ts', 'vscode'],
      ['shared/url.ts', 'node:url'],
      ['features/settings/shared/form.ts', 'node:url'],
      ['features/settings/page/app.ts', 'undici'],
      ['elsewhere/file.ts', './other'],
    ] as const;
    const allowed = [
      ['compose.ts', './features/tools/editor'],
      ['compose/commands/serviceCommands.ts', '../../features/connection/commands/setKey'],
      ['features/start/commands/sendMessage.ts', '../../targets/editor'],
      ['features/start/commands/sendMessage.ts', '../model/startTasks'],
      ['features/start/model/startTasks.ts', '../../live'],
      ['features/live/editor.ts', './commands/steer'],
      ['features/live/index.ts', './model/model'],
      ['features/tools/toolbox.ts', './tool'],
      ['features/settings/page/view/page.ts', '../state'],
      ['features/settings/page/app.ts', '../../../core/kit/combobox'],
      ['features/settings/page/app.ts', '../../../shared/fields'],
      ['features/settings/page/app.ts', '../shared/messages'],
      ['features/settings/panel/panel.ts', '../../../editor/webviewPanel'],
      ['api/service/client.ts', '../http/transport'],
      ['api/http/exactNumbers.ts', 'node:crypto'],
      ['editor/logLine.ts', 'vscode'],
    ] as const;
    assertNone(refused.filter((each) => refusedImport(each[0], each[1]) === undefined).map(String));
    assertNone(allowed.filter((each) => refusedImport(each[0], each[1]) !== undefined).map(String));
  });

  it('lists each feature, and lets it use only those above it', () => {
    const names = Object.keys(rooms);
    assert.deepEqual(names.toSorted(), readdirSync(join(src, 'features')).toSorted());
    assertNone(
      Object.entries(rooms).flatMap(([room, uses]) =>
        uses
          .filter((used) => names.indexOf(used) >= names.indexOf(room))
          .map((used) => `${room} uses ${used}`),
      ),
    );
  });

  it('has no import cycles', () => {
    const graph = targetsIn(files);
    assert.ok([...graph.values()].flat().length > files.size, 'the imports are followed');
    assertNone(cyclesOf(graph));
  });

  it('keeps no state in modules that are both read at activation and bundled with the rest', async () => {
    const bundled = async (entry: string, external: string[]) => {
      const { metafile } = await build({
        entryPoints: [join(src, entry)],
        bundle: true,
        write: false,
        metafile: true,
        format: 'cjs',
        platform: 'node',
        external: ['vscode', 'undici', ...external],
      });
      const { inputs } = Object.values(metafile.outputs)[0]!;
      return Object.keys(inputs).map((input) => relative(src, resolve(input)).split(sep).join('/'));
    };
    const rest = await bundled('compose.ts', []);
    const twice = (await bundled('extension.ts', ['./compose'])).filter((file) => rest.includes(file));
    assert.ok(twice.includes('ids.ts'));
    assertNone(twice.filter((file) => keepsState(files.get(file) ?? 'let outside;')));
    assert.deepEqual(
      [
        'let count = 0;',
        'const known = new Map();',
        'export class Refusal {}',
        'const seen: string[] = [];',
      ].filter((text) => !keepsState(text)),
      [],
    );
  });

  it('reads no names of servers, fields or variables with z.record, which leaves out “__proto__”', () => {
    const reading = [...files].filter(([file]) =>
      /^(?:api|core|features\/[^/]+\/(?!page|shared))/.test(file),
    );
    // A comment may name it.
    const records = reading.filter(([, text]) => /\bz\s*\.record\(/.test(text));
    assertNone(records.map(([file]) => file));
  });

  it('asks what a service can do by its groups of calls, not by its kind', () => {
    // The memory of the windows, and the only other place that makes clients.
    const may = ['editor/generations.ts', 'features/connection/commands/diagnosis/answers.ts'];
    const asking = [...imports].flatMap(([file, targets]) =>
      targets.some((target) => target.endsWith('api/service/generation')) ? [file] : [],
    );
    assert.deepEqual(asking.filter((file) => !file.startsWith('api/')).toSorted(), may);
  });

  it('exports each name from one file, so that it means one thing', () => {
    assertNone(sharedNames(files));
    const texts = new Map([
      ['a.ts', 'export const one = 1, two = 2;\nexport function three() {}\nexport type Four = 4;'],
      ['b.ts', "export { five } from './a';\nconst one = 1;\nexport class Six {}\nexport type Six = 6;"],
      ['c.ts', 'export async function two() {}\nexport interface Four {}\nexport enum Six {}'],
    ]);
    assert.deepEqual(sharedNames(texts), ['two: a.ts, c.ts', 'Four: a.ts, c.ts', 'Six: b.ts, c.ts']);
  });

  it('names in comments only files that exist', () => {
    assertNone(missingFiles(files));
    const texts = new Map([
      ['a/one.ts', '/** See one.ts, a/one.ts, l10n/pack.mjs, and the folder `src/features`. */'],
      [
        'a/two.ts',
        '/** Such as `b.c` (see a/three.ts). */\n// A folder of `src/webview`, such as `src/x.ts`.',
      ],
    ]);
    assert.deepEqual(missingFiles(texts), ['a/two.ts: a/three.ts', 'a/two.ts: src/webview']);
  });

  it('has no files over 400 lines', () => {
    const lengths = [...files].map(([file, text]) => [file, lengthOf(text)] as const);
    assertNone(lengths.filter(([, lines]) => lines > 400).map(([file, lines]) => `${file}: ${lines} lines`));
  });

  it('splits few small files off the only file that imports them', () => {
    const found = confetti(files);
    // Lower the number when there are fewer. What belongs to one file only is best read there.
    assert.ok(found.length <= 20, `${found.length}:\n${found.join('\n')}`);
    const texts = new Map([
      ['a/one.ts', "import { two } from './two';\nexport type { Three } from './three';"],
      ['a/two.ts', 'export const two = 2;\n'.repeat(60)],
      ['a/three.ts', "const four = () => import('./four');"],
      ['a/four.ts', '\n'.repeat(60) + 'export const four = 4;'],
      ['a/five.ts', "import './six';\nimport '../b';\nimport '../b/seven';"],
      ['a/six.ts', "import './five';"],
      ['a/eight.ts', "import './six';\nimport './missing';"],
      ['b/index.ts', "import type { Seven } from './seven';"],
      ['b/seven.ts', ''],
    ]);
    assert.deepEqual(confetti(texts), [
      'a/two.ts, only for one.ts',
      'a/three.ts, only for one.ts',
      'a/five.ts, only for six.ts',
    ]);
  });
});
