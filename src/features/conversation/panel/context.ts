import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { quotedSelection } from '../../../core/text/selectionMessage';
import { uncommittedChanges } from '../../../editor/git';
import { askPick, back } from '../../../editor/inputs';
import { pathOf, problemOf, selectionOf } from '../../../editor/selection';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import type { QuotedSelection } from '../../../shared/selection';
import {
  type ContextFinder,
  type ContextItem,
  type ContextSource,
  bestPaths,
  changesQuote,
  folderQuote,
  namePattern,
  pathsInDiff,
  problemsQuote,
} from '../../context';
import { locateFile, pickFiles, readFile } from './quotedFiles';

const mostOpen = 10;
const mostFiles = 20;
const mostSymbols = 10;
/** How many files are looked through by name. */
const mostLooked = 1_000;
const ignored = '**/{node_modules,.git}/**';

/** What can go along with a message: what is in the editor, and files by name. */
export const contextFinder: ContextFinder = { find, findSymbols, pick };

async function find(query: string): Promise<ContextItem[]> {
  // That's an issue or a pull request.
  if (/^\d+$/.test(query)) return [];
  const wanted = query.toLowerCase();
  const special = [...selections(), ...problems(), ...(await changes())].filter(({ label }) =>
    label.toLowerCase().startsWith(wanted),
  );
  const open = openFiles().filter((uri) => pathOf(uri).toLowerCase().includes(wanted));
  const known = new Set(open.map(String));
  const found = (await filesNamed(query)).filter(({ uri }) => !known.has(uri.toString()));
  return [
    ...special,
    ...open.slice(0, mostOpen).map(fileItem),
    ...found.map(({ kind, uri }) => (kind === 'file' ? fileItem(uri) : folderItem(uri))),
  ];
}

function openFiles(): vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.toSorted((a, b) => Number(b.isActive) - Number(a.isActive)),
  );
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  return [...new Map(uris.filter(isFile).map((uri) => [uri.toString(), uri])).values()];
}

/** Whether people would call this a file: it isn’t a document of an extension. */
const isFile = (uri: vscode.Uri) =>
  uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined;

async function filesNamed(query: string): Promise<{ kind: 'file' | 'folder'; uri: vscode.Uri }[]> {
  const pattern = namePattern(query);
  if (pattern === undefined) return [];
  const looked = (vscode.workspace.workspaceFolders ?? []).map(async ({ uri: root }) => {
    const files = await vscode.workspace.findFiles(
      new vscode.RelativePattern(root, pattern),
      ignored,
      mostLooked,
    );
    const paths = files.map(({ path }) => path.slice(root.path.length).replace(/^\//, ''));
    return bestPaths(paths, query, mostFiles).map(({ kind, path }) => ({
      kind,
      uri: vscode.Uri.joinPath(root, path),
    }));
  });
  const found = await Promise.all(looked);
  // The best of each folder first.
  const inTurn = Array.from({ length: mostFiles }, (_, at) => found.flatMap((ones) => ones[at] ?? []));
  return inTurn.flat().slice(0, mostFiles);
}

const nameOf = (uri: vscode.Uri) => plainText(uri.path.split('/').at(-1) ?? '', 200);
const folderOf = (uri: vscode.Uri) => plainText(pathOf(uri).split('/').slice(0, -1).join('/'), 400);

async function located(uri: vscode.Uri, read: ContextSource['read']): Promise<ContextSource | undefined> {
  const file = await locateFile(uri.toString());
  return file && { ...file, read };
}

function fileItem(uri: vscode.Uri): ContextItem {
  const locate = () => located(uri, () => readFile(uri.toString()));
  return { kind: 'file', label: nameOf(uri), detail: folderOf(uri), locate };
}

function folderItem(uri: vscode.Uri): ContextItem {
  const read = async () => {
    const files = await vscode.workspace.findFiles(
      new vscode.RelativePattern(uri, '**'),
      ignored,
      mostLooked,
    );
    const names = files.map(({ path }) => path.slice(uri.path.length + 1)).toSorted();
    return { quote: folderQuote(`${pathOf(uri)}/`, names), text: '' };
  };
  const detail = joined(l10n.t('folder'), folderOf(uri));
  return { kind: 'folder', label: `${nameOf(uri)}/`, detail, locate: () => located(uri, read) };
}

/** What is in the editor already, and not a file to be read. */
function shown(
  kind: ContextItem['kind'],
  label: string,
  detail: string,
  read: () => Promise<{ quote: QuotedSelection; paths: readonly string[]; text: string }>,
): ContextItem {
  return {
    kind,
    label,
    detail,
    locate: async () => {
      const { paths, ...quoted } = await read();
      return { paths, name: quoted.quote.label, isInside: true, read: () => Promise.resolve(quoted) };
    },
  };
}

function selections(): ContextItem[] {
  return vscode.window.visibleTextEditors.flatMap((editor) => {
    const selection = isFile(editor.document.uri) ? selectionOf(editor) : undefined;
    if (!selection) return [];
    const quote = quotedSelection(selection);
    const text = selection.parts.map((part) => part.text).join('\n');
    const read = () => Promise.resolve({ quote, paths: [selection.path], text });
    return [shown('selection', l10n.t('Selection'), plainText(quote.label, 400), read)];
  });
}

function problems(): ContextItem[] {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const files = vscode.languages.getDiagnostics().flatMap(([uri, all]) => {
    const serious = all.filter(({ severity }) => severity === Error || severity === Warning);
    return serious.length > 0 && isFile(uri) ? [{ path: pathOf(uri), problems: serious.map(problemOf) }] : [];
  });
  const count = files.reduce((sum, file) => sum + file.problems.length, 0);
  if (count === 0) return [];
  const detail =
    count === 1 ? l10n.t('1 error or warning') : l10n.t('{0} errors and warnings', count.toLocaleString());
  // Messages of problems can hold what they are about.
  const read = () => {
    const quote = problemsQuote(files);
    return Promise.resolve({ quote, paths: files.map(({ path }) => path), text: quote.text });
  };
  return [shown('problems', l10n.t('Problems'), detail, read)];
}

async function changes(): Promise<ContextItem[]> {
  const repositories = await uncommittedChanges();
  return repositories.map(({ root, files, diff }) => {
    const label = l10n.t('Changes');
    const count = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length.toLocaleString());
    const name = repositories.length > 1 ? nameOf(root) : '';
    const detail = joined(name, count);
    const read = async () => {
      const text = await diff();
      const paths = pathsInDiff(text);
      const names = files.map(({ path }) => path.slice(root.path.length + 1));
      const others = names.filter((name) => !paths.includes(name));
      return { quote: changesQuote(label, text, others, name), paths, text };
    };
    return shown('changes', label, detail, read);
  });
}

async function findSymbols(query: string): Promise<ContextItem[]> {
  if (query.length < 2 || /^\d+$/.test(query)) return [];
  const symbols = await vscode.commands
    .executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query)
    .then(undefined, () => undefined);
  return (symbols ?? [])
    .filter(({ location }) => isFile(location.uri))
    .slice(0, mostSymbols)
    .map((symbol) => {
      const { uri } = symbol.location;
      const detail = `${l10n.t('symbol')} · ${plainText(pathOf(uri), 400)}`;
      const locate = () => located(uri, () => readFile(uri.toString(), () => wholeOf(symbol)));
      return { kind: 'symbol', label: plainText(symbol.name, 200), detail, locate };
    });
}

