import * as l10n from '@vscode/l10n';
import type { Sandbox } from '../api/schemas/sandbox';
import { toolIds } from '../ids';
import { plainText } from '../shared/plainText';
import { changeSandboxes } from '../state/changeSandboxes';
import { readPages } from '../state/pages';
import { canPause, canResume, sandboxPhase } from '../state/status';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { sandboxRow } from './rows';
import { oneMoreWords } from './startSandbox';
import { connectionLine, defineTool, type Present } from './tool';

/** Pauses a sandbox. */
export const pauseSandbox = defineTool({
  id: toolIds.pauseSandbox,
  input: inputs.changeSandbox,
  doing: () => l10n.t('Pausing a sandbox'),
  question: ({ sandboxId }, present) => ({
    title: l10n.t('Pause this sandbox?'),
    lines: [
      sandboxLine(sandboxId, present),
      l10n.t('Agents at work in it stop until it is resumed.'),
      connectionLine(present),
    ],
  }),
  run: ({ sandboxId }, present, signal) =>
    change(sandboxId, present, signal, {
      action: 'pausing',
      fits: canPause,
      done: 'paused',
      wish: 'pause',
    }),
});

/** Resumes a sandbox. */
export const resumeSandbox = defineTool({
  id: toolIds.resumeSandbox,
  input: inputs.changeSandbox,
  doing: () => l10n.t('Resuming a sandbox'),
  question: ({ sandboxId }, present) => ({
    title: l10n.t('Resume this sandbox?'),
    lines: [sandboxLine(sandboxId, present), ...oneMoreWords(present.model), connectionLine(present)],
  }),
  run: ({ sandboxId }, present, signal) =>
    change(sandboxId, present, signal, {
      action: 'resuming',
      fits: canResume,
      done: 'running',
      wish: 'resume',
    }),
});

/** A sandbox by its id, with its state where that is known. */
export function sandboxLine(id: string, { model }: Present): string {
  const status = model.sandboxes.get(id)?.status;
  const name = plainText(id, 512);
  return status ? l10n.t('Sandbox: {0}, {1}', name, plainText(status, 40)) : l10n.t('Sandbox: {0}', name);
}

interface Change {
  action: 'pausing' | 'resuming';
  fits: (sandbox: Sandbox) => boolean;
  /** The phase that it leads to. */
  done: 'paused' | 'running';
  wish: string;
}

async function change(
  id: string,
  { client, model }: Present,
  signal: AbortSignal,
  { action, fits, done, wish }: Change,
): Promise<string> {
  const isIt = (one: Sandbox) => one.id === id;
  const { items } = await readPages((query) => client.searchSandboxes(query, signal), { found: isIt });
  const sandbox = items.find(isIt);
  if (!sandbox) {
    throw new ToolError(
      `The service has no sandbox with the id “${plainText(id, 100)}”, so nothing was done. Call ${toolIds.listSandboxes} and take an id from there.`,
    );
  }
  if (sandboxPhase(sandbox) === done) return `Nothing had to be done:\n${sandboxRow(sandbox)}`;
  if (!fits(sandbox)) {
    throw new ToolError(
      `It makes no sense to ${wish} this sandbox in its present state, so nothing was done:\n${sandboxRow(sandbox)}\nCall ${toolIds.listSandboxes} later to see whether its state has changed.`,
    );
  }
  const { failures } = await changeSandboxes(model, client, [sandbox], action, signal);
  const [failure] = failures;
  if (failure) throw failure.error;
  const now = model.sandboxes.get(id) ?? sandbox;
  return `The service has taken the request to ${wish} it; the state follows within seconds, and ${toolIds.listSandboxes} shows it. For now:\n${sandboxRow(now, model.pending.get(id))}`;
}
