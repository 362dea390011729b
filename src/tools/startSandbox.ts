import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import { toolIds } from '../ids';
import { plainText } from '../shared/plainText';
import type { ServiceModel } from '../state/serviceModel';
import { countUp, mostRunning } from '../state/status';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { sandboxRow } from './rows';
import { readSpecs, specsLine } from './specs';
import { connectionLine, defineTool } from './tool';

/** Starts a sandbox, from a spec or from the service's default one. */
export const startSandbox = defineTool({
  id: toolIds.startSandbox,
  input: inputs.startSandbox,
  doing: () => l10n.t('Starting a sandbox; this can take two minutes'),
  question: ({ specId }, present) => ({
    title: l10n.t('Start a new sandbox?'),
    lines: [
      specId === undefined
        ? l10n.t('From the sandbox spec that the service chooses.')
        : l10n.t('From the sandbox spec {0}.', plainText(specId, 512)),
      ...oneMoreWords(present.model),
      connectionLine(present),
    ],
  }),
  run: async ({ specId }, { client, model }, signal) => {
    if (specId !== undefined) await requireSpec(specId, client, signal);
    try {
      const sandbox = await model.pending.during(client.startSandbox(specId, signal));
      await model.refresh('sandboxes');
      return `The sandbox was started:\n${sandboxRow(model.sandboxes.get(sandbox.id) ?? sandbox)}`;
    } catch (error) {
      void model.refresh('sandboxes');
      throw error;
    }
  },
});

/** Throws where there is no such spec: what a service makes of it differs, and some only say that they failed. */
async function requireSpec(specId: string, client: ApiClient, signal: AbortSignal): Promise<void> {
  const specs = await readSpecs(client, signal);
  if (!specs.complete || specs.items.some(({ id }) => id === specId)) return;
  throw new ToolError(
    `There is no sandbox spec “${plainText(specId, 200)}”, so nothing was started. ${specsLine(specs)}. Call ${toolIds.startSandbox} with one of them, or without specId.`,
  );
}

/** A warning, where one more sandbox would be more than a service keeps running. */
export function oneMoreWords({ sandboxes }: ServiceModel): string[] {
  const up = countUp(sandboxes.state.items);
  return up < mostRunning
    ? []
    : [
        l10n.t(
          '{0} sandboxes run already. Beyond {1} a service pauses the oldest by itself, those at work included.',
          up,
          mostRunning,
        ),
      ];
}
