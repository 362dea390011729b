import * as l10n from '@vscode/l10n';
import { bundleWords } from '../../../../shared/mcp';
import { nameList } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { isAmbiguous, parseUrl } from '../../../../shared/url';
import { isMap, type Value } from './json';
import type { InputDefinition } from './placeholders';
import { isSecretName } from './openSecrets';
import { textOf } from './readCommand';
import { neitherWords } from './readServer';

/** A way to run a server that a registry or a bundle describes. */
export interface DescribedServer {
  name: string;
  /** The kind of its package or address; empty for a bundle. */
  from: string;
  /** Its members as other tools’ files have them, or why it can’t be imported. */
  members: ReadonlyMap<string, Value> | string;
  inputs: ReadonlyMap<string, InputDefinition>;
  /** What isn’t imported, in words. */
  left: string[];
  /** What the registry says of it, such as “deprecated”; empty if nothing. */
  status: string;
}

/** Members of a description, which some files write with underscores. */
const member = (value: Value | undefined, name: string): Value | undefined =>
  isMap(value)
    ? (value.get(name) ?? value.get(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
    : undefined;
/** Publishers leave members empty that they don’t use. */
function textIn(value: Value | undefined, name: string): string | undefined {
  const text = textOf(member(value, name) ?? null);
  return text === '' ? undefined : text;
}
const listIn = (value: Value | undefined, name: string): Value[] => {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
};

/** Variables or headers, of which some files have an object. */
function pairsIn(value: Value | undefined, name: string): Value[] {
  const pairs = member(value, name);
  if (!isMap(pairs)) return listIn(value, name);
  return [...pairs].map(
    ([own, one]) => new Map([['name', own], ...(isMap(one) ? one : [['value', one] as const])]),
  );
}

/** What the registry says of a server in any of its own members; nothing of those that are in order. */
function statusIn(file: Value, server: Value): string {
  const meta = member(file, '_meta');
  const status = [server, ...(isMap(meta) ? meta.values() : [])].map((one) => textIn(one, 'status'));
  return plainText(status.find((one) => one !== undefined && one !== 'active') ?? '', 40);
}

/**
 * The servers of a registry’s `server.json`, of its answers, or of a bundle’s `manifest.json`; none for other files. A
 * description has no values: what it leaves open becomes an input.
 * @param scope what tells its inputs from those of other servers in the file: no answer may go to two servers
 */
export function describedServers(file: Value, scope = ''): DescribedServer[] {
  if (isMap(file) && (file.has('manifest_version') || file.has('dxt_version'))) return [bundled(file, scope)];
  const server = wrappedIn(file);
  const packages = listIn(server, 'packages');
  const remotes = listIn(server, 'remotes');
  const name = textIn(server, 'name')?.split('/').at(-1) ?? '';
  if (packages.length + remotes.length > 0) {
    const start = { name, status: statusIn(file, server), scope };
    return [...packages.map((one) => packaged(one, start)), ...remotes.map((one) => remote(one, start))];
  }
  const list = Array.isArray(file) ? file : listIn(file, 'servers');
  const all = list.map((one, index) => {
    const own = textIn(wrappedIn(one), 'name') ?? String(index + 1);
    return { own, found: describedServers(one, list.length > 1 ? ` (${own})` : scope) };
  });
  if (all.every(({ found }) => found.length === 0)) return [];
  const none = { from: '', members: neitherWords(), inputs: new Map(), left: [], status: '' };
  return all.flatMap(({ own, found }) => (found.length > 0 ? found : { ...none, name: own }));
}

const wrappedIn = (file: Value) => {
  const server = member(file, 'server');
  return isMap(server) ? server : file;
};

/** Finds what a description leaves open. */
class Inputs {
  readonly defined = new Map<string, InputDefinition>();
  private readonly optional: string[] = [];
  private readonly counts = new Map<string, number>();

  constructor(private readonly scope: string) {}

  get left(): string[] {
    return this.optional.length === 0 ? [] : [l10n.t('optional: {0}', nameList(this.optional))];
  }

  /** The text of an argument, a header, or a variable; undefined for one that isn’t needed. */
  textOf(input: Value, name: string): string | undefined {
    const value = textIn(input, 'value');
    if (value !== undefined) return this.filled(value, input);
    const isNeeded = ['isRequired', 'isSecret'].some((one) => member(input, one) === true);
    if (isNeeded || textIn(input, 'default') !== undefined) return this.ask(name, input);
    this.optional.push(plainText(name, 80));
    return undefined;
  }

  /** A text with inputs for the names in braces. */
  filled(text: string, input: Value): string {
    const variables = member(input, 'variables');
    return text.replace(inBraces, (_all, one: string | undefined, other: string) => {
      const name = one ?? other;
      const own = (isMap(variables) ? variables.get(name) : undefined) ?? input;
      return (own === input ? undefined : textIn(own, 'value')) ?? this.ask(name, own, true);
    });
  }

  /** @param isName whether all that have this name mean the same, unless they have another default */
  ask(name: string, input: Value, isName = false): string {
    const description = textIn(input, 'description') ?? textIn(input, 'title');
    const options = listIn(input, 'choices').flatMap((one) => textOf(one) ?? []);
    const value = textIn(input, 'default') ?? null;
    const isSecret = [member(input, 'isSecret'), member(input, 'sensitive'), isSecretName(name)].includes(
      true,
    );
    const first = `${name}${this.scope}`.replace(/[{}]/g, '');
    let id = first;
    let held = this.defined.get(id);
    let count = 1;
    while (held && !(isName && [null, held.default].includes(value))) {
      count = Math.max(count + 1, this.counts.get(first) ?? 0);
      id = `${first} ${count}`;
      held = this.defined.get(id);
      this.counts.set(first, count);
    }
    this.defined.set(id, {
      description: description === undefined ? null : plainText(description, 300),
      default: value,
      options: options.length > 0 ? options : null,
      command: null,
      ...held,
      password: isSecret || held?.password === true,
    });
    return `\${input:${id}}`;
  }

  pairs(list: readonly Value[]): Map<string, Value> {
    return new Map(
      list.flatMap((one): [string, Value][] => {
        const name = textIn(one, 'name') ?? textOf(one) ?? '';
        const text = this.textOf(one, name);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }

  arguments(list: readonly Value[]): string[] {
    return list.flatMap((one) => {
      const name = textIn(one, 'name');
      if (name === undefined || textIn(one, 'type') === 'positional')
        return this.textOf(one, textIn(one, 'valueHint') ?? name ?? 'argument') ?? [];
      const flag = this.filled(name, one);
      const has = (...names: string[]) => names.some((each) => member(one, each) !== undefined);
      const isSwitch = textIn(one, 'format') === 'boolean' && member(one, 'isRequired') === true;
      if (!has('value', 'default') && (flag !== name || isSwitch || !has(...ofValues))) return flag;
      const text = this.textOf(one, name);
      return text === undefined ? [] : [flag, text];
    });
  }
}

/** Members of an argument that has a value. */
const ofValues = ['format', 'valueHint', 'placeholder', 'choices', 'isRequired', 'isSecret', 'isRepeated'];

/** Names in braces; those after `$` are read with all others. */
const inBraces = /(?<!\$\{?)(?:\{\{\s?([A-Za-z_][\w .-]*?)\s?\}\}|\{([A-Za-z_][\w .-]*)\})/g;

/** What runs the packages of a registry, its hosts, and how another registry is named. */
const runtimes = new Map([
  ['npm', { command: 'npx', home: /(?:^|\.)npmjs\.(?:org|com)$/, other: '--registry' }],
  ['pypi', { command: 'uvx', home: /^(?:www\.)?pypi\.org$/, other: '--default-index' }],
  ['nuget', { command: 'dnx', home: /(?:^|\.)nuget\.org$/, other: '--source' }],
  ['oci', { command: 'docker', home: /(?:^|\.)docker\.(?:io|com)$/, other: '' }],
]);

/** What runs programs, not packages: publishers name the language with it. */
const languages = /^(?:node|npm|python\d?|pip\d?|uv|dotnet)$/;

interface Start {
  name: string;
  status: string;
  scope: string;
}

function packaged(described: Value, { name, status, scope }: Start): DescribedServer {
  const named = textIn(described, 'registryType') ?? textIn(described, 'registryName') ?? '';
  const kind = named.toLowerCase().replace('docker', 'oci');
  const transport = member(described, 'transport') ?? null;
  const way = textIn(transport, 'type') ?? textOf(transport) ?? 'stdio';
  const inputs = new Inputs(scope);
  const runtime = runtimes.get(kind);
  const from = plainText(kind, 40);
  const none = { name, from, inputs: inputs.defined, left: [], status };
  if (kind === 'mcpb') return { ...none, members: bundleWords() };
  const id = textIn(described, 'identifier') ?? textIn(described, 'name') ?? '';
  const version = textIn(described, 'version') ?? '';
  const base = textIn(described, 'registryBaseUrl');
  const registry = base === undefined ? undefined : registryAt(base);
  const odd = [
    ...(way === 'stdio' ? [] : [way]),
    ...(base === undefined || registry !== undefined ? [] : [base]),
    ...(isPackage.test(id) && isPackage.test(id + version) ? [] : [id]),
  ];
  if (runtime === undefined || odd.length > 0) {
    const what = [named, ...odd.slice(0, 1)].filter((one) => one !== '');
    const words = l10n.t(
      'Packages of the kind “{0}” can’t be imported. Add the server by its command or address.',
      plainText(nameList(what), 80),
    );
    return { ...none, members: named === '' || (runtime && id === '') ? neitherWords() : words };
  }
  const env = inputs.pairs(pairsIn(described, 'environmentVariables'));
  const before = inputs.arguments(listIn(described, 'runtimeArguments'));
  const after = inputs.arguments(listIn(described, 'packageArguments'));
  const { home, other } = runtime;
  const away = registry !== undefined && !home.test(registry.hostname) ? registry : undefined;
  const source = away === undefined || other === '' ? [] : [other, base ?? ''];
  const hint = textIn(described, 'runtimeHint') ?? '';
  const command = hint === '' || (before.length === 0 && languages.test(hint)) ? runtime.command : hint;
  const isWhole = version === '' || /.@|[=<>~:]/.test(id);
  const whole = isWhole ? id : `${id}@${version}`;
  const yes = (flag: string) => (before.some((one) => /^(?:-y|--yes)$/.test(one)) ? [] : [flag]);
  const argumentsOf = () => {
    if (kind === 'nuget')
      return [whole, ...yes('--yes'), ...source, ...before, ...(after.length > 0 ? ['--', ...after] : [])];
    if (kind === 'npm')
      return [...(command === 'npx' ? yes('-y') : []), ...source, ...before, whole, ...after];
    if (kind === 'pypi') return [...source, ...before, whole, ...after];
    const given = before.map((text) => text.replace(/^(?:-e|--env=)/, '').split('=', 1)[0]);
    const names = [...env.keys()].filter((one) => !given.includes(one));
    const start = before[0] === 'run' ? [] : ['run', '-i', '--rm'];
    return [
      ...start,
      ...before,
      ...names.flatMap((one) => ['-e', one]),
      imageOf(id, version, away),
      ...after,
    ];
  };
  const members = new Map<string, Value>([
    ['command', command],
    ['args', argumentsOf()],
    ['env', env],
  ]);
  return { ...none, members, left: inputs.left };
}

/** No option, and nothing that can hide. */
const isPackage = /^[^\s\p{C}-][^\s\p{C}]*$/u;

/** The address of a registry, of which some have only the host. */
function registryAt(text: string): URL | undefined {
  const url = isAmbiguous(text)
    ? undefined
    : parseUrl(/^\w[\w-]*(?:\.[\w-]+)+(?:[:/]|$)/.test(text) ? `https://${text}` : text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** An image with its registry and its tag or digest, if it hasn’t them. */
function imageOf(id: string, version: string, registry: URL | undefined): string {
  const host = registry && `${registry.host}${registry.pathname}`.replace(/\/+$/, '');
  const hasHost = host === undefined || /^[^/]*[.:][^/]*\//.test(id);
  const isTagged = /[:@][^/]*$/.test(id) || version === '';
  const tag = isTagged ? '' : `${version.includes(':') ? '@' : ':'}${version}`;
  return `${hasHost ? '' : `${host}/`}${id}${tag}`;
}

function remote(described: Value, { name, status, scope }: Start): DescribedServer {
  const inputs = new Inputs(scope);
  const type = textIn(described, 'type') ?? textIn(described, 'transportType') ?? '';
  const members = new Map<string, Value>([
    ['url', inputs.filled(textIn(described, 'url') ?? '', described)],
    ['headers', inputs.pairs(pairsIn(described, 'headers'))],
    ...(type === '' ? [] : ([['type', type]] as const)),
  ]);
  return { name, from: plainText(type, 40), members, inputs: inputs.defined, left: inputs.left, status };
}

/** A bundle holds its program, save for a few that only run a package. */
function bundled(manifest: ReadonlyMap<string, Value>, scope: string): DescribedServer {
  const inputs = new Inputs(scope);
  const name = textIn(manifest, 'name') ?? '';
  const server = member(manifest, 'server');
  const settings = member(manifest, 'user_config');
  for (const [id, input] of isMap(settings) ? settings : []) inputs.ask(id, input);
  const own = (value: Value): Value =>
    typeof value === 'string'
      ? value.replace(/\$\{user_config\.([^{}]+)\}/g, (_all, id: string) => `\${input:${id}${scope}}`)
      : Array.isArray(value)
        ? value.map(own)
        : isMap(value)
          ? new Map([...value].map(([key, inner]) => [key, own(inner)]))
          : value;
  const config = own(member(server, 'mcp_config') ?? null);
  const program = textIn(server, 'entry_point');
  const runsOwn = (value: Value): boolean =>
    typeof value === 'string'
      ? value.includes('${__dirname}') || value.replace(/^\.\//, '') === program
      : (Array.isArray(value) ? value : isMap(value) ? [...value.values()] : []).some(runsOwn);
  const isUsable =
    isMap(config) && ![...config].some(([key, value]) => key !== 'platform_overrides' && runsOwn(value));
  const members = isUsable ? config : bundleWords();
  return { name, from: '', members, inputs: inputs.defined, left: [], status: '' };
}