/** All of a symbol: some languages tell only where its name is. */
async function wholeOf({ name, location }: vscode.SymbolInformation): Promise<vscode.Range> {
  if (!location.range.isSingleLine) return location.range;
  const inFile = await vscode.commands
    .executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      location.uri,
    )
    .then(undefined, () => undefined);
  const all = (
    list: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  ): vscode.DocumentSymbol[] => list.flatMap((one) => ('children' in one ? [one, ...all(one.children)] : []));
  const whole = all(inFile ?? []).find(
    (one) => name.startsWith(one.name) && one.range.contains(location.range.start),
  );
  return whole?.range ?? location.range;
}

type Picked = vscode.QuickPickItem & { item?: ContextItem };

/** Asks what to add. */
async function pick(): Promise<ContextItem[]> {
  const browse: Picked = {
    label: l10n.t('Files on This Computer…'),
    iconPath: new vscode.ThemeIcon('folder-opened'),
    alwaysShow: true,
  };
  const first = await find('');
  const keyOf = ({ label, detail }: ContextItem) => JSON.stringify([label, detail]);
  const known = new Set(first.map(keyOf));
  const found = (items: readonly ContextItem[]): Picked[] =>
    // The editor wouldn't find a path across label and description.
    items.filter((one) => !known.has(keyOf(one))).map((one) => ({ ...rowOf(one), alwaysShow: true }));
  const picked = await askPick<Picked>({
    title: l10n.t('Add Context'),
    placeholder: l10n.t('Name of a file, folder, or symbol'),
    items: [...first.map(rowOf), browse],
    search: async (text, add, signal) => {
      add(found(await find(text)));
      if (!signal.aborted) add(found(await findSymbols(text)));
    },
  });
  if (picked === undefined || picked === back) return [];
  if (picked.item) return [picked.item];
  return (await pickFiles()).map((uri) => fileItem(vscode.Uri.parse(uri)));
}

const icons: Record<ContextItem['kind'], string> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  changes: 'diff',
};

function rowOf(item: ContextItem): Picked {
  const { kind, label, detail } = item;
  return { item, label, description: detail, iconPath: new vscode.ThemeIcon(icons[kind]) };
}
