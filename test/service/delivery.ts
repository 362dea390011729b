import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from './clock';
import type { ActiveFailure } from './faults';
import { render, type Answer } from './http';

type CutKind = 'stallAfterHeaders' | 'resetMidway' | 'truncated' | 'wrongLength';

/** A request that is being answered. */
export interface Delivery {
  reply: FastifyReply;
  clock: Clock;
  /** The normal work; called at most once. */
  perform: () => Promise<Answer>;
  /** Called before the service itself cuts the connection. */
  cutting: () => void;
}

/** Sends an answer normally. */
export function send(reply: FastifyReply, answer: Answer): void {
  const { status, headers, text } = render(answer);
  void reply.code(status).headers(headers).send(text);
}

/** Answers a request as its failure demands, or not at all. */
export async function sendFailing(failure: ActiveFailure, delivery: Delivery): Promise<void> {
  const { effect } = failure.rule;
  const { reply, perform, clock } = delivery;
  // The delay counts from the arrival, even when the work is done first.
  const due = effect.kind === 'delay' ? clock.wait(effect.ms) : undefined;
  const performed = failure.perform ? await perform() : undefined;
  switch (effect.kind) {
    case 'answer': {
      const { kind: _, ...answer } = effect;
      send(reply, withoutUndefined(answer));
      return;
    }
    case 'garbage':
      send(reply, { status: 200, text: '{"items": [{"id": oops', contentType: 'application/json' });
      return;
    case 'html':
      send(reply, {
        status: 200,
        text: '<!doctype html><title>Sign in</title><p>Please sign in</p>',
        contentType: 'text/html; charset=utf-8',
      });
      return;
    case 'empty':
      send(reply, { status: 204 });
      return;
    case 'redirect':
      send(reply, { status: effect.status ?? 302, headers: { location: effect.to } });
      return;
    case 'delay':
      await due;
      send(reply, performed ?? (await perform()));
      return;
    case 'stallBeforeHeaders':
      await failure.hold();
      send(reply, performed ?? (await perform()));
      return;
    case 'resetBeforeAnswer':
    case 'performThenReset':
      reset(delivery);
      return;
    case 'stallAfterHeaders':
    case 'resetMidway':
    case 'truncated':
    case 'wrongLength':
      return cutUp(effect.kind, failure, performed ?? (await perform()), delivery);
    case 'huge':
      return flood(effect.bytes, false, reply);
    case 'gzipBomb':
      return flood(effect.bytes, true, reply);
  }
}

/** Sends a normal answer that stalls, is cut off, or has a wrong length. */
async function cutUp(
  kind: CutKind,
  failure: ActiveFailure,
  answer: Answer,
  delivery: Delivery,
): Promise<void> {
  const { status, headers, text } = render(answer);
  const whole = Buffer.from(text);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const response = takeOver(delivery.reply);
  const promised = kind === 'wrongLength' ? whole.length - 1 : whole.length;
  response.writeHead(status, { ...headers, 'content-length': promised });
  if (kind === 'wrongLength') {
    response.end(whole);
    return;
  }
  await new Promise<void>((written) => response.write(half, () => written()));
  switch (kind) {
    case 'stallAfterHeaders':
      await failure.hold();
      response.end(whole.subarray(half.length));
      return;
    case 'truncated':
      delivery.cutting();
      response.socket?.end();
      return;
    case 'resetMidway':
      // Lets a client in this process read the first half before the reset reaches it.
      await new Promise((turn) => setImmediate(turn));
      reset(delivery);
  }
}

function reset(delivery: Delivery): void {
  const response = delivery.reply.sent ? delivery.reply.raw : takeOver(delivery.reply);
  delivery.cutting();
  response.socket?.resetAndDestroy();
}

/** Sends valid JSON of about this many bytes: a list that contains only spaces. */
async function flood(bytes: number, zipped: boolean, reply: FastifyReply): Promise<void> {
  const response = takeOver(reply);
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  });
  const blanks = Readable.from(blankList(bytes));
  // A client that gives up closes the connection, which is the point of these tests.
  await (zipped ? pipeline(blanks, createGzip(), response) : pipeline(blanks, response)).catch(
    () => undefined,
  );
}

function* blankList(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536, ' ');
  yield Buffer.from('[');
  for (let left = bytes - 2; left > 0; left -= chunk.length)
    yield chunk.subarray(0, Math.min(left, chunk.length));
  yield Buffer.from(']');
}

function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  return reply.raw;
}

const withoutUndefined = (answer: {
  [K in keyof Answer]: Answer[K] | undefined;
}): Answer =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)) as unknown as Answer;
