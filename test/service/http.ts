/** Something wrong with a request's body or query, in the shape the specification gives under Errors. */
export interface Issue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** What a route answers: `body` is sent as JSON, `text` as it is. */
export interface Answer {
  status: number;
  body?: unknown;
  text?: string;
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
  method: 'GET' | 'POST';
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

/** A JSON object, not an array and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body as a JSON object, or Invalid. */
export function objectBody(call: Call): Record<string, unknown> {
  if ('issue' in call.body) throw new Invalid([call.body.issue]);
  if (!isObject(call.body.value)) throw new Invalid([issue(['body'], 'an object', 'model_attributes_type')]);
  return call.body.value;
}

/** An issue that says what should have been there. */
export const issue = (loc: Issue['loc'], wanted: string, type: string): Issue => ({
  loc,
  msg: `Input should be ${wanted}`,
  type,
});

/** 200 with a JSON body. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** What a crash in a handler looks like from outside. */
export const crashed = (): Answer => ({
  status: 500,
  text: 'Internal Server Error',
  contentType: 'text/plain; charset=utf-8',
});

/** How an answer goes over the wire. */
export function render(answer: Answer): { status: number; headers: Record<string, string>; text: string } {
  const isJson = answer.text === undefined;
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  const headers = { ...answer.headers };
  if (text !== '')
    headers['content-type'] = answer.contentType ?? (isJson ? 'application/json' : 'text/plain');
  return { status: answer.status, headers, text };
}
