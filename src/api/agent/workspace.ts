import * as z from 'zod/mini';
import { isFilePath } from '../http/ids';
import { searchParams } from '../http/query';
import { ApiError } from '../http/errors';
import { type Limiter, terminalLimitersFor } from '../http/limiter';
import { createTransport, type Transport } from '../http/transport';
import type { AgentAddress } from './address';
import { type AgentOptions, type KnownAgentServer, succeeded } from './client';
import { featuresOf } from './features';

/** A command for the sandbox’s shell. It is stored in the sandbox with its output: no secret may be in it. */
interface ShellCall {
  /** For `/bin/sh`, which may not be Bash. */
  command: string;
  /**
   * Absolute. If the folder is missing, the exit code is -1. In a bound workspace, inside the conversation’s folder.
   */
  cwd: string;
  /** Until the command is killed; 60 if absent. */
  timeoutSeconds?: number;
}

/** The result of a command. */
interface ShellResult {
  /** -1: it took too long, or `cwd` doesn’t exist. */
  exitCode: number;
  /** Invalid UTF-8 is replaced, and output may be cut after 1 MiB: use a file for anything exact. */
  stdout: string;
  stderr: string;
}

/**
 * The shell and the files of a sandbox (docs/protocol/live-conversations.md, “Files, git, shell”). Paths are absolute.
 * Throws ApiError, of reason `badId` for a path that can’t be requested.
 */
