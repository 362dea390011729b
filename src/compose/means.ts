import type * as vscode from 'vscode';
import type { RequestEvent } from '../api/http/transport';
import { logRequest } from '../editor/logLine';
import { networkOf } from '../editor/network';
import type { KnownSecrets } from '../features/transcript';
import type { Connection } from '../shared/connection';

/** What every client of a connection’s servers has: what it sends becomes known, and is masked from then on. */
export const meansOf = (
  { network, name }: Connection,
  log: Pick<vscode.LogOutputChannel, 'trace' | 'warn'>,
  known: KnownSecrets,
) => ({
  ...networkOf(network),
  log: (event: RequestEvent) => logRequest(log, event, name),
  knownSecrets: known,
});
