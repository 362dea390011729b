import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { checkConnection } from '../../api/connectionCheck';
import { viewIds } from '../../ids';
import { describeCheck } from '../../platform/checkText';
import { askText, runFlow } from '../../platform/inputs';
import { entriesWith, readConnections, updateConnections } from '../../platform/settings';
import { parseBaseUrl } from '../../shared/baseUrl';
import type { Connection } from '../../shared/connection';
import { askSessionKey } from '../session/askSessionKey';
import type { CommandDependencies, Handler } from '../dependencies';
import { sentences } from '../../shared/joined';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'keys' | 'activeConnection' | 'createClient'>;

/** Stands in for the key while only the address is checked: the service refuses it, which shows that it is there. */
const addressCheckKey = 'address-check';

/** Connect…: address, name and session key, each checked before the next; ends connected or says why not. */
export function connect(needs: Needs): Handler {
  return async (proposed) => {
    const title = l10n.t('Connect to an agent workspace service');
    const { connections } = readConnections();
    let connection: Connection = { name: '', baseUrl: '', origin: '' };
    let sessionKey = '';
    let anyKeyDoes = false;
    const present = needs.session.current;

    const askUrl = () =>
      askText({
        title,
        step: 1,
        totalSteps: 3,
        prompt: l10n.t('Address of the service. Enter checks it.'),
        placeholder: 'https://agents.example.com',
        value:
          connection.baseUrl ||
          proposedAddress(proposed) ||
          ('connection' in present ? present.connection.baseUrl : 'http://localhost:3000'),
        validate: (text) => {
          const parsed = parseBaseUrl(text);
          return parsed.ok ? undefined : parsed.reason;
        },
        accept: async (text, signal) => {
          const parsed = parseBaseUrl(text);
          if (!parsed.ok) return parsed.reason;
          const known = connections.find(({ baseUrl }) => baseUrl === parsed.baseUrl);
          connection = known ?? { name: '', baseUrl: parsed.baseUrl, origin: parsed.origin };
          const check = await checkConnection(needs.createClient(connection, addressCheckKey), signal);
          anyKeyDoes = check.kind === 'ok' || check.kind === 'neverSaved';
          if (check.kind === 'refused') return undefined;
          const problem = describeCheck(check);
          return problem && sentences(problem.message, problem.nextStep);
        },
      });
    const askName = async () => {
      const name = await askText({
        title,
        step: 2,
        totalSteps: 3,
        prompt: l10n.t('Name of the connection, as the editor shows it.'),
        placeholder: l10n.t('For example “Team”'),
        value: connection.name || new URL(connection.baseUrl).host,
        validate: (text) => (text.trim() === '' ? l10n.t('Enter a name.') : undefined),
      });
      if (typeof name === 'string') connection = { ...connection, name: name.trim() };
      return name;
    };
    const askKey = async () => {
      const key = await askSessionKey(needs, connection, { title, step: 3, totalSteps: 3, anyKeyDoes });
      if (typeof key === 'string') sessionKey = key;
      return key;
    };
    if (!(await runFlow([askUrl, askName, askKey]))) return;

    const { name, baseUrl } = connection;
    const entry = { name, url: baseUrl, ...(connection.network && { network: connection.network }) };
    await updateConnections((entries) => entriesWith(entries, baseUrl, entry));
    await needs.keys.set(connection.origin, sessionKey);
    await needs.activeConnection.choose(connection);
    await needs.session.reload();
    await needs.session.verify();
    await vscode.commands.executeCommand(`${viewIds.sandboxes}.focus`);
    const session = needs.session.current;
    if (session.kind === 'ready') {
      void vscode.window.showInformationMessage(l10n.t('Connected to {0}.', name));
    }
  };
}

/** The address that a link proposes: `{ url }`. It stands in the input box, and nothing is asked there before Enter. */
function proposedAddress(argument: unknown): string {
  const isProposal = typeof argument === 'object' && argument !== null && 'url' in argument;
  return isProposal && typeof argument.url === 'string' ? argument.url : '';
}
