import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { McpSignIn, McpSignInCalls, McpSignInState } from '../../../../api/service/mcpSignIn';
import { inTurn } from '../../../../core/settings/queue';
import { errorWords } from '../../../../editor/errorText';
import { sentences } from '../../../../shared/joined';
import { mcpLabel } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { isLoopback, parseUrl } from '../../../../shared/url';
import type { TestResult } from '../../shared/messages';
import type { FormHost } from '../formHost';
import type { OpenForm } from '../openForm';

/** In milliseconds. */
const pollEvery = 1_000;

const failing = (message: string): TestResult => ({ ok: false, message: plainText(message, 1_000) });

/** Signs in to a saved server in the browser; its row shows how that goes, as for a test, and can cancel it. */
export async function signInToServer(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const { document, client } = open;
  const server = document.model.mcpServers.find((one) => one.id === id);
  const name = server && document.heldNameOf(server);
  const calls = document.model.testsServers ? client.agents : undefined;
  if (!server || server.kind === 'stdio' || name === undefined || !calls) return;
  const label = plainText(mcpLabel(server), 200);
  let isDone = false as boolean;
  await host.tests.run(
    server,
    document.secretsOf(server).apiKey,
    async (signal) => {
      try {
        const state = await signedIn(host, calls, { name, label, baseUrl: client.baseUrl }, signal);
        if (typeof state === 'string') return failing(state);
        const { state: kept } = state;
        if (kept)
          await inTurn(client.origin, host.ports.safeguards.lock, () => calls.keepSignIn(name, kept, signal));
        isDone = true;
        const message = l10n.t('You’re signed in. Conversations use it from the next one on.');
        return { ok: true, server: '', tools: [], count: state.tools, message };
      } catch (error) {
        return failing(signal.aborted ? notDone() : errorWords(error));
      }
    },
    true,
  );
  if (isDone && host.open?.client === client) await host.refresh();
}

const notDone = () => l10n.t('You aren’t signed in.');

/** Why not, in words, if the user isn’t. */
async function signedIn(
  host: FormHost,
  calls: McpSignInCalls,
  { name, label, baseUrl }: { name: string; label: string; baseUrl: string },
  signal: AbortSignal,
): Promise<Extract<McpSignInState, { kind: 'done' }> | string> {
  const begun = await calls.startSignIn(name, signal);
  if ('error' in begun) return l10n.t('The agent server couldn’t begin the sign-in: {0}', begun.error);
  if (begun.address !== undefined) {
    const page = parseUrl(begun.address);
    if (page?.protocol !== 'https:' && page?.protocol !== 'http:')
      return l10n.t('{0} sends you to a page that can’t be opened safely, so nothing was opened.', label);
    const where = isLoopback(new URL(baseUrl).hostname)
      ? ''
      : l10n.t(
          'After that, it goes to an address of the agent server’s computer, which this computer can’t open. Copy that address from the browser, and paste it here.',
        );
    const detail = sentences(l10n.t('The browser opens {0}.', page.host), where);
    const agreed = await host.ports.confirm(l10n.t('Sign in to {0}?', label), detail, l10n.t('Open Browser'));
    if (!agreed || signal.aborted) return notDone();
    await host.ports.servers.openAddress(page);
  }
  const state = await ended(host, calls, begun, signal);
  return state.kind === 'failed' ? l10n.t('You aren’t signed in: {0}', state.error) : state;
}

/** Waits for the end. Until then, the user can enter the address that the browser ended at. */
async function ended(
  { ports }: FormHost,
  calls: McpSignInCalls,
  begun: McpSignIn,
  signal: AbortSignal,
): Promise<Exclude<McpSignInState, { kind: 'waiting' }>> {
  const over = new AbortController();
  const leaving = AbortSignal.any([over.signal, signal]);
  const ask = async (value: string): Promise<void> => {
    let typed = value;
    const answer = await ports.servers.askText({
      value,
      title: l10n.t('Sign In to MCP Server'),
      prompt: l10n.t('If the browser ends at an address that doesn’t open, paste that address here.'),
      until: leaving,
      validate: (text) => {
        typed = text;
        return /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+\/\S+$/.test(text.trim())
          ? undefined
          : l10n.t('Enter the whole address. It begins with http://localhost.');
      },
      accept: async (text, closing) => {
        try {
          const state = await calls.returnSignIn(begun, text.trim(), closing);
          return state.kind === 'failed' ? plainText(state.error, 300) : undefined;
        } catch (error) {
          return errorWords(error);
        }
      },
    });
    // Nothing else takes the address: what was typed is lost only by a second Escape.
    if (answer === undefined && typed !== value && !leaving.aborted) await ask(typed);
  };
  if (begun.address !== undefined) void ask('');
  try {
    for (;;) {
      const state = await calls.signInState(begun, signal);
      if (state.kind !== 'waiting') return state;
      await pause(pollEvery, undefined, { signal });
    }
  } finally {
    over.abort();
  }
}
