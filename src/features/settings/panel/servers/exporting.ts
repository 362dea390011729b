import * as l10n from '@vscode/l10n';
import { back, runFlow } from '../../../../editor/flow';
import { joined, nameList, sentences } from '../../../../shared/joined';
import { kindLabel, mcpLabel, type McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { exportMcpFile, mergeMcpFile } from '../../model/import/export';
import type { FormHost } from '../formHost';
import type { SelectItem, ExportFile, ServerPorts } from '../ports';

const title = () => l10n.t('Export MCP Servers');

type Target = (text: string, done: string) => Promise<void>;

/** Writes servers of the form, unsaved changes included, to a configuration file, without their secrets. */
export async function exportServers(host: FormHost): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const ports = host.ports.servers;
  const servers = (open.edits.mcpServers ?? open.document.model.mcpServers).filter(
    (server) => mcpLabel(server).trim() !== '',
  );
  if (servers.length === 0) {
    await ports.tell('info', l10n.t('There are no MCP servers to export.'));
    return;
  }
  const taken: { servers: readonly McpServer[]; target: Target | undefined } = {
    servers: [],
    target: undefined,
  };
  await runFlow([
    async () => {
      const answer = await ports.chooseMany({
        title: title(),
        placeholder: l10n.t(
          'Select servers to export. API keys, variable values, and what looks like a secret elsewhere are left out.',
        ),
        choices: servers.map(serverChoice),
      });
      if (answer === undefined || answer === back || answer.length === 0) return undefined;
      taken.servers = answer;
      return answer;
    },
    async () => {
      const answer = await ports.chooseOne({
        title: title(),
        placeholder: l10n.t('Select where to export'),
        choices: targetChoices(ports),
        canGoBack: true,
      });
      if (answer !== undefined && answer !== back) taken.target = answer;
      return answer;
    },
  ]);
  const lost = taken.servers.flatMap((server) =>
    open.document.unknownMembersOf(server).map((name) => plainText(`${mcpLabel(server)}: ${name}`, 160)),
  );
  await taken.target?.(exportMcpFile(taken.servers), doneWords(taken.servers, lost));
}

function serverChoice(server: McpServer): SelectItem<McpServer> {
  const { kind, command, args } = server;
  return {
    label: plainText(mcpLabel(server), 200),
    description: plainText(joined(kindLabel(kind), kind === 'stdio' && [command, ...args].join(' ')), 200),
    picked: true,
    value: server,
  };
}

function targetChoices(ports: ServerPorts): SelectItem<Target>[] {
  return [
    {
      label: l10n.t('New Document'),
      detail: l10n.t('Nothing is written to disk until you save it.'),
      value: async (text, done) => {
        await ports.showNew(text);
        await ports.tell('info', done);
      },
    },
    ...ports.workspaceFiles().map((file) => ({
      label: file.label,
      detail: l10n.t('Adds the servers to the file. Asks before replacing any.'),
      value: (text: string, done: string) => addTo(ports, file, text, done),
    })),
    {
      label: l10n.t('Save to File…'),
      value: async (text, done) => {
        const file = await ports.chooseTarget();
        if (file !== undefined) await write(ports, file, text, done);
      },
    },
  ];
}

async function addTo(ports: ServerPorts, file: ExportFile, added: string, done: string): Promise<void> {
  const before = await file.read();
  let merged =
    before === undefined ? ({ ok: true, text: added } as const) : mergeMcpFile(before, added, false);
  if (!merged.ok && 'taken' in merged) {
    const replace = l10n.t('Replace');
    const names = nameList(merged.taken.map((name) => plainText(name, 80)));
    const question = l10n.t(
      '{0} already has other servers with these names: {1}. Replace them?',
      file.label,
      names,
    );
    if ((await ports.ask(question, replace)) !== replace) return;
    // The file may have changed while the question was open.
    merged = mergeMcpFile((await file.read()) ?? '', added, true);
  }
  if (merged.ok) {
    await write(ports, file, merged.text, done);
    return;
  }
  if (!('reason' in merged)) return;
  const openFile = l10n.t('Open File');
  const message = l10n.t('Couldn’t read {0}, so it wasn’t changed. {1}', file.label, merged.reason);
  if ((await ports.tell('error', message, openFile)) === openFile) await file.open(merged.at);
}

async function write(ports: ServerPorts, file: ExportFile, text: string, done: string): Promise<void> {
  const isSaved = await file.write(text);
  const unsaved = l10n.t('The file had unsaved changes, so it wasn’t saved. Save it when you’re ready.');
  const words = isSaved ? done : sentences(done, unsaved);
  const openFile = l10n.t('Open File');
  if ((await ports.tell('info', words, openFile)) === openFile) await file.open(null);
}

/** What was exported and what was left out; `lost` names what the form has no field for. */
function doneWords(servers: readonly McpServer[], lost: readonly string[]): string {
  const timed = servers.filter(({ kind, timeout }) => kind === 'shttp' && timeout !== null);
  const count =
    servers.length === 1 ? l10n.t('1 server exported.') : l10n.t('{0} servers exported.', servers.length);
  const secrets = l10n.t(
    'Secrets were left out, and what looks like one in addresses and arguments. Anyone who uses the file is asked for them.',
  );
  const names = nameList(timed.map((server) => plainText(mcpLabel(server), 80)));
  const timeouts =
    timed.length === 0
      ? []
      : [l10n.t('This file format doesn’t support timeouts. They were left out for: {0}.', names)];
  const others = lost.length === 0 ? [] : [l10n.t('Not exported: {0}.', nameList(lost))];
  return sentences(count, secrets, ...timeouts, ...others);
}
