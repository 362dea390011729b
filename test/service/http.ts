/** Something wrong with a request's body or query, in the shape of the specification (docs/protocol/service.md, “Validation error body”). */
export interface Issue {
  type: string;
  loc: (string | number)[];
  msg: string;
  /** The value found instead, secrets included; beyond the specification. */
  input: unknown;
  /** Values used in the message; beyond the specification. */
  ctx?: Record<string, unknown>;
}

/** A route's answer: `body` is sent as JSON, `text` unchanged. */
export interface Answer {
  status: number;
  body?: unknown;
  text?: string;
  /** Sent unchanged instead of `body` or `text`. */
  bytes?: Uint8Array<ArrayBuffer>;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A request as the routes see it. */
export interface Call {
  method: string;
  /** As received, not decoded, without the query. */
  path: string;
  /** Decoded path parameters. */
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** The bytes that are asked for, of a file. */
  range?: { from: number; to: number };
  /** The parsed JSON body; `issue` says why there is none. */
  body: { value: unknown } | { issue: Issue };
  /** The fields of a form. */
  form?: URLSearchParams | undefined;
  /** Only on agent servers: what `X-Expose-Secrets` says. */
  exposes?: string | undefined;
}

/** One endpoint. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` stands for a parameter. */
  path: string;
  handle: (call: Call) => Answer | Promise<Answer>;
}

/** Thrown inside a handler to answer with these issues as a 422. */
export class Invalid extends Error {
  constructor(readonly issues: Issue[]) {
    super('invalid request');
  }
}

/** A crash of the service itself, which the observed one has on some input. */
export class Crash extends Error {}

/** A JSON object, not an array and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body as a JSON object, or Invalid. */
export function objectBody(call: Call): Record<string, unknown> {
  if ('issue' in call.body) throw new Invalid([call.body.issue]);
  const { value } = call.body;
  if (value === null) throw new Invalid([missing(['body'], null)]);
  if (!isObject(value)) throw new Invalid([notAnObject(['body'], value)]);
  return value;
}

/** An issue in pydantic's format. */
export const issue = (
  loc: Issue['loc'],
  msg: string,
  type: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): Issue => ({ type, loc, msg, input, ...(ctx && { ctx }) });

/** A required field that's missing; `within` is the value that should contain it. */
export const missing = (loc: Issue['loc'], within: unknown): Issue =>
  issue(loc, 'Field required', 'missing', within);

/** A value that should be an object but isn't. */
export const notAnObject = (loc: Issue['loc'], value: unknown): Issue =>
  issue(
    loc,
    'Input should be a valid dictionary or object to extract fields from',
    'model_attributes_type',
    value,
  );

/** 200 with a JSON body. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** How a crash in a handler looks from outside. */
export const crashed = (): Answer => ({
  status: 500,
  text: 'Internal Server Error',
  contentType: 'text/plain; charset=utf-8',
});

/** An answer as sent over the wire. */
export function render(answer: Answer): {
  status: number;
  headers: Record<string, string>;
  text: string | Uint8Array<ArrayBuffer>;
} {
  const { bytes } = answer;
  if (bytes) {
    const type = { 'content-type': answer.contentType ?? 'application/octet-stream' };
    return { status: answer.status, headers: { ...answer.headers, ...type }, text: bytes };
  }
  const isJson = answer.text === undefined;
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  const headers = { ...answer.headers };
  if (text !== '')
    headers['content-type'] = answer.contentType ?? (isJson ? 'application/json' : 'text/plain');
  return { status: answer.status, headers, text };
}
