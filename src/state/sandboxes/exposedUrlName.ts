import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';

/** The display name of an exposed URL: "VS Code" for `VSCODE`, "Web app 1" for `WORKER_1`. Other names stay. */
export function exposedUrlName(name: string): string {
  if (name === 'VSCODE') return 'VS Code';
  if (name === 'AGENT_SERVER') return l10n.t('Agent server');
  const worker = /^WORKER_(\d{1,3})$/.exec(name)?.[1];
  return worker === undefined ? plainText(name, 80) : l10n.t('Web app {0}', worker);
}