export interface SandboxWorkspace {
  /**
   * The requests go through the conversation, which may have a computer of its own, and reach only what is in its folder
   * (capability `conversation_runtime_routes_v1`). The server’s general routes, which are for older servers, reach the
   * server’s computer.
   */
  isBound?: boolean;
  /** Runs a command to its end. Canceling only stops waiting; the command keeps running. */
  execute(call: ShellCall, signal?: AbortSignal): Promise<ShellResult>;
  /** Reads a file. Throws an error of reason `tooLarge` if it has more than `maxBytes`. */
  download(path: string, limits: { maxBytes: number }, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * Reads bytes of a file from `from` on, at most `length`; all of it if the server knows no pieces, or an error of reason
   * `tooLarge` if that is more than `maxBytes`.
   */
  downloadPiece(
    path: string,
    piece: { from: number; length: number; maxBytes: number },
    signal?: AbortSignal,
  ): Promise<FilePiece>;
  /** Writes a file and creates missing folders. */
  upload(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** The same for what people type and expect to see at once, with turns that nothing else uses. */
  terminal: TerminalRoutes;
}

/** Bytes of a file, and what is known of the whole. */
export interface FilePiece {
  bytes: Uint8Array;
  /** Of the first one. */
  from: number;
  /** Of the whole file. */
  size: number;
  /** The server’s strong tag of the content, with its quotes. */
  tag: string | undefined;
}

/** What a terminal needs of a sandbox. */
export interface TerminalRoutes extends Pick<SandboxWorkspace, 'execute' | 'upload'> {
  /** Runs a command that mostly waits, without holding up other requests. */
  wait: SandboxWorkspace['execute'];
  /**
   * The bytes of a growing file from `offset` on; none if there are no more. Throws an error with status 404 for a
   * missing one.
   */
  readFrom(path: string, offset: number, signal?: AbortSignal): Promise<Uint8Array>;
}

const defaultTimeoutSeconds = 60;
/** How much longer than its command a request may take, in milliseconds. */
const graceMs = 15_000;
/** For files, which can be large, over connections that can be slow. */
const transferTimeoutMs = 300_000;
/** Until a key counts as lost and is sent again, in milliseconds. */
const keyTimeoutMs = 15_000;
/** Maximum size of a terminal’s output that is read at once. */
const largestOutput = 2 * 1024 * 1024;

const resultSchema = z.object({
  exit_code: z.number(),
  stdout: z.nullish(z.string()),
  stderr: z.nullish(z.string()),
});

/** Throws an ApiError of reason `badUrl` if the address can’t be used. */
export function createSandboxWorkspace(
  { baseUrl, id }: Pick<AgentAddress, 'baseUrl' | 'id'>,
  sessionKey: string,
  { release, capabilities }: KnownAgentServer,
  options: AgentOptions,
): SandboxWorkspace {
  const transport = createTransport({ ...options, baseUrl, sessionKey });
  const limiters = terminalLimitersFor(transport.origin);
  const within = (limiter: Limiter) => createTransport({ ...options, baseUrl, sessionKey, limiter });
  const [keys, output] = [within(limiters.keys), within(limiters.output)];
  const { fileByQuery } = featuresOf(release);
  const isBound = capabilities.includes('conversation_runtime_routes_v1');
  const [root, ids] = isBound ? ['/api/conversations/{id}', { id }] : ['/api', {}];

  /** Address of a file, in the form that the release knows. */
  const placeOf = (method: 'GET' | 'POST', what: 'download' | 'upload', path: string) => {
    const route = `${root}/file/${what}`;
    if (!isFilePath(path)) throw new ApiError('badId', method, route);
    return fileByQuery
      ? { method, route, query: searchParams({ path }), ...ids }
      : { method, route: `${route}/{file}`, file: path, ...ids };
  };

  const executing =
    (by: Transport): SandboxWorkspace['execute'] =>
    ({ command, cwd, timeoutSeconds: timeout = defaultTimeoutSeconds }, signal) =>
      by.request(
        {
          method: 'POST',
          route: `${root}/bash/execute_bash_command`,
          ...ids,
          body: { command, cwd, timeout },
          timeoutMs: timeout * 1_000 + graceMs,
          read: shellResult,
        },
        signal,
      );
  const uploading =
    (by: Transport, timeoutMs: number): SandboxWorkspace['upload'] =>
    async (path, content, signal) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(content)]), 'file');
      await by.request({ ...placeOf('POST', 'upload', path), body, timeoutMs, read: succeeded }, signal);
    };
  const bytesOf = (answer: unknown) => (answer instanceof Uint8Array ? answer : undefined);

  return {
    isBound,
    execute: executing(transport),
    download: async (path, { maxBytes }, signal) =>
      transport.request(
        {
          ...placeOf('GET', 'download', path),
          maxBytes,
          timeoutMs: transferTimeoutMs,
          read: bytesOf,
        },
        signal,
      ),
    downloadPiece: async (path, { from, length, maxBytes }, signal) => {
      let headers = new Headers();
      const call = {
        ...placeOf('GET', 'download', path),
        from,
        to: from + length - 1,
        maxBytes,
        timeoutMs: transferTimeoutMs,
        expects: isBeyond,
        onHeaders: (answered: Headers) => void (headers = answered),
        read: bytesOf,
      };
      const bytes = await transport.request(call, signal).catch((error: unknown) => {
        // Only an empty file has no first byte.
        if (from === 0 && error instanceof ApiError && isBeyond(error)) return new Uint8Array();
        throw error;
      });
      const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
      // A weak tag says nothing of single bytes.
      const strong = /^"[\x21\x23-\x7e]*"$/.exec(headers.get('etag') ?? '')?.[0];
      return { bytes, from: Number(first ?? 0), size: Number(size ?? bytes.byteLength), tag: strong };
    },
    upload: uploading(transport, transferTimeoutMs),
    terminal: {
      execute: executing(output),
      wait: executing(within(limiters.waiting)),
      upload: uploading(keys, keyTimeoutMs),
      readFrom: async (path, from, signal) => {
        const isExpected = ({ status }: ApiError) => status === 416 || status === 404;
        const call = { ...placeOf('GET', 'download', path), from, maxBytes: largestOutput, read: bytesOf };
        try {
          return await output.request({ ...call, expects: isExpected }, signal);
        } catch (error) {
          if (error instanceof ApiError && error.status === 416) return new Uint8Array();
          throw error;
        }
      },
    },
  };
}

/** Whether a file has none of the bytes that were asked for. */
const isBeyond = ({ status }: ApiError) => status === 416;

function shellResult(json: unknown): ShellResult | undefined {
  const { data } = resultSchema.safeParse(json);
  return data && { exitCode: data.exit_code, stdout: data.stdout ?? '', stderr: data.stderr ?? '' };
}
