import * as l10n from '@vscode/l10n';
import { sentences } from '../../../shared/joined';
import type { FormHost } from './formHost';
import type { OpenForm } from './openForm';
import { typedSecrets } from './saving';
import { secretLabels, targetNames } from './words';

/** Drops every edit and typed secret and reads the settings again; asks when more than one change would be lost. */
export async function revert(host: FormHost, open: OpenForm): Promise<void> {
  if (open.working !== null) return;
  const question = questionFor(open);
  if (question && !(await host.ports.confirm(question.title, question.detail, l10n.t('Discard')))) return;
  // A save may have begun, or the connection may have changed, while the question was open.
  const { open: now } = host;
  if (now !== open || now.working !== null) return;
  open.document.clearSecretValue();
  host.settle(open, { document: open.document, isEarlier: true });
  const problem = await host.refresh();
  if (problem !== undefined && host.open?.client === open.client) host.say(problem);
}

/** Undefined if at most one change would be lost and it can be typed again. */
function questionFor({ document, edits }: OpenForm): { title: string; detail: string } | undefined {
  const changes = document.review(edits);
  const secrets = typedSecrets(document, edits);
  if (changes.length < 2 && secrets.length === 0) return undefined;
  const title =
    changes.length === 1
      ? l10n.t('Discard 1 unsaved change?')
      : l10n.t('Discard {0} unsaved changes?', changes.length);
  const lost = l10n.t('You’ll lose your changes to: {0}.', targetNames(changes));
  const detail =
    secrets.length === 0
      ? lost
      : sentences(lost, l10n.t('Secrets you entered are lost too: {0}.', secretLabels(secrets)));
  return { title, detail };
}
