import * as l10n from '@vscode/l10n';
import { needed } from '../../api/service/client';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import { toolIds } from '../../ids';
import { plainText } from '../../shared/plainText';
import { sandboxNameOf } from '../../core/lists/names';
import { readPages } from '../../core/lists/pages';
import {
  type ActionOfTool,
  mayTry,
  sandboxActions,
  type SandboxAction,
  changeSandboxes,
  runningNow,
} from '../sandboxes';
import { sandboxStateWords } from '../../core/lists/stateWords';
import { sandboxPhase } from '../../core/lists/status';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { sandboxRow } from './rows';
import { connectionLine, defineTool, type ToolContext } from './tool';

/** Pauses a sandbox. */
export const pauseSandbox = changeTool(sandboxActions.pause);

/** Resumes a sandbox. */
export const resumeSandbox = changeTool(sandboxActions.resume);

function changeTool(action: ActionOfTool) {
  const { consequences, words } = action;
  return defineTool({
    input: inputs.changeSandbox,
    doing: words.tool.doing,
    question: ({ sandboxId }, context) => ({
      title: words.tool.question(),
      lines: [
        sandboxLine(sandboxId, context),
        ...consequences(runningNow(context.model), 1, context.now).slice(0, 1),
        connectionLine(context),
      ],
    }),
    run: ({ sandboxId }, context, signal) => change(sandboxId, context, signal, action),
  });
}

/** The line of a question that names a sandbox, with its state if known. */
export function sandboxLine(id: string, { model, now }: ToolContext): string {
  const sandbox = model.sandboxes.get(id);
  const name = sandboxNameOf(id, model, now);
  return sandbox
    ? l10n.t('Sandbox: {0}, {1}', name, sandboxStateWords(sandbox))
    : l10n.t('Sandbox: {0}', name);
}

async function change(
  id: string,
  { client, model }: ToolContext,
  signal: AbortSignal,
  action: SandboxAction,
): Promise<string> {
  const { verb, to } = action;
  const isIt = (one: Sandbox) => one.id === id;
  const { items, complete } = await readPages(
    (query) => needed(client.sandboxes).searchSandboxes(query, signal),
    {
      found: isIt,
    },
  );
  const sandbox = items.find(isIt);
  if (!sandbox && !complete) {
    throw new ToolError(
      'Not all sandboxes of the service could be read, and this one wasn’t among those that could, so nothing was done.',
    );
  }
  if (!sandbox) {
    throw new ToolError(
      `The service has no sandbox with the id “${plainText(id, 100)}”, so nothing was done. Call ${toolIds.listSandboxes} to get a valid id.`,
    );
  }
  if (sandboxPhase(sandbox) === to)
    return `Nothing to do. The sandbox is already ${to}:\n${sandboxRow(sandbox, model)}`;
  if (!mayTry(action, sandbox)) {
    throw new ToolError(
      `Can’t ${verb} this sandbox in its current state, so nothing was done:\n${sandboxRow(sandbox, model)}\nCall ${toolIds.listSandboxes} later to see whether its state has changed.`,
    );
  }
  const [failure] = await changeSandboxes(model, client, [sandbox], action, signal);
  if (failure) throw failure.error;
  const now = model.sandboxes.get(id) ?? sandbox;
  return `The service accepted the request to ${verb} the sandbox. Its status changes within seconds; call ${toolIds.listSandboxes} to check. Current record:\n${sandboxRow(now, model)}`;
}
