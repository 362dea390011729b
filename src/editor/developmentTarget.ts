import * as l10n from '@vscode/l10n';
import { developmentEnvironment } from '../ids';
import { parseBaseUrl } from '../shared/baseUrl';
import type { Connection } from '../shared/connection';
import type { ConfiguredConnections } from './connectionEntries';

/** A connection that the environment provides, with its key. */
export interface DevelopmentTarget {
  readonly connection: Connection;
  readonly sessionKey: string;
}

/**
 * The connection that the environment provides for an extension under development or test. Undefined in an installed
 * extension, whatever the environment says.
 */
export function developmentTarget(
  isInstalled: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): DevelopmentTarget | undefined {
  if (isInstalled) return undefined;
  const url = environment[developmentEnvironment.url];
  const sessionKey = environment[developmentEnvironment.sessionKey];
  const parsed = url ? parseBaseUrl(url) : undefined;
  if (!parsed?.ok || !sessionKey) return undefined;
  return {
    connection: { name: l10n.t('Development'), baseUrl: parsed.baseUrl, origin: parsed.origin },
    sessionKey,
  };
}

/**
 * The connections to choose from: the environment's first, so that a window starts with it, then those in the settings.
 * One in the settings at the same address takes its place, with its own name and network options.
 */
export function withDevelopment(
  configured: ConfiguredConnections,
  development: DevelopmentTarget | undefined,
): ConfiguredConnections {
  if (!development) return configured;
  const { connection } = development;
  const isSame = ({ baseUrl }: Connection) => baseUrl === connection.baseUrl;
  const { connections, problems } = configured;
  const first = connections.find(isSame) ?? connection;
  return { connections: [first, ...connections.filter((other) => !isSame(other))], problems };
}
