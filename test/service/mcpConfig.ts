import { Crash, isObject, issue, missing, notAnObject, type Issue } from './http';
import type { McpConfig, StdioServer, UrlServer } from './records';
import { readInteger, readString, readTextMap, readTexts, refused } from './validation';

/** How services differ in accepting an MCP configuration. */
export interface McpRules {
  /** Refuse keys other than the three lists instead of dropping them. */
  refuseUnknownKeys: boolean;
  /** Check URLs, names, commands and timeouts, not only types. */
  checkFormats: boolean;
  /** Store defaults for members left out, so that they come back filled in. */
  fillDefaults: boolean;
  /** HTTP servers have a `timeout`; otherwise it's dropped. */
  timeouts: boolean;
  /** `api_key` may be null. */
  nullableKeys: boolean;
  /**
   * Accept what the real service accepts: a bare string for an SSE or HTTP server; null or a string for `args` (shell
   * words) and `env` (`A=1,B=2`); numbers as strings. Crash where it does: on lists that are null and names that aren't
   * strings.
   */
  lax: boolean;
}

const lists = ['sse_servers', 'stdio_servers', 'shttp_servers'] as const;
const longestTimeout = 3600;

/**
 * Reads an MCP configuration from a request. Adds problems to `issues`; the result is then meaningless. Throws Crash.
 */
export function readMcpConfig(
  value: unknown,
  loc: Issue['loc'],
  rules: McpRules,
  issues: Issue[],
): McpConfig {
  const config: McpConfig = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  if (!isObject(value)) {
    issues.push(notAnObject(loc, value));
    return config;
  }
  for (const list of lists) {
    if (!Object.hasOwn(value, list)) continue;
    const items = rules.lax && list !== 'stdio_servers' ? iterated(value[list]) : value[list];
    if (!Array.isArray(items)) {
      issues.push(issue([...loc, list], 'Input should be a valid list', 'list_type', items));
      continue;
    }
    items.forEach((item: unknown, index) => {
      const reader = new ServerReader(item, [...loc, list, index], rules, issues);
      if (list === 'stdio_servers') config.stdio_servers.push(reader.stdio());
      else config[list].push(reader.url(list === 'shttp_servers'));
    });
  }
  for (const key of Object.keys(value)) {
    if (rules.refuseUnknownKeys && !lists.some((list) => list === key))
      issues.push(issue([...loc, key], 'Extra inputs are not permitted', 'extra_forbidden', value[key]));
  }
  return config;
}

/**
 * The items that the real service iterates over before checking the type: the letters of a string, the keys of an
 * object.
 */
function iterated(value: unknown): unknown[] {
  const items = isObject(value) ? Object.keys(value) : typeof value === 'string' ? Array.from(value) : value;
  if (!Array.isArray(items)) throw new Crash();
  return items.map((item: unknown) => (typeof item === 'string' ? { url: item } : item));
}

/** Reads one server's object; unknown members are silently dropped. */
class ServerReader {
  private readonly fields: Record<string, unknown>;

  constructor(
    item: unknown,
    private readonly loc: Issue['loc'],
    private readonly rules: McpRules,
    private readonly issues: Issue[],
  ) {
    if (isObject(item)) this.fields = item;
    else {
      this.fields = { url: 'http://unreadable', name: 'unreadable', command: 'unreadable' };
      issues.push(notAnObject(loc, item));
    }
  }

  url(isHttp: boolean): UrlServer {
    const server: UrlServer = { url: this.required('url', urlFault, isHttp) };
    const key = this.optional('api_key', (value, loc) =>
      value === null && this.rules.nullableKeys
        ? value
        : (readString(value, loc, this.rules, this.issues) as string),
    );
    if (key !== undefined || this.rules.fillDefaults) server.api_key = key ?? null;
    if (isHttp && this.rules.timeouts) {
      const timeout = this.optional('timeout', (value, loc) => {
        if (value === null) return value;
        const before = this.issues.length;
        const seconds = readInteger(value, loc, this.rules, this.issues) as number;
        if (this.issues.length > before) return seconds;
        if (seconds <= 0) this.issues.push(refused(loc, 'Timeout must be positive', value));
        if (seconds > longestTimeout)
          this.issues.push(refused(loc, `Timeout cannot exceed ${longestTimeout} seconds`, value));
        return seconds;
      });
      if (timeout !== undefined || this.rules.fillDefaults)
        server.timeout = timeout === undefined ? 60 : timeout;
    }
    return server;
  }

