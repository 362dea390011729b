import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { createAgentClient, readAgentServer, type AgentOptions } from '../api/agent/client';
import { createSandboxWorkspace } from '../api/agent/workspace';
import { systemClock } from '../api/http/clock';
import { refusesSandboxKey } from '../api/http/errors';
import { bareId } from '../api/http/ids';
import type { ApiClient } from '../api/service/client';
import { confirmConsequences } from '../features/sandboxes/commands/confirmConsequences';
import { conversationOutboxState } from '../ids';
import { errorWords } from '../editor/errorText';
import { confirmed } from '../editor/inputs';
import type { Disposable } from '../core/basics/emitter';
import type { ServiceModel } from '../core/lists/serviceModel';
import { pauseWarnings, type Running, runningNow } from '../features/sandboxes';
import { clientOf, type SessionStore } from '../core/session/session';
import type { SettingsLock } from '../core/settings/safeguards';
import {
  alone,
  type ConnectedService,
  LiveModels,
  followLists,
  type Lists,
  AcceptedOrigins,
  storedOutbox,
  type TranscriptPorts,
} from '../features/live';
import type { OtherConnections } from '../features/attention';
import { type KnownSecrets, cannotReach } from '../features/transcript';
import { meansOf } from './means';
import type { StoredSecrets } from './storedSecrets';

export interface TranscriptNeeds {
  session: SessionStore;
  lists: ServiceModel;
  others: Pick<OtherConnections, 'listOf' | 'onDidChange'>;
  /** The name of a conversation that was started here until the service has a title. */
  startedAs: (id: string) => string | undefined;
  /** The user changes a conversation of a service. */
  acted: (service: string, id: string, stops: boolean) => void;
  /** Where messages that may not have arrived are kept. */
  memento: vscode.Memento;
  lock: SettingsLock;
  known: KnownSecrets;
  stored: Pick<StoredSecrets, 'read' | 'unread'>;
  /** Reaches a service that the window isn’t connected to. */
  reach: (baseUrl: string) => Promise<ConnectedService | undefined>;
  /** Fires when the editor’s secret storage changes. */
  onDidStore: (listener: () => void) => Disposable;
  log: vscode.LogOutputChannel;
}

/** The models of conversations, with the parts of the editor that they need. */
export function transcripts({
  session,
  lists,
  others,
  startedAs,
  acted,
  memento,
  lock,
  known,
  stored,
  reach,
  onDidStore,
  log,
}: TranscriptNeeds): LiveModels {
  const origins = new AcceptedOrigins(askToAccept);
  const portsOf = ({ connection, client }: ConnectedService) => {
    const options: AgentOptions = {
      ...meansOf(connection, log, known),
      // A standalone agent server takes the connection’s own key.
      ...(client.ended && { ended: client.ended }),
    };
    // The lists are those of the connected service.
    const isListed = () => clientOf(session.current)?.baseUrl === client.baseUrl;
    const listsAway: Lists = {
      conversations: {
        get: (one) => others.listOf(client.baseUrl)?.get(one),
        get state() {
          return { readAt: others.listOf(client.baseUrl)?.state.readAt };
        },
      },
      sandboxes: { get: () => undefined, state: { readAt: undefined } },
      onDidChange: others.onDidChange,
    };
    const readSecrets = async () => {
      await stored.read(connection, client);
      return known.values;
    };
    const onDidChangeSecrets = (listener: () => void): Disposable => {
      const sources = [known.onDidChange(listener), onDidStore(listener)];
      return { dispose: () => sources.forEach((source) => source.dispose()) };
    };
    return (id: string): TranscriptPorts => {
      const outbox = conversationOutboxState(client.baseUrl, bareId(id));
      return {
        client,
        readServer: (address, signal) => readAgentServer(address, options, signal),
        createAgentClient: (address, key, version) => createAgentClient(address, key, version, options),
        createWorkspace: (address, key, server) => createSandboxWorkspace(address, key, server, options),
        acceptOrigin: origins.accepts,
        agreeToResume: async () => agreeToResume(isListed() ? runningNow(lists) : await runningAt(client)),
        exclusively: (conversation, work) => alone(lock, client.origin, conversation, work),
        acts: (stops) => acted(client.baseUrl, id, stops),
        outbox: storedOutbox({
          read: () => memento.get<unknown>(outbox),
          write: (unsent) => void memento.update(outbox, unsent),
        }),
        readSecrets,
        areSecretsUnread: () => stored.unread,
        onDidChangeSecrets,
        startedAs: () => startedAs(id),
        onDidList: (listener) => {
          const own = followLists(lists, id, (listed) => isListed() && listener(listed));
          const away = followLists(listsAway, id, (listed) => !isListed() && listener(listed));
          return {
            dispose: () => {
              own.dispose();
              away.dispose();
            },
          };
        },
        // The key of a standalone agent server is the session’s.
        describe: (error) => (client.sandboxes ? sandboxErrorWords(error) : errorWords(error)),
        ...systemClock,
      };
    };
  };
  return new LiveModels({ session, portsOf, origins, reach });
}

function askToAccept(origin: string): Promise<boolean> {
  return confirmed(
    l10n.t('Connect to the sandbox at {0}?', origin),
    l10n.t(
      'The service says that this conversation’s sandbox is at this address. The connection isn’t encrypted, and the sandbox’s key is sent there.',
    ),
    l10n.t('Connect'),
  );
}

/** As far as one page tells. A failure mustn’t keep a sandbox asleep. */
async function runningAt(client: ApiClient): Promise<Running> {
  const { items } = (await client.sandboxes?.searchSandboxes().catch(() => undefined)) ?? { items: [] };
  return { sandboxes: items, conversations: [] };
}

/** Asks only if the service is likely to pause another sandbox. */
function agreeToResume(running: Running): Promise<boolean> {
  const warnings = pauseWarnings(running, 'resume');
  return confirmConsequences(warnings, l10n.t('Resume this sandbox?'), l10n.t('Resume'));
}

/** If the key of the sandbox was refused, the session key is fine. */
function sandboxErrorWords(error: unknown): string {
  return refusesSandboxKey(error) ? cannotReach.refused() : errorWords(error);
}
