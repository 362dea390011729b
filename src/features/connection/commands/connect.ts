import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import { checkConnection, type ConnectionCheck, isAccepted } from '../../../api/service/connectionCheck';
import type { SessionStore } from '../../../core/session/session';
import type { ActiveConnection } from '../../../editor/activeConnection';
import type { DeviceSignIn } from '../../../api/service/deviceSignIn';
import { askSessionKey } from '../../../editor/asking/askSessionKey';
import { askSignIn, askWay } from '../../../editor/asking/askSignIn';
import { describeCheck } from '../../../editor/checkText';
import {
  entriesBesideUnused,
  entriesWith,
  type ConfiguredConnections,
} from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import { askText, back, runFlow } from '../../../editor/inputs';
import type { SessionKeys } from '../../../editor/sessionKeys';
import { defaultConnections, readConnections, updateConnections } from '../../../editor/settings';
import { viewIds } from '../../../ids';
import { parseBaseUrl, portProblem, withScheme } from '../../../shared/baseUrl';
import type { Connection } from '../../../shared/connection';
import { sentences } from '../../../shared/joined';
import { plainHttpWarning } from '../../../shared/plainHttp';
import { plainText } from '../../../shared/plainText';
import { withOrganization } from './signIn';

interface Needs {
  session: SessionStore;
  keys: SessionKeys;
  activeConnection: ActiveConnection;
  listConnections: () => ConfiguredConnections;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
  signInAt: (connection: Connection) => Promise<DeviceSignIn>;
}

/** Sent instead of a key while only the address is checked: a service that refuses it exists. */
const addressCheckKey = 'address-check';

/** Connect…: asks for address, name and session key, and checks each before it asks for the next. */
export function connect(needs: Needs): Handler {
  return async (proposed) => {
    const title = l10n.t('Connect to an agent workspace service');
    let connection: Connection = { name: '', baseUrl: '', origin: '' };
    let sessionKey = '';
    let anyKeyDoes = false;
    let found: string | undefined;
    let signIn: DeviceSignIn | undefined;
    const current = needs.session.current;

    const askUrl = () =>
      askText({
        title,
        step: 1,
        totalSteps: 3,
        prompt: l10n.t('Enter the address of the service'),
        placeholder: 'https://agents.example.com',
        value:
          connection.baseUrl ||
          proposedAddress(proposed) ||
          ('connection' in current ? current.connection.baseUrl : 'http://localhost:3000'),
        validate: (text) => {
          const parsed = parseBaseUrl(withScheme(text));
          return parsed.ok ? portProblem(parsed.baseUrl) : parsed.reason;
        },
        warn: plainHttpWarning,
        note: (text) => {
          const address = withScheme(text);
          return address === text.trim() ? undefined : l10n.t('Connects to {0}', address);
        },
        accept: async (text, signal) => {
          const parsed = parseBaseUrl(withScheme(text));
          if (!parsed.ok) return parsed.reason;
          // The user may have corrected the settings since the last attempt.
          const { connections } = needs.listConnections();
          const known = connections.find(({ baseUrl }) => baseUrl === parsed.baseUrl);
          const refusal = readConnections().refused.get(parsed.baseUrl);
          if (!known && refusal !== undefined) return refusal;
          connection = known ?? { name: '', baseUrl: parsed.baseUrl, origin: parsed.origin };
          const client = needs.createClient(connection, addressCheckKey);
          const check = await checkConnection(client, signal);
          anyKeyDoes = isAccepted(check);
          found = await agentServerWords(client, check, signal);
          signIn = undefined;
          if (check.kind === 'refused') {
            if (found === undefined) signIn = await offeredSignIn(needs, connection, signal);
            return undefined;
          }
          const problem = describeCheck(check);
          return problem && sentences(problem.message, problem.nextStep);
        },
      });
    const askName = async () => {
      const name = await askText({
        title,
        step: 2,
        totalSteps: 3,
        prompt: l10n.t('Enter a name for this connection'),
        placeholder: l10n.t('For example, Team'),
        value: connection.name || new URL(connection.baseUrl).host,
        validate: (text) => (text.trim() === '' ? l10n.t('Enter a name.') : undefined),
      });
      if (typeof name === 'string') connection = { ...connection, name: name.trim() };
      return name;
    };
    const askKey = async () => {
      const step = { title, step: 3, totalSteps: 3 };
      for (;;) {
        const way = signIn ? await askWay(connection, step) : 'key';
        if (signIn && way === 'signIn') {
          const token = await askSignIn(signIn, connection);
          if (token === undefined) continue;
          sessionKey = token;
          connection = await withOrganization(needs, { ...connection, authentication: 'signIn' }, token);
          return true;
        }
        if (way !== 'key') return way;
        const answer = await askSessionKey(needs, connection, { ...step, anyKeyDoes, found });
        if (typeof answer === 'object') ({ connection, sessionKey } = answer);
        else if (answer === back && signIn) continue;
        return answer;
      }
    };
    if ((await runFlow([askUrl, askName, askKey])) !== true) return;

    const { name, baseUrl } = connection;
    await updateConnections((entries) =>
      entriesWith(
        entriesBesideUnused(entries, defaultConnections(), (origin) => needs.keys.has(origin)),
        connection,
      ),
    );
    await needs.keys.set(connection.origin, sessionKey);
    await needs.activeConnection.choose(connection);
    await needs.session.reload();
    await needs.session.verify();
    await vscode.commands.executeCommand(`${viewIds.conversations}.focus`);
    const now = needs.session.current;
    if (now.kind === 'ready' && now.connection.baseUrl === baseUrl) {
      void vscode.window.showInformationMessage(sentences(l10n.t('Connected to {0}.', name), found ?? ''));
    }
  };
}

/** How to sign in there in the browser; undefined if the service doesn’t say that one can. No key is sent. */
async function offeredSignIn(
  { signInAt }: Pick<Needs, 'signInAt'>,
  connection: Connection,
  signal: AbortSignal,
): Promise<DeviceSignIn | undefined> {
  const at = await signInAt(connection);
  return at.begin(signal).then(
    (begun) => begun && at,
    () => undefined,
  );
}

/** What was found, if it’s a standalone agent server: it identifies itself with any key. */
async function agentServerWords(
  client: ReturnType<Needs['createClient']>,
  check: ConnectionCheck,
  signal: AbortSignal,
): Promise<string | undefined> {
  const info = check.kind === 'refused' ? await client.recognizeAgentServer(signal) : check;
  if (info === undefined || !('release' in info)) return undefined;
  return info.release === undefined
    ? l10n.t('This is a standalone agent server: it has conversations, but no sandboxes.')
    : l10n.t(
        'This is a standalone agent server (release {0}): it has conversations, but no sandboxes.',
        plainText(info.release, 40),
      );
}

/** The address that a link proposes, as `{ url }`. Nothing is sent there until the user presses Enter. */
function proposedAddress(argument: unknown): string {
  const isProposal = typeof argument === 'object' && argument !== null && 'url' in argument;
  return isProposal && typeof argument.url === 'string' ? argument.url : '';
}