  stdio(): StdioServer {
    const server: StdioServer = {
      name: this.required('name', nameFault, true),
      command: this.required('command', commandFault, true),
    };
    const args = this.optional('args', (value, loc) =>
      readTexts(this.parsed(value, loc, shellWords, []), loc, this.issues),
    );
    if (args !== undefined || this.rules.fillDefaults) server.args = args ?? [];
    const env = this.optional('env', (value, loc) =>
      readTextMap(this.parsed(value, loc, assignments, {}), loc, this.issues),
    );
    if (env !== undefined || this.rules.fillDefaults) server.env = env ?? {};
    return server;
  }

  /** `crashes`: the real service uses the value before checking that it's a string. */
  private required(name: string, fault: (value: string) => string | undefined, crashes: boolean): string {
    const loc = [...this.loc, name];
    if (!Object.hasOwn(this.fields, name)) {
      this.issues.push(missing(loc, this.fields));
      return '';
    }
    const value = this.fields[name];
    if (typeof value !== 'string') {
      if (this.rules.lax && crashes) throw new Crash();
      readString(value, loc, this.rules, this.issues);
      return '';
    }
    if (!this.rules.checkFormats) return value;
    const wrong = fault(value.trim());
    if (wrong !== undefined) this.issues.push(refused(loc, wrong, value));
    return value.trim();
  }

  private optional<T>(name: string, read: (value: unknown, loc: Issue['loc']) => T): T | undefined {
    return Object.hasOwn(this.fields, name) ? read(this.fields[name], [...this.loc, name]) : undefined;
  }

  /** Where the service accepts it, parses a string, and takes an empty value for `empty`. */
  private parsed(
    value: unknown,
    loc: Issue['loc'],
    parse: (text: string) => unknown,
    empty: unknown,
  ): unknown {
    if (!this.rules.lax || (value && typeof value !== 'string')) return value;
    if (typeof value !== 'string' || value.trim() === '') return empty;
    try {
      return parse(value.trim());
    } catch (error) {
      if (!(error instanceof Unparsable)) throw error;
      this.issues.push(refused(loc, error.message, value));
      return empty;
    }
  }
}

class Unparsable extends Error {}

/** The words of a shell command line, with quotes and backslashes. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  const word = /((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)\s*/sy;
  while (word.lastIndex < text.length) {
    const [, found] = word.exec(text) ?? [];
    if (found === undefined) {
      throw new Unparsable(
        `Invalid argument format: No closing quotation. Use shell-like format, e.g., "arg1 arg2" or '--config "value with spaces"'`,
      );
    }
    words.push(found.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, '$1$2$3'));
  }
  return words;
}

/** `A=1, B=2` as a map. */
function assignments(text: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const pair of text.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    if (mark < 0) throw new Unparsable(`Environment variable '${pair}' must be in KEY=VALUE format`);
    const name = pair.slice(0, mark).trim();
    if (name === '') throw new Unparsable('Environment variable key cannot be empty');
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) {
      throw new Unparsable(
        `Invalid environment variable name '${name}'. Must start with letter or underscore, contain only alphanumeric characters and underscores`,
      );
    }
    env[name] = pair.slice(mark + 1);
  }
  return env;
}

const urlFault = (value: string): string | undefined => {
  if (value === '') return 'URL cannot be empty';
  const [, scheme, host] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(value) ?? [];
  if (scheme === undefined) return 'URL must include a scheme (http:// or https://)';
  if (host === undefined || host === '') return 'URL must include a valid domain/host';
  return ['http', 'https', 'ws', 'wss'].includes(scheme.toLowerCase())
    ? undefined
    : 'URL scheme must be http, https, ws, or wss';
};

const nameFault = (value: string): string | undefined => {
  if (value === '') return 'Server name cannot be empty';
  return /^[A-Za-z0-9_-]+$/.test(value)
    ? undefined
    : 'Server name can only contain letters, numbers, hyphens, and underscores';
};

const commandFault = (value: string): string | undefined => {
  if (value === '') return 'Command cannot be empty';
  return value.includes(' ')
    ? 'Command should be a single executable without spaces (use arguments field for parameters)'
    : undefined;
};
