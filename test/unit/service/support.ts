import assert from 'node:assert/strict';
import { startService, type ReferenceService, type ServiceOptions } from '../../service/service';

/** A response in the form the tests check. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or undefined if it isn’t JSON. */
  json: unknown;
}

/** Calls a service with its session key or `key`; null sends no key. */
export class Caller {
  constructor(
    private readonly service: ReferenceService,
    private readonly key: string | null = service.sessionKey,
  ) {}

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.send('POST', path, body === undefined ? undefined : JSON.stringify(body));
  }

  async send(method: string, path: string, body?: string, contentType = 'application/json'): Promise<Reply> {
    const response = await this.raw(method, path, body, contentType);
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, headers: response.headers, text, json };
  }

  /** The raw response with an unread body. */
  raw(
    method: string,
    path: string,
    body?: string,
    contentType = 'application/json',
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(this.service.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.key === null ? {} : { 'x-session-api-key': this.key }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
  }
}

/** Starts a new service for each test of the enclosing suite. */
export function useService(options: ServiceOptions): {
  readonly service: ReferenceService;
  readonly caller: Caller;
} {
  let service: ReferenceService | undefined;
  beforeEach(async () => {
    service = await startService(options);
  });
  afterEach(() => service?.close());
  const running = () => service ?? assert.fail('only inside a test');
  return {
    get service() {
      return running();
    },
    get caller() {
      return new Caller(running());
    },
  };
}

/** The value at a path in JSON; undefined if the path doesn’t exist. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

/** Selected fields of a JSON object. */
export const pick = (value: unknown, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, at(value, name)]));

/** The list at a path in JSON. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const list = at(value, ...path);
  assert.ok(Array.isArray(list), `no list at ${path.join('.')}`);
  return list as unknown[];
}
