import * as l10n from '@vscode/l10n';
import { type ApiClient, needed } from '../../api/service/client';
import { toolIds } from '../../ids';
import { plainText } from '../../shared/plainText';
import { pauseWarnings, runningNow } from '../sandboxes';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { sandboxRow } from './rows';
import { readSpecs, specsLine } from './specs';
import { connectionLine, defineTool, type ToolContext } from './tool';

/** Starts a sandbox from a spec, by default the service's. */
export const startSandbox = defineTool({
  input: inputs.startSandbox,
  doing: () => l10n.t('Starting a sandbox (this can take 2 minutes)'),
  question: ({ specId }, context) => ({
    title: l10n.t('Start a sandbox?'),
    lines: [
      specId === undefined
        ? l10n.t('Sandbox spec: service default')
        : l10n.t('Sandbox spec: {0}', plainText(specId, 512)),
      ...pauseLines(context, 'start'),
      connectionLine(context),
    ],
  }),
  run: async ({ specId }, { client, model }, signal) => {
    if (specId !== undefined) await requireSpec(specId, client, signal);
    const starting = model.pending.during(needed(client.sandboxes).startSandbox(specId, signal));
    const sandbox = await starting.finally(() => model.refresh('sandboxes'));
    return `The sandbox was started:\n${sandboxRow(model.sandboxes.get(sandbox.id) ?? sandbox, model)}`;
  },
});

/** Throws if there is no such spec: services react differently, and some only report a general error. */
async function requireSpec(specId: string, client: ApiClient, signal: AbortSignal): Promise<void> {
  const specs = await readSpecs(client, signal);
  if (!specs.complete || specs.items.some(({ id }) => id === specId)) return;
  throw new ToolError(
    `There is no sandbox spec “${plainText(specId, 200)}”, so nothing was started. ${specsLine(specs)}. Call ${toolIds.startSandbox} with one of these, or without specId.`,
  );
}

/** A warning if the service is likely to pause a running sandbox; otherwise empty. */
export function pauseLines({ model, now }: ToolContext, cause: 'start' | 'resume'): string[] {
  return pauseWarnings(runningNow(model), cause, 1, now).slice(0, 1);
}
