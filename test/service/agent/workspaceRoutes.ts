import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ok, type Answer, type Call } from '../http';
import { gitAnswer } from './gitRoutes';
import type { AgentConversation } from './conversation';
import type { Release } from './release';
import type { SandboxFiles } from './sandboxFiles';

const notThere: Answer = { status: 404, body: { detail: 'Not Found' } };
const refused = (detail: string): Answer => ({ status: 400, body: { detail } });

/** Whether each release takes paths of files and repositories from the query, the address, or both. */
const byQuery: Record<Release, Record<'file' | 'git', { query: boolean; address: boolean }>> = {
  '1.0.0a6': { file: { query: false, address: true }, git: { query: false, address: true } },
  '1.7.1': { file: { query: false, address: true }, git: { query: false, address: true } },
  '1.15.0': { file: { query: true, address: true }, git: { query: true, address: true } },
  '1.49.1': { file: { query: true, address: false }, git: { query: true, address: false } },
  '1.58.0': { file: { query: true, address: false }, git: { query: true, address: false } },
};

/** Answers requests for files and the shell by the general routes; undefined for other requests. */
export async function workspaceAnswer(
  files: SandboxFiles,
  release: Release,
  call: Call,
): Promise<Answer | undefined> {
  if (`${call.method} ${call.path}` === 'POST /api/bash/execute_bash_command') return execute(files, call);
  const [, area, what, rest] = /^\/api\/(file|git)\/(\w+)(\/.*)?$/.exec(call.path) ?? [];
  if ((area !== 'file' && area !== 'git') || what === undefined) return undefined;
  const forms = byQuery[release][area];
  const inQuery = forms.query ? call.query.get('path') : null;
  // The part after the route's own slash, which the real server decodes before routing.
  const inAddress = forms.address && rest !== undefined ? decodeURIComponent(rest.slice(1)) : null;
  const asked = inQuery ?? inAddress;
  if (asked === null) return notThere;
  if (!path.isAbsolute(asked)) return refused('Path must be absolute');
  if (area === 'git') return gitAnswer(release, what, files.place(asked));
  const handle = handlers[`${call.method} ${what}`];
  return handle ? handle(files.place(asked), call) : notThere;
}

/**
 * Answers such requests by a conversation’s own routes, which reach only what is in its folder; undefined for other
 * requests.
 */
export async function boundAnswer(
  files: SandboxFiles,
  release: Release,
  { workingDir }: Pick<AgentConversation, 'workingDir'>,
  call: Call,
): Promise<Answer | undefined> {
  const [, below] = /^\/api\/conversations\/[^/]+(\/(?:bash|file|git)\/.*)$/.exec(call.path) ?? [];
  if (below === undefined) return undefined;
  const isInside = (place: unknown) => typeof place === 'string' && files.isInside(place, workingDir);
  const outside = (what: string): Answer => ({
    status: 422,
    body: { detail: `${what} must be inside the conversation workspace` },
  });
  const asked = 'value' in call.body ? (call.body.value as Record<string, unknown>) : {};
  if (below === '/bash/execute_bash_command') {
    const { cwd = workingDir } = asked;
    return isInside(cwd) ? execute(files, { ...call, body: { value: { ...asked, cwd } } }) : outside('cwd');
  }
  if (!isInside(call.query.get('path'))) return outside('path');
  return workspaceAnswer(files, release, { ...call, path: `/api${below}` });
}

const handlers: Record<string, (file: string, call: Call) => Answer> = {
  'GET download': (file, { range }) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return { status: 404, body: { detail: 'File not found' } };
    if (!stats.isFile()) return refused('Path is not a file');
    const bytes = new Uint8Array(readFileSync(file));
    const size = bytes.byteLength;
    const tag = createHash('md5').update(`${stats.mtimeMs}-${size}`).digest('hex');
    const headers = { 'accept-ranges': 'bytes', etag: `"${tag}"` };
    const contentType = 'application/octet-stream';
    if (!range) return { status: 200, bytes, headers, contentType };
    const { from, to } = range;
    if (from >= size) return { status: 416, body: '', headers: { 'content-range': `bytes */${size}` } };
    const part = bytes.subarray(from, to + 1);
    const partly = { 'content-range': `bytes ${from}-${from + part.byteLength - 1}/${size}` };
    return { status: 206, bytes: part, headers: { ...headers, ...partly }, contentType };
  },
  'POST upload': (file, { body }) => {
    const content = 'value' in body ? body.value : undefined;
    if (!(content instanceof Uint8Array))
      return { status: 422, body: { detail: [{ msg: 'Field required' }] } };
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return ok({ success: true });
  },
};

async function execute(files: SandboxFiles, { body }: Call): Promise<Answer> {
  const asked = 'value' in body ? (body.value as Record<string, unknown>) : {};
  const { exitCode, stdout, stderr } = await files.execute(
    String(asked['command']),
    String(asked['cwd']),
    Number(asked['timeout'] ?? 300),
  );
  return ok({ kind: 'BashOutput', command_id: 'c', order: 0, exit_code: exitCode, stdout, stderr });
}
