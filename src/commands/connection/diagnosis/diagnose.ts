import type { SecureContext } from 'node:tls';
import { ApiError } from '../../../api/http/errors';
import { NetworkOptionError } from '../../../api/http/networkFailure';
import type { Connection } from '../../../shared/connection';
import { describeError } from '../../../platform/errorText';
import { secureContexts } from '../../../platform/networkFetch';
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
    contextOf(connection).then(async ({ context, problem }) => ({
      problem,
      seen:
        target.protocol === 'https:' && problem === undefined
          ? await lookAtTls(target, proxy, context, signal)
          : undefined,
    })),
    askEndpoints(connection.baseUrl, { ...caller, authentication: connection.authentication }, signal),
  ]);
  return {
    connection,
    surroundings,
    madeAt: new Date().toISOString(),
    hasKey: caller.sessionKey !== undefined,
    proxy,
    name,
    tls: tls.seen,
    optionProblem: tls.problem,
    answers,
  };
}

/** The certificates in the connection's own options; undefined where the editor's apply. */
async function contextOf({
  network = {},
}: Connection): Promise<{ context: SecureContext | undefined; problem: string | undefined }> {
  if (network.caFile === undefined && network.certFile === undefined)
    return { context: undefined, problem: undefined };
  try {
    return { context: (await secureContexts(network)).identified, problem: undefined };
  } catch (error) {
    if (!(error instanceof NetworkOptionError)) throw error;
    const { option: location, code } = error;
    const facts = { location, code };
    return {
      context: undefined,
      problem: describeError(new ApiError('networkOption', 'GET', '/api/settings', facts)).message,
    };
  }
}
