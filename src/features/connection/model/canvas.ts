import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import type { AgentServerInfo } from '../../../api/serverInfo';
import { parseBaseUrl } from '../../../shared/baseUrl';
import type { Connection } from '../../../shared/connection';
import { isLoopback } from '../../../shared/url';

/** Agent Canvas on this computer. */
export interface LocalCanvas {
  connection: Connection;
  /** The file with the key that it made for itself. */
  keyFile: string;
  info: AgentServerInfo;
}

/**
 * The address that Agent Canvas has unless it’s told otherwise (docs/protocol/agent-server.md, “The ingress of Agent
 * Canvas”).
 */
export const canvasAddress = 'http://localhost:8000';

/** How long an answer from this computer may take, in milliseconds: nobody should wait longer for an offer. */
const patience = 1_500;

/** Bytes of a key file; a key has 64. */
const maxBytes = 1_024;

/** The key file of an Agent Canvas at this address, if both are on this computer. Nothing is read. */
export function keyFileFor(baseUrl: string): string | undefined {
  const file = path.join(homedir(), '.openhands', 'agent-canvas', 'api-key.txt');
  return isLoopback(new URL(baseUrl).hostname) && existsSync(file) ? file : undefined;
}

/**
 * Agent Canvas on this computer, at its usual address; undefined if none answers there, or none was ever started by this
 * user. No key is read or sent.
 */
export async function findLocalCanvas(
  createClient: (connection: Connection) => Pick<ApiClient, 'recognizeAgentServer'>,
  address = canvasAddress,
): Promise<LocalCanvas | undefined> {
  const keyFile = keyFileFor(address);
  const at = parseBaseUrl(address);
  if (!at.ok || keyFile === undefined) return undefined;
  const connection = { name: l10n.t('Agent Canvas'), baseUrl: at.baseUrl, origin: at.origin };
  const client = createClient(connection);
  const info = await client.recognizeAgentServer(AbortSignal.timeout(patience)).catch(() => undefined);
  return info?.isCanvas === true ? { connection, keyFile, info } : undefined;
}

/** The key in a file; undefined if it can’t be read, or has something else in it. */
export async function readCanvasKey(file: string): Promise<string | undefined> {
  try {
    // A pipe in its place would keep others waiting.
    const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await opened.stat();
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      const key = (await opened.readFile('utf8')).trim();
      return /^[\x21-\x7e]+$/.test(key) ? key : undefined;
    } finally {
      await opened.close();
    }
  } catch {
    return undefined;
  }
}
