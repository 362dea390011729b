import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import type { FilePiece } from '../../../api/agent/workspace';
import type { SandboxFiles } from './files';

/** Types of files that make up pages. Any other is downloaded. */
const types = new Map(
  Object.entries({
    ...{
      html: 'text/html',
      htm: 'text/html',
      css: 'text/css',
      js: 'text/javascript',
      mjs: 'text/javascript',
    },
    ...{ json: 'application/json', map: 'application/json', webmanifest: 'application/manifest+json' },
    ...{ txt: 'text/plain', md: 'text/plain', log: 'text/plain', xml: 'text/xml', svg: 'image/svg+xml' },
    ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
    ...{
      avif: 'image/avif',
      ico: 'image/x-icon',
      bmp: 'image/bmp',
      pdf: 'application/pdf',
      csv: 'text/plain',
    },
    ...{ woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf', wasm: 'application/wasm' },
    ...{ mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg', mov: 'video/quicktime' },
    ...{ mp3: 'audio/mpeg', m4a: 'audio/mp4', ogg: 'audio/ogg', wav: 'audio/wav', flac: 'audio/flac' },
    ...{ vtt: 'text/vtt' },
  }),
);

/** Bytes that are read from the sandbox at a time. */
export const pieceBytes = 4 * 1024 * 1024;

/** The bytes that a browser asks for: from an offset on, or the last ones. */
type Range = { from: number; to: number } | { last: number };

/**
 * Answers a request for a file with the part that was asked for. Reads it piece by piece, as fast as the browser takes
 * it. Throws what `piece` throws; once the answer has begun, the only way to report a failure is to abort it.
 */
export async function sendFile(
  files: Pick<SandboxFiles, 'piece'>,
  file: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const isHead = method === 'HEAD';
  const asked = isHead ? undefined : askedRange(headers.range);
  const isWhole = !isHead && !asked && headers['if-none-match'] === undefined;
  const first = await files.piece(file, { from: 0, length: isWhole ? pieceBytes : 1 }, signal);
  const { size, tag } = first;
  const known = { ...headersOf(file), ...(tag !== undefined && { etag: tag }) };
  if (isKnown(headers['if-none-match'], tag)) {
    response.writeHead(304, known).end();
    return;
  }
  const ifRange = headers['if-range'];
  const range = asked && (ifRange === undefined || ifRange === tag) ? within(asked, size) : undefined;
  if (range === null) {
    response.writeHead(416, { ...known, 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
    return;
  }
  const { from, to } = range ?? { from: 0, to: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...known,
    'content-length': to + 1 - from,
    ...(range && { 'content-range': `bytes ${from}-${to}/${size}` }),
  });
  if (!isHead) await sendBytes(files, { file, first, from, to }, response, signal);
  response.end();
}

async function sendBytes(
  files: Pick<SandboxFiles, 'piece'>,
  { file, first, from, to }: { file: string; first: FilePiece; from: number; to: number },
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let piece = first;
  for (let at = from; at <= to;) {
    if (at >= piece.from + piece.bytes.byteLength) {
      piece = await files.piece(file, { from: at, length: Math.min(pieceBytes, to + 1 - at) }, signal);
      // A mix of two versions would be neither.
      if (piece.tag !== first.tag || piece.size !== first.size || piece.from > at)
        throw new Error('The file has changed.');
    }
    const bytes = piece.bytes.subarray(at - piece.from, to + 1 - piece.from);
    if (bytes.byteLength === 0) throw new Error('The file has changed.');
    at += bytes.byteLength;
    if (!response.write(bytes)) await once(response, 'drain', { signal });
  }
}

/** One range of bytes. Any other range may be answered with the whole file. */
function askedRange(header = ''): Range | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  if (from === '') return { last: Number(to) };
  const range = { from: Number(from), to: to === '' ? Infinity : Number(to) };
  return range.from <= range.to ? range : undefined;
}

/** The range within a file of this size; null if it’s outside. */
function within(asked: Range, size: number): { from: number; to: number } | null {
  const from = 'last' in asked ? Math.max(0, size - asked.last) : asked.from;
  const to = 'last' in asked ? size - 1 : Math.min(asked.to, size - 1);
  return from <= to ? { from, to } : null;
}

/** Whether the browser’s copy is still current. */
function isKnown(header: string | undefined, tag: string | undefined): boolean {
  const tags = header?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tag !== undefined && tags !== undefined && (tags.includes(tag) || tags.includes('*'));
}

/** What the agent changes appears when the page is reloaded. */
function headersOf(file: string): OutgoingHttpHeaders {
  const type = types.get(posix.extname(file).slice(1).toLowerCase()) ?? 'application/octet-stream';
  const isText = /^text\/|json$|xml$/.test(type);
  return {
    'accept-ranges': 'bytes',
    'content-type': isText ? `${type}; charset=utf-8` : type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  };
}
