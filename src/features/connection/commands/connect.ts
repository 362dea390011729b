import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerInfo } from '../../../api/serverInfo';
import { checkConnection, type ConnectionCheck, isAccepted } from '../../../api/service/connectionCheck';
import type { DeviceSignIn } from '../../../api/service/deviceSignIn';
import { askSessionKey } from '../../../editor/asking/askSessionKey';
import { askSignIn, askWay } from '../../../editor/asking/askSignIn';
import { describeCheck, keyWarning } from '../../../editor/checkText';
import { entriesBesideUnused, entriesWith } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import {
  askPick,
  askText,
  back,
  needsText,
  runFlow,
  type Answer,
  type InputStep,
} from '../../../editor/inputs';
import type { KeptSignIn } from '../../../editor/keptSignIn';
import { defaultConnections, readConnections, updateConnections } from '../../../editor/settings';
import { parseBaseUrl, portProblem, withScheme } from '../../../shared/baseUrl';
import type { Connection } from '../../../shared/connection';
import { sentences } from '../../../shared/joined';
import { plainHttpWarning } from '../../../shared/plainHttp';
import { plainText } from '../../../shared/plainText';
import { canvasAddress, findLocalCanvas, keyFileFor, readCanvasKey, type LocalCanvas } from '../model/canvas';
import { withOrganization } from './signIn';
import type { ConnectNeeds } from './switch';

interface Needs extends ConnectNeeds {
  signInAt: (connection: Connection) => Promise<DeviceSignIn>;
  keptSignIn: KeptSignIn;
  focusConversations: () => Promise<void>;
}

/** Sent instead of a key while only the address is checked: a service that refuses it exists. */
const addressCheckKey = 'address-check';

/**
 * Connect…: asks for address, name and session key, and checks each before it asks for the next. Offers what runs on this
 * computer first.
 */
export function connect(needs: Needs): Handler {
  return async (proposed) => {
    if (isResumption(proposed)) return resumeSignIn(needs);
    const title = l10n.t('Connect to an agent workspace service');
    let connection: Connection = { name: '', baseUrl: '', origin: '' };
    let sessionKey = '';
    let anyKeyDoes = false;
    let found: string | undefined;
    let warning: string | undefined;
    let signIn: DeviceSignIn | undefined;
    /** Of the Agent Canvas at the address, if it’s on this computer. */
    let keyFile: string | undefined;
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
          const info = await agentServerAt(client, check, signal);
          found = info && agentServerWords(info);
          keyFile = info?.isCanvas === true ? keyFileFor(parsed.baseUrl) : undefined;
          warning = info && keyWarning(info, parsed.baseUrl);
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
        placeholder: l10n.t('For example, work'),
        value: connection.name || new URL(connection.baseUrl).host,
        validate: needsText,
        warn: (text) =>
          needs
            .listConnections()
            .connections.some((one) => one.name === text.trim() && one.baseUrl !== connection.baseUrl)
            ? l10n.t('There’s already one with this name.')
            : undefined,
      });
      if (typeof name === 'string') connection = { ...connection, name: name.trim() };
      return name;
    };
    /** Takes the key in the file of Agent Canvas; false if it isn’t accepted, which the question for a key then says. */
    const takeKey = async (file: string) => {
      const key = await readCanvasKey(file);
      if (key === undefined) {
        found = l10n.t('There is no key in {0}.', belowHome(file));
        return false;
      }
      const check = await checkConnection(needs.createClient(connection, key));
      const problem = describeCheck(check);
      found =
        check.kind === 'refused'
          ? l10n.t(
              'Agent Canvas doesn’t accept the key in {0}. If it was started with LOCAL_BACKEND_API_KEY, enter that key.',
              belowHome(file),
            )
          : problem && sentences(problem.message, problem.nextStep);
      if (!isAccepted(check)) return false;
      sessionKey = key;
      return true;
    };
    const askKey = async () => {
      const step = { title, step: 3, totalSteps: 3 };
      if (keyFile !== undefined) {
        const from = await askKeyFile(keyFile, step);
        if (from !== 'file' && from !== 'key') return from;
        if (from === 'file' && (await takeKey(keyFile))) return true;
      }
      for (;;) {
        const way = signIn ? await askWay(connection, step) : 'key';
        if (signIn && way === 'signIn') {
          const token = await askSignIn(signIn, connection, needs.keptSignIn);
          if (token === undefined) continue;
          sessionKey = token;
          connection = await withOrganization(needs, { ...connection, authentication: 'signIn' }, token);
          return true;
        }
        if (way !== 'key') return way;
        const isApiKey = signIn !== undefined;
        const answer = await askSessionKey(needs, connection, { ...step, anyKeyDoes, isApiKey, found });
        if (typeof answer === 'object') ({ connection, sessionKey } = answer);
        else if (answer === back && signIn) continue;
        return answer;
      }
    };
    const steps = [askUrl, askName, askKey];
    const local = proposedAddress(proposed) === '' ? await unusedLocalCanvas(needs) : undefined;
    if (local) {
      const picked = await askLocalCanvas(local, { title });
      if (picked === 'canvas') {
        ({ connection } = local);
        warning = keyWarning(local.info, connection.baseUrl);
        steps.splice(0, steps.length, ...((await takeKey(local.keyFile)) ? [] : [askKey]));
      } else if (picked !== 'other') return;
    }
    if ((await runFlow(steps)) !== true) return;
    await connectWith(needs, connection, sessionKey, warning);
  };
}

