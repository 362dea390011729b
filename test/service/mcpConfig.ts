import { isObject, issue, type Issue } from './http';
import type { McpConfig, StdioServer, UrlServer } from './records';

/** What differs between services in taking an MCP configuration. */
export interface McpRules {
  /** Refuse keys beside the three lists; otherwise they are dropped. */
  refuseUnknownKeys: boolean;
  /** Check URLs, names, commands and time-outs, not only types. */
  checkFormats: boolean;
  /** Store what is left out with its default, so that it comes back filled in. */
  fillDefaults: boolean;
  /** HTTP servers have a `timeout`; otherwise it is dropped. */
  timeouts: boolean;
  /** `api_key` may be null. */
  nullableKeys: boolean;
  /** Take a bare string for an SSE or HTTP server. */
  bareUrls: boolean;
}

const lists = ['sse_servers', 'stdio_servers', 'shttp_servers'] as const;
const longestTimeout = 3600;

/** Reads an MCP configuration from a request. Adds to `issues` what is wrong with it; then the result is void. */
export function readMcpConfig(
  value: unknown,
  loc: Issue['loc'],
  rules: McpRules,
  issues: Issue[],
): McpConfig {
  const config: McpConfig = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  if (!isObject(value)) {
    issues.push(issue(loc, 'an object of MCP servers', 'model_type'));
    return config;
  }
  for (const key of Object.keys(value)) {
    if (rules.refuseUnknownKeys && !lists.some((list) => list === key))
      issues.push({ loc: [...loc, key], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' });
  }
  for (const list of lists) {
    if (!Object.hasOwn(value, list)) continue;
    const items = value[list];
    if (!Array.isArray(items)) {
      issues.push(issue([...loc, list], 'a valid list', 'list_type'));
      continue;
    }
    items.forEach((item: unknown, index) => {
      const reader = new ServerReader(item, [...loc, list, index], rules, issues);
      if (list === 'stdio_servers') config.stdio_servers.push(reader.stdio());
      else config[list].push(reader.url(list === 'shttp_servers'));
    });
  }
  return config;
}

/** Reads one server's object; unknown members are dropped without a word. */
class ServerReader {
  private readonly fields: Record<string, unknown>;

  constructor(
    item: unknown,
    private readonly loc: Issue['loc'],
    private readonly rules: McpRules,
    private readonly issues: Issue[],
  ) {
    if (rules.bareUrls && typeof item === 'string') this.fields = { url: item };
    else if (isObject(item)) this.fields = item;
    else {
      this.fields = { url: 'http://unreadable', name: 'unreadable', command: 'unreadable' };
      issues.push(issue(loc, 'an object', 'model_type'));
    }
  }

  url(isHttp: boolean): UrlServer {
    const server: UrlServer = { url: this.required('url', checkUrl) };
    const key = this.optional('api_key', (value) => {
      if (typeof value === 'string' || (value === null && this.rules.nullableKeys)) return value;
      throw this.wanted('api_key', 'a valid string', 'string_type');
    });
    if (key !== undefined || this.rules.fillDefaults) server.api_key = key ?? null;
    if (isHttp && this.rules.timeouts) {
      const timeout = this.optional('timeout', (value) => {
        if (value === null) return value;
        if (typeof value !== 'number' || !Number.isInteger(value))
          throw this.wanted('timeout', 'a valid integer', 'int_type');
        if (value < 1 || value > longestTimeout)
          throw this.refused('timeout', `a number of seconds from 1 to ${longestTimeout}`);
        return value;
      });
      if (timeout !== undefined || this.rules.fillDefaults)
        server.timeout = timeout === undefined ? 60 : timeout;
    }
    return server;
  }

  stdio(): StdioServer {
    const server: StdioServer = {
      name: this.required('name', checkName),
      command: this.required('command', checkCommand),
    };
    const args = this.optional('args', (value) => {
      if (!Array.isArray(value)) throw this.wanted('args', 'a valid list', 'list_type');
      value.forEach((item: unknown, index) => {
        if (typeof item !== 'string')
          this.issues.push(issue([...this.loc, 'args', index], 'a valid string', 'string_type'));
      });
      return value as string[];
    });
    if (args !== undefined || this.rules.fillDefaults) server.args = args ?? [];
    const env = this.optional('env', (value) => {
      if (!isObject(value)) throw this.wanted('env', 'a valid dictionary', 'dict_type');
      for (const [name, item] of Object.entries(value)) {
        if (typeof item !== 'string')
          this.issues.push(issue([...this.loc, 'env', name], 'a valid string', 'string_type'));
      }
      return value as Record<string, string>;
    });
    if (env !== undefined || this.rules.fillDefaults) server.env = env ?? {};
    return server;
  }

  private required(name: string, check: (value: string) => string | undefined): string {
    if (!Object.hasOwn(this.fields, name)) {
      this.issues.push({ loc: [...this.loc, name], msg: 'Field required', type: 'missing' });
      return '';
    }
    const value = this.fields[name];
    if (typeof value !== 'string') {
      this.issues.push(issue([...this.loc, name], 'a valid string', 'string_type'));
      return '';
    }
    if (!this.rules.checkFormats) return value;
    const wrong = check(value.trim());
    if (wrong !== undefined) this.issues.push(this.refused(name, wrong).issue);
    return value.trim();
  }

  private optional<T>(name: string, read: (value: unknown) => T): T | undefined {
    if (!Object.hasOwn(this.fields, name)) return undefined;
    try {
      return read(this.fields[name]);
    } catch (error) {
      if (!(error instanceof FieldRefused)) throw error;
      this.issues.push(error.issue);
      return undefined;
    }
  }

  private wanted(name: string, what: string, type: string): FieldRefused {
    return new FieldRefused(issue([...this.loc, name], what, type));
  }

  private refused(name: string, what: string): FieldRefused {
    return new FieldRefused({
      loc: [...this.loc, name],
      msg: `Value error, wanted ${what}`,
      type: 'value_error',
    });
  }
}

class FieldRefused extends Error {
  constructor(readonly issue: Issue) {
    super(issue.msg);
  }
}

const checkUrl = (value: string): string | undefined => {
  const [, scheme, host] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(value) ?? [];
  if (scheme === undefined) return 'a URL with a scheme';
  if (!['http', 'https', 'ws', 'wss'].includes(scheme.toLowerCase())) return 'an http, https, ws or wss URL';
  return host === undefined || host === '' ? 'a URL with a host' : undefined;
};

const checkName = (value: string): string | undefined =>
  /^[A-Za-z0-9_-]+$/.test(value) ? undefined : 'letters, digits, hyphens and underscores only';

const checkCommand = (value: string): string | undefined =>
  value === '' || value.includes(' ') ? 'one executable without spaces' : undefined;
