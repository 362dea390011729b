import { ApiError } from '../../../../api/http/errors';
import { NetworkOptionError } from '../../../../api/http/networkFailure';
import type { Proxy } from '../../../../api/http/proxy';
import type { Connection } from '../../../../shared/connection';
import { describeError } from '../../../../editor/errorText';
import { secureContexts } from '../../../../editor/networkFetch';
import { askEndpoints, type Caller } from './answers';
import type { Findings } from './report';
import { findName, lookAtTls } from './way';

/** Checks each part of the way to a service, and its answers. Throws only a cancellation, as an ApiError. */
export async function diagnose(
  { connection, ...caller }: Caller & { connection: Connection },
  surroundings: string,
  signal: AbortSignal,
): Promise<Findings> {
  const target = new URL(connection.baseUrl);
  const proxy = caller.network.proxyFor(target);
  const [name, tls, answers] = await Promise.all([
    findName(target.hostname, signal),
    tlsOf(target, connection, proxy, signal),
    askEndpoints(
      connection.baseUrl,
      {
        ...caller,
        authentication: connection.authentication,
        organization: connection.organization?.id,
      },
      signal,
    ),
  ]);
  return {
    connection,
    surroundings,
    madeAt: new Date().toISOString(),
    hasKey: caller.sessionKey !== undefined,
    proxy,
    name,
    ...tls,
    answers,
  };
}

async function tlsOf(
  target: URL,
  { network = {} }: Connection,
  proxy: Proxy | undefined,
  signal: AbortSignal,
): Promise<Pick<Findings, 'tls' | 'optionProblem'>> {
  try {
    // Without certificates in the connection's own options, the editor's apply.
    const isOwn = network.caFile !== undefined || network.certFile !== undefined;
    const context = isOwn ? (await secureContexts(network)).identified : undefined;
    const tls = target.protocol === 'https:' ? await lookAtTls(target, proxy, context, signal) : undefined;
    return { tls, optionProblem: undefined };
  } catch (error) {
    if (!(error instanceof NetworkOptionError)) throw error;
    const { option: location, code } = error;
    const failure = new ApiError('networkOption', 'GET', '/api/settings', { location, code });
    return { tls: undefined, optionProblem: describeError(failure).message };
  }
}