/** What the extension asks itself for after a reload, as `{ resumes: true }`. */
const isResumption = (argument: unknown): boolean =>
  typeof argument === 'object' && argument !== null && 'resumes' in argument && argument.resumes === true;

/** Continues the sign-in that this window waited for when it was reloaded, if there was one. */
async function resumeSignIn(needs: Needs): Promise<void> {
  const left = await needs.keptSignIn.take();
  if (!left || !(left.begun ?? (await wantsAgain(left.connection)))) return;
  const at = await needs.signInAt(left.connection);
  const token = await askSignIn(at, left.connection, needs.keptSignIn, left.begun);
  if (token === undefined) return;
  const { connections } = needs.listConnections();
  const listed = connections.find(({ baseUrl }) => baseUrl === left.connection.baseUrl) ?? left.connection;
  const connection = await withOrganization(needs, { ...listed, authentication: 'signIn' }, token);
  await connectWith(needs, connection, token);
}

/** The code of a sign-in may be lost with the window’s other secrets. */
async function wantsAgain({ name }: Connection): Promise<boolean> {
  const again = l10n.t('Try Again');
  const ended = l10n.t('The sign-in to {0} ended when the window was reloaded.', plainText(name, 60));
  return (await vscode.window.showWarningMessage(ended, again)) === again;
}

/** Keeps a connection with its key, and connects the window to it. */
async function connectWith(
  needs: Needs,
  connection: Connection,
  sessionKey: string,
  warning = '',
): Promise<void> {
  const { name, baseUrl, origin } = connection;
  const hadKey = needs.keys.has(origin);
  // Before the connection is there: otherwise, the views would ask for its key in between.
  await needs.keys.set(origin, sessionKey);
  await updateConnections((entries) =>
    entriesWith(
      entriesBesideUnused(entries, defaultConnections(), (at) =>
        at === origin ? hadKey : needs.keys.has(at),
      ),
      connection,
    ),
  );
  await needs.activeConnection.choose(connection);
  await needs.session.reload();
  await needs.session.verify();
  const now = needs.session.current;
  if (now.kind === 'ready' && now.connection.baseUrl === baseUrl) {
    void vscode.window.showInformationMessage(sentences(l10n.t('Connected to {0}.', name), warning));
  }
  await needs.focusConversations();
}

/** Agent Canvas on this computer, unless it’s connected already. */
async function unusedLocalCanvas(needs: Needs): Promise<LocalCanvas | undefined> {
  const known = needs.listConnections().connections.find(({ baseUrl }) => baseUrl === canvasAddress);
  if (known ? needs.keys.has(known.origin) : readConnections().refused.has(canvasAddress)) return undefined;
  const found = await findLocalCanvas((at) => needs.createClient(known ?? at, addressCheckKey));
  // Its name and its network options stay as they are in the settings.
  return found && known ? { ...found, connection: known } : found;
}

/** Asks whether to connect to the Agent Canvas that was found, with the key in its file, or to anything else. */
const askLocalCanvas = ({ connection, keyFile }: LocalCanvas, step: InputStep) =>
  asked(step, [
    {
      label: l10n.t('Use Agent Canvas on This Computer'),
      description: new URL(connection.baseUrl).host,
      detail: readsFile(keyFile),
      way: 'canvas' as const,
    },
    { label: l10n.t('Enter an Address…'), way: 'other' as const },
  ]);

/** Asks whether the key in the file is the one to use. */
const askKeyFile = (file: string, step: InputStep) =>
  asked(step, [
    {
      label: l10n.t('Use the Key of Agent Canvas on This Computer'),
      detail: readsFile(file),
      way: 'file' as const,
    },
    { label: l10n.t('Enter a Session Key…'), way: 'key' as const },
  ]);

const readsFile = (file: string) => l10n.t('Reads its key from {0}', belowHome(file));

const belowHome = (file: string) => `~${file.slice(homedir().length)}`;

async function asked<W extends string>(
  step: InputStep,
  items: readonly (vscode.QuickPickItem & { way: W })[],
): Promise<Answer<W>> {
  const answer = await askPick({ ...step, placeholder: l10n.t('Select how to connect'), items });
  return typeof answer === 'object' ? answer.way : answer;
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

/** What a standalone agent server says of itself, with any key; undefined for any other service. */
async function agentServerAt(
  client: ReturnType<Needs['createClient']>,
  check: ConnectionCheck,
  signal: AbortSignal,
): Promise<AgentServerInfo | undefined> {
  const mayBe = check.kind === 'refused' || check.kind === 'agentServer';
  return mayBe ? client.recognizeAgentServer(signal) : undefined;
}

const agentServerWords = ({ release }: AgentServerInfo) =>
  release === undefined
    ? l10n.t('This is a standalone agent server: it has conversations, but no sandboxes.')
    : l10n.t(
        'This is a standalone agent server (release {0}): it has conversations, but no sandboxes.',
        plainText(release, 40),
      );

/** The address that a link proposes, as `{ url }`. Nothing is sent there until the user presses Enter. */
function proposedAddress(argument: unknown): string {
  const isProposal = typeof argument === 'object' && argument !== null && 'url' in argument;
  return isProposal && typeof argument.url === 'string' ? argument.url : '';
}
