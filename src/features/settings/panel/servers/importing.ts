import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { back, runFlow } from '../../../../editor/flow';
import { sentences } from '../../../../shared/joined';
import type { McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { markDuplicates, fill } from '../../model/import/fill';
import { maxMcpFileBytes, parseMcpFile } from '../../model/import/parse';
import { parkServer } from '../../model/parking';
import type { PlaceholderAnswers, FilledServer, ParsedFile, ParsedServer } from '../../model/import/types';
import type { FormHost } from '../formHost';
import { noEdits, type OpenForm } from '../openForm';
import { askAnswers, boundedWords, importNotices, parkedWords, previewChoice } from './importQuestions';
import type { SelectItem, ServerPorts, ServerSource } from '../ports';

type Readable = Extract<ParsedFile, { ok: true }>;

/** What the user has selected so far. */
interface Taken {
  file: Readable | undefined;
  chosen: readonly ParsedServer[];
  answers: ReadonlyMap<ParsedServer, PlaceholderAnswers>;
}

const title = () => l10n.t('Import MCP Servers');

/**
 * Adds servers from another tool's configuration to the form, unsaved. Asks for the source, the servers, and values for
 * their placeholders. Secrets are kept in the document's memory.
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
        placeholder: l10n.t('Select where to import from'),
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
      const answer = await askAnswers(ports, title(), taken.chosen);
      if (answer === undefined || answer === back) return answer;
      taken.answers = answer;
      return answer;
    },
  ]);
  const now = finished === true && (await openNow(host, open));
  if (now) await take(host, now, taken);
}

/** The form, if it still shows this service and can take servers; otherwise, the user is told. */
async function openNow({ open, ports }: FormHost, { client }: OpenForm): Promise<OpenForm | undefined> {
  const isSame = open?.client === client;
  // The change in progress already has its edits.
  if (isSame && open.working === null) return open;
  const message = isSame
    ? l10n.t('The settings on screen have changed, so your last action wasn’t applied. Try again.')
    : l10n.t('Nothing was done: this window switched to another connection.');
  await ports.servers.tell('info', message);
  return undefined;
}

/** The files found, and the ways for the user to provide another source. */
async function sourceChoices(
  ports: ServerPorts,
): Promise<SelectItem<() => Promise<ServerSource | undefined>>[]> {
  const found = await ports.findSources();
  return [
    ...found.map((source) => ({
      label: plainText(source.label, 80),
      description: plainText(source.place, 200),
      value: () => Promise.resolve(source),
    })),
    { label: l10n.t('Select File…'), value: ports.chooseSource },
    {
      label: l10n.t('Paste JSON'),
      detail: l10n.t('Reads the clipboard once, when you select this.'),
      value: () =>
        Promise.resolve({
          label: l10n.t('the clipboard'),
          place: '',
          read: async () => ({ ok: true, text: await ports.clipboard() }) as const,
        }),
    },
  ];
}

/** Reads the source; undefined if it has no servers, after telling the user. */
async function read(ports: ServerPorts, source: ServerSource): Promise<Readable | undefined> {
  const text = await source.read(maxMcpFileBytes);
  const parsed: ParsedFile = text.ok ? parseMcpFile(text.text) : { ...text, at: null };
  if (parsed.ok && parsed.servers.length > 0) return parsed;
  const [rejected] = parsed.ok ? parsed.rejected : [];
  const reason = parsed.ok
    ? rejected === undefined
      ? l10n.t('No MCP servers found.')
      : l10n.t('{0}: {1}', plainText(rejected.sourceName, 80), rejected.reason)
    : parsed.reason;
  const at = parsed.ok ? (rejected?.at ?? null) : parsed.at;
  const openFile = l10n.t('Open File');
  const message = l10n.t(
    'Couldn’t import from {0}. {1}',
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
    placeholder: l10n.t('Select servers to import. Nothing is saved until you press Save.'),
    choices: servers.map((server, index) => previewChoice(server, duplicates[index] ?? null)),
    canGoBack: true,
  });
}

async function take(host: FormHost, open: OpenForm, { file, chosen, answers }: Taken): Promise<void> {
  const { environment } = host.ports.servers;
  const servers = chosen.map((parsed) => ({
    parsed,
    filled: fill(parsed, answers.get(parsed) ?? new Map(), environment, `new-${randomUUID()}`),
  }));
  const disabled = servers.filter(({ parsed }) => parsed.preview.disabled);
  const enabled = servers.filter((server) => !disabled.includes(server));
  for (const { filled } of enabled) setSecrets(open, filled);
  addServers(
    host,
    open,
    enabled.map(({ filled }) => filled.server),
    importNotices(servers, file?.rejected ?? []),
  );
  const parked: string[] = [];
  for (const server of disabled) parked.push(await parkDisabled(host, open, server));
  if (parked.length > 0) await tellParked(host, open, boundedWords(parked));
}

/** Much may have happened to the form while parking: where it can't show the words, the editor does. */
async function tellParked(host: FormHost, { client }: OpenForm, words: string[]): Promise<void> {
  const { open, ports } = host;
  if (open?.client !== client || open.working !== null) {
    await ports.servers.tell('info', sentences(...words));
    return;
  }
  const { serverNotices } = open;
  open.serverNotices = { ...serverNotices, words: [...serverNotices.words, ...words] };
  host.show();
}

function setSecrets({ document }: OpenForm, { server, secrets }: FilledServer): void {
  for (const { target, value } of secrets)
    document.setSecret(target, value, { ...noEdits, mcpServers: [server] });
}

/** Parks a server that is disabled in its file: on the service it would be enabled. Resolves to how that ended. */
async function parkDisabled(
  { ports }: FormHost,
  open: OpenForm,
  { parsed, filled }: { parsed: ParsedServer; filled: FilledServer },
): Promise<string> {
  const { client, document } = open;
  setSecrets(open, filled);
  const parking = { document, store: ports.parked, baseUrl: client.baseUrl };
  const outcome = await parkServer(parking, filled.server);
  for (const { target } of filled.secrets) document.clearSecretValue(target);
  return parkedWords(parsed, outcome.kind === 'refused' ? outcome.message : undefined);
}

/** Appends servers to the list, unsaved, and shows `notices` about them. */
function addServers(host: FormHost, open: OpenForm, servers: McpServer[], words: string[]): void {
  const held = open.document.model.mcpServers;
  const [first] = servers;
  open.serverNotices = { words, failed: false };
  if (first === undefined) host.show();
  else
    host.step((edits) => ({ ...edits, mcpServers: [...(edits.mcpServers ?? held), ...servers] }), {
      goTo: { list: 'servers', id: first.id },
    });
}
