import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { FileRefusal } from './fileRefusal';
import type { SandboxFiles } from './files';
import { answerWords, serveBelow, type ServedPage } from './loopback';
import { scratch } from './scratch';
import { sendFile } from './sentFile';

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/**
 * Serves the files in an agent’s folder as pages on this computer. Reads them with the key, which the page never gets,
 * and passes on nothing that the page sends.
 * @param root the agent’s folder
 * @param shown a file, or a folder with a slash at the end; absolute links of the page lead to its folder
 */
export function serveFiles(
  files: Pick<SandboxFiles, 'piece'>,
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
  files: Pick<SandboxFiles, 'piece'>,
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
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
    await sendFile(files, file, request, response, ended.signal);
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A folder isn’t a file; links on its page are relative to an address that ends with a slash.
    if (error instanceof ApiError && error.status === 400 && !isFolder) {
      const to = `./${encodeURIComponent(posix.basename(named))}/${query.length > 0 ? `?${query.join('?')}` : ''}`;
      response.writeHead(307, { location: to, 'cache-control': 'no-store' }).end();
    } else answerWords(response, ...wordsOf(error, isFolder));
  }
}

/** Undefined for a path that no file can have. */
function decoded(address: string): string | undefined {
  try {
    const path = decodeURIComponent(address);
    return path.includes('\0') || posix.normalize(path) !== path ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Whether a name belongs to this extension’s own folder, which terminals write to, or to git’s. */
const isHidden = (name: string) => name === '.git' || name.startsWith(scratch);

function wordsOf(error: unknown, isFolder: boolean): [status: number, words: string] {
  if (error instanceof FileRefusal && error.reason === 'tooLarge') return [413, error.message];
  const isMissing = error instanceof FileRefusal || (error instanceof ApiError && error.status === 400);
  if (isMissing && isFolder) return [404, l10n.t('This folder has no index.html.')];
  if (isMissing) return [404, l10n.t('There’s no such page here.')];
  return [502, l10n.t('The sandbox doesn’t answer.')];
}
