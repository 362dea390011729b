import type { FastifyReply, FastifyRequest } from 'fastify';
import { send, sendFailing } from './delivery';
import type { Faults } from './faults';
import { findViolations, type Violation } from './guard';
import {
  Crash,
  crashed,
  Invalid,
  issue,
  missing,
  notAnObject,
  type Answer,
  type Call,
  type Route,
} from './http';
import type { RateLimiter } from './rateLimit';
import { rateLimitDelay } from './rateLimit';
import type { RecordedRequest, Recorder } from './recorder';
import type { Context } from './routes/context';

/** What every request goes through. */
export interface Pipeline {
  context: Context;
  /** Empty if the service was started without a key. */
  sessionKey: string;
  recorder: Recorder;
  faults: Faults;
  limiter: RateLimiter;
  violations: Violation[];
  /** Whether an endpoint at this path accepts another method. */
  takesOtherMethod: (call: Call) => boolean;
}

/** Handles a request from arrival to answer. `route` is undefined if there is no such endpoint. */
export async function serve(
  pipeline: Pipeline,
  route: Route | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { recorder, faults, context } = pipeline;
  const call = readCall(request);
  const record = recorder.begin({
    method: call.method,
    path: call.path,
    url: request.raw.url ?? '',
    query: queryObject(call.query),
    headers: { ...request.headers },
    body: 'value' in call.body ? call.body.value : request.body === '' ? undefined : request.body,
  });
  pipeline.violations.push(...findViolations(record));
  let isCut = false;
  reply.raw.once('close', () => {
    const status = reply.raw.headersSent ? reply.raw.statusCode : null;
    recorder.end(record, isCut ? 'cut' : reply.raw.writableFinished ? 'answered' : 'clientClosed', status);
  });

  const perform = () => answer(pipeline, route, call, record, request.ip);
  const failure = faults.take(record);
  if (failure) {
    const cutting = () => {
      isCut = true;
    };
    await sendFailing(failure, { reply, clock: context.clock, perform, cutting });
  } else {
    send(reply, await perform());
  }
}

/** The answer when no failure was requested. */
async function answer(
  { context, sessionKey, limiter, takesOtherMethod }: Pipeline,
  route: Route | undefined,
  call: Call,
  record: RecordedRequest,
  address: string,
): Promise<Answer> {
  const { profile, behaviour, clock } = context;
  if (behaviour.rateLimit) {
    const verdict = limiter.take(address);
    if (verdict === 'refuse')
      return { status: 429, body: { message: 'Too many requests' }, headers: { 'retry-after': '1' } };
    if (verdict === 'delay') await clock.wait(rateLimitDelay);
  }
  const asksKey = sessionKey !== '' && profile.asksKey(call.path, route !== undefined);
  const bearer = /^Bearer (.+)$/.exec(record.headers['authorization'] ?? '')?.[1] ?? '';
  const isRight = behaviour.bearer
    ? bearer === sessionKey || context.accounts?.tokens.has(bearer) === true
    : record.headers['x-session-api-key'] === sessionKey;
  if (asksKey && !isRight) return profile.keyRefused();
  if (!route) return profile.notThere(call, takesOtherMethod(call));
  try {
    const { accounts } = context;
    const organization = record.headers['x-org-id'];
    if (!accounts || !asksKey) return await route.handle(call);
    return await accounts.within(organization?.toString(), call, () => route.handle(call));
  } catch (error) {
    if (error instanceof Invalid) return profile.invalid(error.issues);
    if (error instanceof Crash) return crashed();
    // A bug in this reference service, not a requested failure, so make it visible.
    console.error(error);
    return crashed();
  }
}

function readCall(request: FastifyRequest): Call {
  const url = request.raw.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method,
    path: mark < 0 ? url : url.slice(0, mark),
    params: isParams(request.params) ? request.params : {},
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    body: readBody(request),
    ...(isForm(request) && { form: new URLSearchParams(String(request.body)) }),
  };
}

const isParams = (params: unknown): params is Record<string, string> =>
  typeof params === 'object' && params !== null;

const isForm = ({ headers }: FastifyRequest) =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

function readBody(request: FastifyRequest): Call['body'] {
  const text = typeof request.body === 'string' ? request.body : '';
  if (text === '') return { issue: missing(['body'], null) };
  const contentType = request.headers['content-type'];
  if (contentType !== undefined && !/^application\/([^;]+\+)?json\b/i.test(contentType))
    return { issue: notAnObject(['body'], text) };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (failure) {
    const words = failure instanceof Error ? failure.message : '';
    const end = words.includes('end of JSON') ? text.length : 0;
    const position = Number(/at position (\d+)/.exec(words)?.[1] ?? end);
    const error = words.includes('after JSON') ? 'Extra data' : 'Expecting value';
    return { issue: issue(['body', position], 'JSON decode error', 'json_invalid', {}, { error }) };
  }
}

function queryObject(query: URLSearchParams): RecordedRequest['query'] {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
