/** Something wrong with a request's body or query, in the shape the specification gives under Errors. */
export interface Issue {
  type: string;
  loc: (string | number)[];
  msg: string;
  /** What was there instead, secrets included; beyond the specification. */
  input: unknown;
  /** Facts that the message is made from; beyond the specification. */
  ctx?: Record<string, unknown>;
}

/** What a route answers: `body` is sent as JSON, `text` as it is. */
export interface Answer {
  status: number;
  body?: unknown;
  text?: string;
  /** Sent as they are, instead. */
  bytes?: Uint8Array<ArrayBuffer>;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A request as the routes see it. */
export interface Call {
  method: string;
  /** As it came, not decoded, without the query. */
  path: string;
  /** Decoded path parameters. */
  params: Record<string, string | undefined>;
  query: URLSearchParams;
  /** The parsed JSON body; `issue` says why there is none. */
  body: { value: unknown } | { issue: Issue };
}

/** One endpoint. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` stands for a parameter. */
  path: string;
  handle: (call: Call) => Answer | Promise<Answer>;
}

/** Carries issues out of the middle of a handler; answered as a 422. */
export class Invalid extends Error {
  constructor(readonly issues: Issue[]) {
    super('invalid request');
  }
}

/** A crash of the service itself, as the observed one has them on some input. */
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

/** An issue as pydantic words it. */
export const issue = (
  loc: Issue['loc'],
  msg: string,
  type: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): Issue => ({ type, loc, msg, input, ...(ctx && { ctx }) });

/** A field that is required and not there; `within` is what should have had it. */
export const missing = (loc: Issue['loc'], within: unknown): Issue =>
  issue(loc, 'Field required', 'missing', within);

/** Something else where an object should be. */
export const notAnObject = (loc: Issue['loc'], value: unknown): Issue =>
  issue(
    loc,
    'Input should be a valid dictionary or object to extract fields from',
    'model_attributes_type',
    value,
  );

/** 200 with a JSON body. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** What a crash in a handler looks like from outside. */
export const crashed = (): Answer => ({
  status: 500,
  text: 'Internal Server Error',
  contentType: 'text/plain; charset=utf-8',
});

/** How an answer goes over the wire. */
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
