import * as l10n from '@vscode/l10n';
import { bundleWords } from '../../../../shared/mcp';
import { nameList } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { isMap, type Value } from './json';
import type { InputDefinition } from './placeholders';
import { textOf } from './readCommand';

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
}

/** Members of a description, which some files write with underscores. */
const member = (value: Value | undefined, name: string): Value | undefined =>
  isMap(value)
    ? (value.get(name) ?? value.get(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
    : undefined;
const textIn = (value: Value | undefined, name: string) => textOf(member(value, name) ?? null);
const listIn = (value: Value | undefined, name: string): Value[] => {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
};

/**
 * The servers of a registry’s `server.json`, of its answers, or of a bundle’s `manifest.json`; none for other files. A
 * description has no values: what it leaves open becomes an input.
 */
export function describedServers(file: Value): DescribedServer[] {
  const server = member(file, 'server');
  if (isMap(file) && (file.has('manifest_version') || file.has('dxt_version'))) return [bundled(file)];
  if (isMap(server)) return describedServers(server);
  const packages = listIn(file, 'packages');
  const remotes = listIn(file, 'remotes');
  const name = textIn(file, 'name')?.split('/').at(-1) ?? '';
  if (packages.length + remotes.length === 0) return listIn(file, 'servers').flatMap(describedServers);
  return [...packages.map((one) => packaged(one, name)), ...remotes.map((one) => remote(one, name))];
}

/** Finds what a description leaves open. */
class Inputs {
  readonly defined = new Map<string, InputDefinition>();
  private readonly optional: string[] = [];

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
    return text.replace(/(?<!\$)\{([A-Za-z_][\w.-]*)\}/g, (_all, name: string) =>
      this.ask(name, (isMap(variables) ? variables.get(name) : undefined) ?? input),
    );
  }

  ask(name: string, input: Value): string {
    const id = name.replace(/[{}]/g, '');
    const description = textIn(input, 'description') ?? textIn(input, 'title');
    const options = listIn(input, 'choices').flatMap((one) => textOf(one) ?? []);
    this.defined.set(id, {
      description: description === undefined ? null : plainText(description, 300),
      password: [member(input, 'isSecret'), member(input, 'sensitive')].includes(true),
      default: textIn(input, 'default') ?? null,
      options: options.length > 0 ? options : null,
      command: null,
    });
    return `\${input:${id}}`;
  }

  pairs(list: readonly Value[]): Map<string, Value> {
    return new Map(
      list.flatMap((one): [string, Value][] => {
        const name = textIn(one, 'name') ?? '';
        const text = this.textOf(one, name);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }

  arguments(list: readonly Value[]): string[] {
    return list.flatMap((one) => {
      const flag = textIn(one, 'name');
      if (flag === undefined) return this.textOf(one, textIn(one, 'valueHint') ?? 'argument') ?? [];
      const says = ['value', 'default', 'format', 'valueHint', 'choices', 'isRequired'];
      const isAlone = says.every((name) => member(one, name) === undefined);
      if (isAlone || (textIn(one, 'format') === 'boolean' && member(one, 'isRequired') === true)) return flag;
      const text = this.textOf(one, flag);
      return text === undefined ? [] : [flag, text];
    });
  }
}

/** What runs the packages of a registry, the host that they come from, and how another registry is named. */
const runtimes = new Map([
  ['npm', { command: 'npx', home: 'registry.npmjs.org', other: '--registry' }],
  ['pypi', { command: 'uvx', home: 'pypi.org', other: '--default-index' }],
  ['nuget', { command: 'dnx', home: 'api.nuget.org', other: '--source' }],
  ['oci', { command: 'docker', home: 'docker.io', other: '' }],
]);

function packaged(described: Value, name: string): DescribedServer {
  const kind = textIn(described, 'registryType') ?? textIn(described, 'registryName') ?? '';
  const transport = textIn(member(described, 'transport') ?? null, 'type') ?? 'stdio';
  const inputs = new Inputs();
  const runtime = runtimes.get(kind);
  const from = plainText(kind, 40);
  const none = { name, from, inputs: inputs.defined, left: [] };
  if (kind === 'mcpb') return { ...none, members: bundleWords() };
  if (!runtime || transport !== 'stdio') {
    const what = plainText(runtime ? `${kind}, ${transport}` : kind, 80);
    const words = l10n.t(
      'Packages of the kind “{0}” can’t be imported. Add the server by its command or address.',
      what,
    );
    return { ...none, members: words };
  }
  const env = inputs.pairs(listIn(described, 'environmentVariables'));
  const before = inputs.arguments(listIn(described, 'runtimeArguments'));
  const after = inputs.arguments(listIn(described, 'packageArguments'));
  const { command, home, other } = runtime;
  const named = textIn(described, 'registryBaseUrl') ?? '';
  const base = named === '' ? home : named;
  const isHome = base.replace(/^https?:\/\/|\/.*$/gi, '').toLowerCase() === home;
  const source = isHome || other === '' ? [] : [other, base];
  const id = textIn(described, 'identifier') ?? textIn(described, 'name') ?? '';
  const version = textIn(described, 'version') ?? '';
  const whole = version === '' ? id : `${id}@${version}`;
  const argumentsOf = () => {
    if (kind === 'nuget')
      return [whole, '--yes', ...source, ...before, ...(after.length > 0 ? ['--', ...after] : [])];
    if (kind === 'npm')
      return [...(before.includes('-y') ? [] : ['-y']), ...source, ...before, whole, ...after];
    if (kind === 'pypi') return [...source, ...before, whole, ...after];
    const names = [...env.keys()].filter((one) => !before.some((text) => text.split('=', 1)[0] === one));
    const start = before[0] === 'run' ? [] : ['run', '-i', '--rm'];
    return [
      ...start,
      ...before,
      ...names.flatMap((one) => ['-e', one]),
      imageOf(id, version, base),
      ...after,
    ];
  };
  const members = new Map<string, Value>([
    ['command', textIn(described, 'runtimeHint') ?? command],
    ['args', argumentsOf()],
    ['env', env],
  ]);
  return { ...none, members, left: inputs.left };
}

/** An image with its registry and its tag, if it hasn’t them. */
function imageOf(id: string, version: string, base: string): string {
  const host = base.replace(/^https?:\/\/|\/+$/g, '');
  const hasHost = /^[^/]*[.:][^/]*\//.test(id) || host === 'docker.io';
  const isTagged = /[:@][^/]*$/.test(id) || version === '';
  return `${hasHost ? '' : `${host}/`}${id}${isTagged ? '' : `:${version}`}`;
}

function remote(described: Value, name: string): DescribedServer {
  const inputs = new Inputs();
  const type = textIn(described, 'type') ?? textIn(described, 'transportType') ?? '';
  const members = new Map<string, Value>([
    ['url', inputs.filled(textIn(described, 'url') ?? '', described)],
    ['headers', inputs.pairs(listIn(described, 'headers'))],
    ...(type === '' ? [] : ([['type', type]] as const)),
  ]);
  return { name, from: plainText(type, 40), members, inputs: inputs.defined, left: inputs.left };
}

/** A bundle holds its program, save for a few that only run a package. */
function bundled(manifest: ReadonlyMap<string, Value>): DescribedServer {
  const inputs = new Inputs();
  const name = textIn(manifest, 'name') ?? '';
  const settings = member(manifest, 'user_config');
  for (const [id, input] of isMap(settings) ? settings : []) inputs.ask(id, input);
  const own = (value: Value): Value =>
    typeof value === 'string'
      ? value.replaceAll('${user_config.', '${input:')
      : Array.isArray(value)
        ? value.map(own)
        : isMap(value)
          ? new Map([...value].map(([key, inner]) => [key, own(inner)]))
          : value;
  const config = own(member(member(manifest, 'server'), 'mcp_config') ?? null);
  const runsOwn = (value: Value): boolean =>
    typeof value === 'string' ? value.includes('${__dirname}') : Array.isArray(value) && value.some(runsOwn);
  const isUsable = isMap(config) && ![...config.values()].some(runsOwn);
  const members = isUsable ? config : bundleWords();
  return { name, from: '', members, inputs: inputs.defined, left: [] };
}
