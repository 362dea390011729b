import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { FileRefusal } from './fileRefusal';
import type { SandboxFiles } from './files';
import { serveBelow, type ServedPage, answerWords } from './loopback';

/** Of files that pages are made of. Any other is downloaded. */
const types: Readonly<Record<string, string>> = {
  ...{ html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript' },
  ...{ json: 'application/json', map: 'application/json', webmanifest: 'application/manifest+json' },
  ...{ txt: 'text/plain', md: 'text/plain', log: 'text/plain', xml: 'text/xml', svg: 'image/svg+xml' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', ico: 'image/x-icon', bmp: 'image/bmp', pdf: 'application/pdf', csv: 'text/plain' },
  ...{ woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf', wasm: 'application/wasm' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', mp3: 'audio/mpeg', ogg: 'audio/ogg', wav: 'audio/wav' },
};

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/**
 * Serves the files in an agent’s folder as pages on this computer. They are read with the key, which the page never has,
 * and nothing of it is passed on.
 * @param root the agent’s folder
 * @param shown a file, or a folder with a slash at its end; absolute addresses of the page lead to its folder
 */
export function serveFiles(
  files: Pick<SandboxFiles, 'fetch'>,
  root: string,
  shown: string,
): Promise<ServedPage> {
  const [folder, name] = [posix.dirname(`${shown}.`), shown.slice(shown.lastIndexOf('/') + 1)];
  const below = posix.relative(root, folder);
  return serveBelow({
    answer: (request, response, path) => answer(files, root, request, response, path),
    base: below === '' ? '' : `/${encoded(below)}`,
    first: name === 'index.html' ? '' : encodeURIComponent(name),
  });
}

async function answer(
  files: Pick<SandboxFiles, 'fetch'>,
  root: string,
  { method }: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    answerWords(response, 405, l10n.t('Files can only be read here.'));
    return;
  }
  const [address = '', ...query] = path.split('?');
  const named = decoded(address);
  if (named === undefined || named.split('/').some(isHidden)) {
    answerWords(response, 404, l10n.t('There’s no such page here.'));
    return;
  }
  const isFolder = named.endsWith('/');
  const file = posix.join(root, isFolder ? `${named}index.html` : named);
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  try {
    const content = await files.fetch(file, ended.signal);
    response.writeHead(200, { ...headersOf(file), 'content-length': content.byteLength });
    response.end(method === 'HEAD' ? undefined : content);
  } catch (error) {
    if (ended.signal.aborted) return;
    // A folder isn’t a file; its page’s addresses are relative to what ends with a slash.
    if (error instanceof ApiError && error.status === 400 && !isFolder) {
      const to = `./${encodeURIComponent(posix.basename(named))}/${query.length > 0 ? `?${query.join('?')}` : ''}`;
      response.writeHead(307, { location: to, 'cache-control': 'no-store' }).end();
    } else answerWords(response, ...wordsOf(error, isFolder));
  }
}

/** Undefined for what no file can have. */
function decoded(address: string): string | undefined {
  try {
    const path = decodeURIComponent(address);
    return path.includes('\0') || posix.normalize(path) !== path ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Whether a name is of this extension’s own folder, which terminals write to, or of git’s. */
const isHidden = (name: string) => name === '.git' || name.startsWith('.agent-workspace');

/** What the agent changes shows when the page is loaded again. */
function headersOf(file: string): Record<string, string> {
  const type = types[posix.extname(file).slice(1).toLowerCase()] ?? 'application/octet-stream';
  const isText = /^text\/|json$|xml$/.test(type);
  return {
    'content-type': isText ? `${type}; charset=utf-8` : type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

function wordsOf(error: unknown, isFolder: boolean): [status: number, words: string] {
  if (error instanceof FileRefusal && error.reason === 'tooLarge') return [413, error.message];
  const isMissing = error instanceof FileRefusal || (error instanceof ApiError && error.status === 400);
  if (isMissing && isFolder) return [404, l10n.t('This folder has no index.html.')];
  if (isMissing) return [404, l10n.t('There’s no such page here.')];
  return [502, l10n.t('The sandbox doesn’t answer.')];
}
