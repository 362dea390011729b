import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { developmentEnvironment } from '../ids';
import { parseBaseUrl } from '../shared/baseUrl';
import type { Connection } from '../shared/connection';

/** The connection that the environment makes for an extension under development or test; undefined otherwise. */
export function developmentTarget(
  mode: vscode.ExtensionMode,
): { connection: Connection; sessionKey: string } | undefined {
  if (mode === vscode.ExtensionMode.Production) return undefined;
  const url = process.env[developmentEnvironment.url];
  const sessionKey = process.env[developmentEnvironment.sessionKey];
  const parsed = url ? parseBaseUrl(url) : undefined;
  if (!parsed?.ok || !sessionKey) return undefined;
  return {
    connection: { name: l10n.t('Development'), baseUrl: parsed.baseUrl, origin: parsed.origin },
    sessionKey,
  };
}
