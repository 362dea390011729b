import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionTarget } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { networkOf } from '../../../editor/network';
import { unlessCanceled } from '../../../editor/progress';
import { extensionId } from '../../../ids';
import { plainText } from '../../../shared/plainText';

interface Needs {
  readTarget: () => Promise<SessionTarget | undefined>;
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
  keyEnd: (origin: string, sessionKey: string) => AbortSignal;
}

/** Diagnose Connection: shows a report of how the service of this window is reached and what it answers. */
export function diagnoseConnection({ readTarget, showDocument, keyEnd }: Needs): Handler {
  return async () => {
    const target = await readTarget();
    if (!target) {
      void vscode.window.showInformationMessage(
        l10n.t('There is no connection to diagnose. Run Connect… to add one.'),
      );
      return;
    }
    const { connection, sessionKey } = target;
    const report = await unlessCanceled(l10n.t('Diagnosing {0}…', connection.name), async (_, signal) => {
      const [{ diagnose }, { reportOf }] = await Promise.all([
        import('./diagnosis/diagnose'),
        import('./diagnosis/report'),
      ]);
      const network = networkOf(connection.network);
      const ended = sessionKey === undefined ? undefined : keyEnd(connection.origin, sessionKey);
      return reportOf(await diagnose({ connection, sessionKey, ended, network }, surroundings(), signal));
    });
    if (report === undefined) return;
    await showDocument(l10n.t('Diagnosis of {0}', plainText(connection.name, 64)), report, 'txt');
    void offerCopy(report);
  };
}

function surroundings(): string {
  const { version } = vscode.extensions.getExtension(extensionId)?.packageJSON as { version: string };
  return `Agent Workspace ${version}, ${vscode.env.appName} ${vscode.version}, Node ${process.versions.node}, ${process.platform}-${process.arch}`;
}

async function offerCopy(report: string): Promise<void> {
  const copy = l10n.t('Copy');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('The report is ready. It contains no secrets.'),
    copy,
  );
  if (picked === copy) await vscode.env.clipboard.writeText(report);
}
