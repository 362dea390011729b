import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { ApiError } from '../../../api/http/errors';
import { type ApiClient, needed } from '../../../api/service/client';
import { refOf, type RecordRef } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { isSandboxLimit } from '../../../editor/errorText';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { showError, withProgress } from '../../../editor/progress';
import { imageName } from '../../../shared/imageName';
import { plainText } from '../../../shared/plainText';
import { pauseHint, pauseWarnings, runningNow } from '../model/serviceLimit';
import { hasSwitched } from './change';
import { confirmConsequences } from './confirmConsequences';
import { pauseForMore, pauseForMoreTitle } from './pauseForMore';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  reveal: (ref: RecordRef, focus: boolean) => Promise<void>;
}

interface Item extends vscode.QuickPickItem {
  /** Undefined means the service's default. */
  specId: string | undefined;
}

/** Start Sandbox…: from the row's spec, or from one the user selects. Says which sandbox the service may pause for it. */
export function startSelectedSandbox(needs: Needs): Handler {
  return async (argument) => {
    const client = clientOf(needs.session.current);
    if (!client) return;
    const ref = refOf(argument);
    const chosen = ref?.kind === 'spec' ? await agreedSpec(needs, ref.id) : await chooseSpec(needs);
    if (!chosen || hasSwitched(needs.session, client)) return;
    await start(needs, client, chosen.specId);
  };
}

async function start(needs: Needs, client: ApiClient, specId: string | undefined): Promise<void> {
  try {
    const starting = withProgress(l10n.t('Starting sandbox…'), (report, signal) => {
      report(l10n.t('This can take 2 minutes.'));
      return needs.model.pending.during(needed(client.sandboxes).startSandbox(specId, signal));
    });
    const sandbox = await starting.finally(() => needs.model.refresh('sandboxes'));
    await needs.reveal({ kind: 'sandbox', id: sandbox.id }, false);
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.outcomeUnknown;
    const isLimit = error instanceof ApiError && isSandboxLimit(error);
    const picked = await showError(
      isUnknown ? l10n.t('The sandbox may have started.') : l10n.t('Couldn’t start the sandbox.'),
      error,
      isLimit ? { action: { title: pauseForMoreTitle() } } : {},
    );
    if (picked !== 'action' || !(await pauseForMore(needs.model))) return;
    if (!hasSwitched(needs.session, client)) await start(needs, client, specId);
  }
}

/** The row's spec; undefined if the user doesn't accept the consequences of starting it. */
async function agreedSpec({ model }: Needs, specId: string): Promise<Pick<Item, 'specId'> | undefined> {
  await model.refresh('sandboxes', 'conversations');
  const agreed = await confirmConsequences(
    pauseWarnings(runningNow(model), 'start'),
    l10n.t('Start a sandbox?'),
    l10n.t('Start'),
  );
  return agreed ? { specId } : undefined;
}

/** On a line of its own, so that the names of what will be paused aren’t cut off. */
function hintOf(model: Needs['model']): { detail?: string } {
  const detail = pauseHint(runningNow(model));
  return detail === undefined ? {} : { detail };
}

async function chooseSpec({ model }: Needs): Promise<Item | undefined> {
  const itemOf = (specId: string | undefined, label: string, from = ''): Item => ({
    specId,
    label,
    description: from,
    ...hintOf(model),
  });
  const items = () => [
    ...model.specs.state.items.map(({ id }) => {
      const { name, from } = imageName(id);
      return itemOf(id, plainText(name, 120), plainText(from, 120));
    }),
    itemOf(undefined, l10n.t('Service default')),
  ];
  const picked = await askPick<Item>({
    title: l10n.t('Start Sandbox'),
    placeholder: l10n.t('Select a sandbox spec'),
    items: items(),
    update: async (show) => {
      await model.refresh('specs', 'sandboxes', 'conversations');
      show(items());
    },
  });
  return typeof picked === 'object' ? picked : undefined;
}
