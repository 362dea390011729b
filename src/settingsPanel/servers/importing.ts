import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { back, runFlow } from '../../platform/flow';
import type { McpServer } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import { markDuplicates } from '../../state/mcpImport/duplicates';
import { fill } from '../../state/mcpImport/fill';
import { maxMcpFileBytes, parseMcpFile } from '../../state/mcpImport/parse';
import type { Answers, ParsedFile, ParsedServer } from '../../state/mcpImport/types';
import type { FormHost, OpenForm } from '../formHost';
import { askAnswers, placeholdersOf } from './answers';
import type { Choice, ServerPorts, ServerSource } from './ports';
import { importNotices, previewChoice } from './previewWords';

type Readable = Extract<ParsedFile, { ok: true }>;

/** What the user chose so far. */
interface Taken {
  file: Readable | undefined;
  chosen: readonly ParsedServer[];
  answers: Answers;
}

const title = () => l10n.t('Import MCP Servers');

/**
 * Brings servers of another tool's configuration into the list of the form, unsaved: from where, which of them, and what
 * their placeholders stand for. Their secrets go into the document's memory.
 */
export async function importServers(host: FormHost): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const ports = host.ports.servers;
  const sources = await sourceChoices(ports);
  const taken: Taken = { file: undefined, chosen: [], answers: new Map() };

  const finished = await runFlow([
    async () => {
      const get = await ports.chooseOne({
        title: title(),
        placeholder: l10n.t('Where are the servers?'),
        choices: sources,
      });
      if (get === undefined || get === back) return undefined;
      const source = await get();
      taken.file = source && (await read(ports, source));
      return taken.file;
    },
    async () => {
      const answer = await choose(ports, taken.file?.servers ?? [], open);
      if (answer === undefined || answer === back) return answer;
      taken.chosen = answer;
      return answer.length === 0 ? undefined : answer;
    },
    async () => {
      const answer = await askAnswers(ports, title(), placeholdersOf(taken.chosen));
      if (answer === undefined || answer === back) return answer;
      taken.answers = answer;
      return answer;
    },
  ]);
  if (!finished) return;
  if (host.open?.client !== open.client) {
    await ports.tell('info', l10n.t('Nothing was imported: this window is connected to something else now.'));
    return;
  }
  take(host, host.open, taken);
}

/** Where servers may be: what was found, and what the user can bring. */
async function sourceChoices(ports: ServerPorts): Promise<Choice<() => Promise<ServerSource | undefined>>[]> {
  const found = await ports.findSources();
  return [
    ...found.map((source) => ({
      label: plainText(source.label, 80),
      description: plainText(source.place, 200),
      value: () => Promise.resolve(source),
    })),
    { label: l10n.t('Choose a File…'), value: ports.chooseSource },
    {
      label: l10n.t('Paste JSON'),
      detail: l10n.t('Reads the text on the clipboard now, and only now.'),
      value: () =>
        Promise.resolve({
          label: l10n.t('The clipboard'),
          place: '',
          read: async () => ({ ok: true, text: await ports.clipboard() }) as const,
        }),
    },
  ];
}

/** What the source holds; undefined when that is nothing, which the user was told then. */
async function read(ports: ServerPorts, source: ServerSource): Promise<Readable | undefined> {
  const text = await source.read(maxMcpFileBytes);
  const parsed: ParsedFile = text.ok ? parseMcpFile(text.text) : { ...text, at: null };
  if (parsed.ok && parsed.servers.length > 0) return parsed;
  const [rejected] = parsed.ok ? parsed.rejected : [];
  const reason = parsed.ok
    ? rejected === undefined
      ? l10n.t('There is no MCP server in it.')
      : l10n.t('{0}: {1}', plainText(rejected.sourceName, 80), rejected.reason)
    : parsed.reason;
  const at = parsed.ok ? (rejected?.at ?? null) : parsed.at;
  const openFile = l10n.t('Open File');
  const message = l10n.t(
    '{0} could not be imported. {1}',
    plainText(source.label, 80),
    plainText(reason, 300),
  );
  const action = await ports.tell('error', message, ...(source.open ? [openFile] : []));
  if (action === openFile) await source.open?.(at);
  return undefined;
}

function choose(ports: ServerPorts, servers: readonly ParsedServer[], open: OpenForm) {
  const existing = open.edits.mcpServers ?? open.document.model.mcpServers;
  const duplicates = markDuplicates(
    servers.map(({ preview }) => preview),
    existing,
  );
  return ports.chooseMany({
    title: title(),
    placeholder: l10n.t('Tick what to import. Nothing is saved before you save.'),
    choices: servers.map((server, index) => previewChoice(server, duplicates[index] ?? null)),
    canGoBack: true,
  });
}

function take(host: FormHost, open: OpenForm, { file, chosen, answers }: Taken): void {
  const { environment } = host.ports.servers;
  const servers = chosen.map((parsed) => ({
    parsed,
    filled: fill(parsed, answers, environment, `new-${randomUUID()}`),
  }));
  for (const { target, value } of servers.flatMap(({ filled }) => filled.secrets)) {
    open.document.setSecret(target, value);
    open.decided.push({ target, intention: 'replace' });
  }
  addServers(
    host,
    open,
    servers.map(({ filled }) => filled.server),
    importNotices(servers, file?.rejected ?? []),
  );
}

/** Puts servers at the end of the list, unsaved, and tells `notices` about them. */
function addServers(host: FormHost, open: OpenForm, servers: McpServer[], notices: string[]): void {
  const list = open.edits.mcpServers ?? open.document.model.mcpServers;
  host.setEdits({ ...open.edits, mcpServers: [...list, ...servers] });
  if (host.live) host.ports.post({ type: 'servers', event: { kind: 'added', servers, notices } });
  else {
    open.added.push(...servers);
    open.notices.push(...notices);
  }
}
