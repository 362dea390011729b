import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { openAddress, sameAddress } from '../../../editor/openAddress';
import { unlessCanceled } from '../../../editor/progress';
import type { Live, LiveNeeds } from '../../live/editor';
import { tellFailed } from '../../targets/editor';
import { servePage } from '../model/pageServer';
import { isOfServer, listeningPorts, type ListeningPort, type PortReach, reachOf } from '../model/ports';
import { SandboxTunnel } from '../model/tunnel';
import { conversationFor } from './conversationFor';
import { placeOfConversation } from './placeOf';
import type { ServedPages } from './servedPages';

interface Port extends vscode.QuickPickItem {
  port: number;
  reach: PortReach;
}

/** Ports…: lists what listens in a sandbox, and how to reach it. */
export function ports(needs: LiveNeeds & { servedPages: () => Promise<ServedPages> }): Handler {
  return async (argument) => {
    try {
      const live = await conversationFor(needs, argument, l10n.t('Ports'));
      const place = live && (await placeOfConversation(live));
      if (!live || !place) return;
      const listed = await unlessCanceled(l10n.t('Reading…'), () => listeningPorts(place));
      if (!listed) return;
      const exposed = place.isHere ? undefined : (await sandboxOf(needs, live))?.exposed_urls;
      const items = listed
        .filter(({ port }) => !isOfServer(port, exposed))
        .map((one) => portOf(one, reachOf(one, place.isHere, exposed)));
      const wanted = wantedPort(argument);
      const picked = wanted === undefined ? await choose(items) : find(items, wanted);
      if (!picked) return;
      if ('url' in picked.reach) await open(picked.port, picked.reach.url);
      else if (await isWantedSlow(picked)) {
        const pages = await needs.servedPages();
        const serving = async () => {
          const tunnel = new SandboxTunnel(place, picked.port);
          await tunnel.open();
          return servePage(tunnel, picked.port);
        };
        await unlessCanceled(l10n.t('Opening the page…'), () => pages.open(serving(), openBeside));
      }
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t read the sandbox’s ports.'), error);
    }
  };
}

async function choose(items: readonly Port[]): Promise<Port | undefined> {
  if (items.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('No program is listening on a port in this sandbox.'));
    return undefined;
  }
  const placeholder = l10n.t('Select a port to open its page');
  const picked = await askPick({ title: l10n.t('Ports'), placeholder, items });
  return typeof picked === 'object' ? picked : undefined;
}

function find(items: readonly Port[], wanted: number): Port | undefined {
  const found = items.find(({ port }) => port === wanted);
  if (!found)
    void vscode.window.showInformationMessage(
      l10n.t('Nothing is listening on port {0} in the sandbox.', String(wanted)),
    );
  return found;
}

/** The port that a line of a transcript is about. */
const wantedPort = (argument: unknown): number | undefined =>
  typeof argument === 'object' && argument !== null && 'port' in argument && typeof argument.port === 'number'
    ? argument.port
    : undefined;

async function sandboxOf({ model, conversations }: LiveNeeds, live: Live): Promise<Sandbox | undefined> {
  // The lists are those of the connected service.
  const id =
    live.service === conversations.service ? model.conversation(live.model.id)?.sandbox_id : undefined;
  return id ? (await model.sandboxesNow([id]))[0] : undefined;
}

function portOf({ port, program }: ListeningPort, reach: PortReach): Port {
  return {
    port,
    reach,
    label: String(port),
    description: program,
    detail: reachWords[reach.kind](reach),
    iconPath: new vscode.ThemeIcon('url' in reach ? 'globe' : 'circle-slash'),
  };
}

const reachWords: Record<PortReach['kind'], (reach: PortReach) => string> = {
  here: () => l10n.t('On this computer'),
  exposed: (reach) => l10n.t('Exposed at {0}', 'url' in reach ? reach.url.host : ''),
  closed: () => l10n.t('Listens on 127.0.0.1 only. Start it with --host 0.0.0.0.'),
  none: () => l10n.t('Not exposed by this sandbox'),
};

/** Says why a port can’t be reached, and offers what does work. */
async function isWantedSlow({ port, reach }: Port): Promise<boolean> {
  const words =
    reach.kind === 'closed'
      ? l10n.t(
          'Port {0} can’t be reached: its program listens on 127.0.0.1 only. Start it with --host 0.0.0.0.',
          port,
        )
      : l10n.t('Port {0} can’t be reached from here: this sandbox doesn’t expose it.', port);
  const anyway = l10n.t('Show the Page Anyway (Slow)');
  return (await vscode.window.showInformationMessage(words, anyway)) === anyway;
}

async function open(port: number, url: URL): Promise<void> {
  const picked = await askPick({
    title: l10n.t('Port {0}', port),
    placeholder: url.host,
    items: [
      { isBeside: true, label: l10n.t('Open Beside'), description: l10n.t('in the editor’s simple browser') },
      { isBeside: false, label: l10n.t('Open in Browser') },
    ].map((item) => ({
      ...item,
      iconPath: new vscode.ThemeIcon(item.isBeside ? 'split-horizontal' : 'link-external'),
    })),
  });
  if (typeof picked !== 'object') return;
  if (picked.isBeside) await openBeside(url);
  else await openAddress(url);
}

/** Shows a page beside the active editor. */
export async function openBeside(url: URL): Promise<void> {
  // On a remote computer, the editor forwards the port.
  const address = await vscode.env.asExternalUri(sameAddress(url));
  const options = { viewColumn: vscode.ViewColumn.Beside };
  try {
    await vscode.commands.executeCommand('simpleBrowser.api.open', address, options);
  } catch {
    // The simple browser can be disabled.
    await openAddress(url);
  }
}
