import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { mcpLabel, type McpServer } from '../../../src/shared/mcp';
import type { SaveNote } from '../../../src/features/settings/shared/form';
import { SettingsDocument, type SaveOutcome } from '../../../src/features/settings/model/document';
import type { SaveOptions } from '../../../src/features/settings/model/saveOutcome';
import { makeDraft, parseDraft } from '../../../src/features/settings/model/draft';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
} from '../../../src/features/settings/model/providers';
import type { ProviderToken, StoredSettings } from '../../service/records';
import { shownDefaults } from '../../service/current/record';
import { mask } from '../../service/settingsFields';
import { Editor, type FormAction } from './editor';
import type { FakeService, Fault, Request } from './fakeService';
import type { Canaries } from './thirdClient';
import { actAsThird, type ThirdAction } from './thirdClient';
import { accessTo } from '../core/settings/safeguards';
import { differences, sameValue, secretPlaces, trueServers, type TrueServer } from './truth';

/** The faults of a save or provider change, and another client's changes between its requests. */
export interface Trouble {
  /** Keyed by the position of the request among those of its kind. */
  faults: Partial<Record<Request, (Fault | null)[]>>;
  /** The window sleeps until another window takes the lock. */
  sleeps: boolean;
  beforeReading: ThirdAction | null;
  beforeReadingBack: ThirdAction | null;
}

export const noTrouble: Trouble = { faults: {}, sleeps: false, beforeReading: null, beforeReadingBack: null };

/** A save as the service sees it. */
interface Watch {
  readonly editor: Editor;
  readonly options: SaveOptions;
  /** Labels of conflicts settled as "mine". */
  readonly claimed: ReadonlySet<string>;
  readonly trouble: Trouble;
  readonly counts: Partial<Record<Request, number>>;
  before: StoredSettings | null;
  tokens: Record<string, ProviderToken>;
  /** What the post changed, if it was applied. */
  changed: string[] | undefined;
  /** The service's state just before the post. */
  posted: StoredSettings | null;
  /** The service's state when last read. */
  seen: StoredSettings | null;
  thirdActed: boolean;
}

/** Counts of what happened over many runs, to check that the cases are covered. */
export class Tally {
  readonly counts = new Map<string, number>();
  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/**
 * A service, two users with forms, and another client. After each post, checks that only the poster's intended changes
 * were made, and after each save that every edit was stored or reported.
 */
export class World {
  readonly editors: Editor[];
  private readonly watches = new Map<string, Watch>();
  /** The previous label for each label the other client assigned. */
  private readonly previousLabels = new Map<string, string>();

  constructor(
    readonly service: FakeService,
    oneWindow: boolean,
    private readonly canaries: Canaries,
    private readonly tally: Tally,
  ) {
    this.editors = ['ada', 'bob'].map(
      (who) => new Editor(who, service.clientOf(who, oneWindow ? 'one' : who), canaries),
    );
    service.safeguards.isHeld = () => ![...this.watches.values()].some(({ trouble }) => trouble.sleeps);
    service.fault = (request, who) => this.fault(request, who);
    service.arrives = (request, who) => this.arrives(request, who);
    service.carriedOut = (request, who) => this.carriedOut(request, who);
  }

  async open(who: number): Promise<void> {
    const editor = this.editor(who);
    editor.open(await SettingsDocument.load(editor.client, this.service.safeguards));
    this.sees(editor, this.service.state.settings);
    this.holdsNoSecret(editor.document?.model);
  }

  /** Notes what a form has read: these settings, and the operator's servers, which are in each answer. */
  private sees(editor: Editor, settings: StoredSettings | null): void {
    const { operatorMcp } = this.service.behaviour;
    editor.sees(settings);
    if (operatorMcp) editor.sees({ mcp_config: operatorMcp });
  }

  edit(who: number, action: FormAction): void {
    this.editor(who).act(action);
  }

  third(action: ThirdAction): void {
    actAsThird(this.service, action, this.canaries, (label, previous) =>
      this.previousLabels.set(label, previous),
    );
    this.tally.add('changes by another client');
  }

  /** Closes the form with a draft and opens it again. */
  async reload(who: number): Promise<void> {
    const editor = this.editor(who);
    if (editor.document === undefined) return;
    const text = JSON.stringify(makeDraft(editor.document.model, editor.edits, new Date(0)));
    this.holdsNoSecret(text);
    const draft = parseDraft(JSON.parse(text));
    assert.ok(draft, 'the draft can’t be read');
    const document = await SettingsDocument.load(editor.client, this.service.safeguards);
    this.sees(editor, this.service.state.settings);
    const { edits, overlaps } = document.restore(draft.edits, draft.base);
    this.holdsNoSecret(overlaps);
    editor.open(document, edits);
    this.tally.add('drafts');
  }

  undo(who: number): void {
    const editor = this.editor(who);
    const undo = editor.document?.undo();
    if (undo === undefined) return;
    this.holdsNoSecret(undo);
    editor.edits = undo.edits;
    editor.typed.clear();
    this.tally.add('undone saves');
  }

  async save(who: number, trouble: Trouble, choice: 'mine' | 'theirs'): Promise<void> {
    const editor = this.editor(who);
    if (editor.document === undefined) return;
    const first = await this.trySave(editor, {}, trouble);
    // Answers questions until there are none.
    let options: SaveOptions = {};
    let outcome = first;
    const claimed = new Set<string>();
    for (let answers = 0; answers < 4; answers++) {
      if (outcome.kind === 'conflict') {
        const keys = outcome.conflicts.map(({ key }) => [key, choice] as const);
        if (choice === 'mine')
          for (const { label, theirs } of outcome.conflicts) {
            claimed.add(label);
            for (const [, own = ''] of theirs.matchAll(/(?:url|name): (\S+)/g)) claimed.add(own);
          }
        options = { ...options, resolution: { ...options.resolution, ...Object.fromEntries(keys) } };
      } else if (outcome.kind === 'needsConfirmation')
        options = { ...options, confirmed: [...(options.confirmed ?? []), outcome] };
      else break;
      // The faults are meant for the post, which hasn't been sent yet.
      outcome = await this.trySave(editor, options, { ...trouble, beforeReading: null }, claimed);
    }
    assert.ok(
      outcome.kind !== 'conflict' && outcome.kind !== 'needsConfirmation',
      'all questions were answered',
    );
    if (outcome.kind === 'saved' && outcome.document.offersToKeep()) {
      assert.ok(await outcome.document.keepServers());
      this.tally.add('kept servers');
    }
    if (outcome.kind === 'saved') editor.open(outcome.document);
    // A user would fix the errors; here, the edits are dropped.
    else if (outcome.kind === 'invalid') editor.open(editor.document);
  }

  private async trySave(
    editor: Editor,
    options: SaveOptions,
    trouble: Trouble,
    claimed: ReadonlySet<string> = new Set(),
  ): Promise<SaveOutcome> {
    const { document, edits, who } = editor;
    assert.ok(document, 'no form is open');
    this.holdsNoSecret([document.review(edits), document.problems(edits)]);
    const watch: Watch = {
      editor,
      options,
      claimed,
      trouble,
      counts: {},
      before: null,
      tokens: {},
      changed: undefined,
      posted: null,
      seen: null,
      thirdActed: false,
    };
    this.watches.set(who, watch);
    const outcome = await document.save(edits, options);
    this.watches.delete(who);
    if (outcome.kind === 'saved') this.sees(editor, watch.seen);
    if (outcome.kind === 'failed') this.reason(outcome.error.reason, watch);
    this.tally.add(outcome.kind === 'failed' ? `failed, applied ${outcome.applied}` : outcome.kind);
    this.check(outcome, watch);
    return outcome;
  }

  async provider(
    who: number,
    what: 'connect' | 'disconnect' | 'all',
    name: string,
    trouble: Trouble,
  ): Promise<void> {
    const editor = this.editor(who);
    const access = accessTo(editor.client, this.service.safeguards);
    const before = structuredClone(this.service.state.providerTokens);
    const token = this.canaries.next();
    const watch: Watch = {
      editor,
      options: {},
      claimed: new Set(),
      trouble: { ...noTrouble, faults: trouble.faults, sleeps: trouble.sleeps },
      counts: {},
      before: null,
      tokens: before,
      changed: undefined,
      posted: null,
      seen: null,
      thirdActed: false,
    };
    this.watches.set(editor.who, watch);
    const outcome = await (what === 'connect'
      ? connectProvider(access, { name, token, host: 'git.example.com' })
      : what === 'disconnect'
        ? disconnectProvider(access, name)
        : disconnectAll(access));
    this.watches.delete(editor.who);
    this.tally.add(`provider ${outcome.kind}`);
    this.holdsNoSecret(outcome);
    const after = this.service.state.providerTokens;
    const others = (tokens: Record<string, ProviderToken>) =>
      Object.entries(tokens).filter(([other]) => other !== name);
    if (what !== 'all')
      assert.deepEqual(
        Object.fromEntries(others(after)),
        Object.fromEntries(others(before)),
        'no other token changes',
      );
    if (outcome.kind === 'done' && what === 'connect') assert.deepEqual(after[name]?.token, token);
    if (outcome.kind === 'done' && what !== 'connect') assert.equal(name in after, false);
    if (outcome.kind === 'failed' && outcome.applied === 'no') assert.deepEqual(after, before);
    if (outcome.kind === 'failed' && outcome.applied === 'yes') assert.notDeepEqual(after, before);
  }

  /** Both are detected before the post or when reading back. */
  private reason(reason: string, { changed, counts }: Watch): void {
    if (reason === 'busy') {
      this.tally.add('busy');
      assert.equal(changed, undefined, 'a window posted without the lock');
    }
    if (reason === 'noneSaved') {
      this.tally.add('none saved');
      if (counts.getSettings === 1) assert.equal(changed, undefined, 'posted over settings that may exist');
    }
  }

  private editor(who: number): Editor {
    const editor = this.editors[who];
    assert.ok(editor, 'no editor');
    return editor;
  }

  private fault(request: Request, who: string): Fault | undefined {
    const watch = this.watches.get(who);
    if (watch === undefined) return undefined;
    const count = watch.counts[request] ?? 0;
    watch.counts[request] = count + 1;
    const fault = watch.trouble.faults[request]?.[count] ?? undefined;
    // For a user without known settings, the answer must be taken as true.
    if (fault === 'noneSaved' && !this.service.safeguards.seen.has(watch.editor.client.baseUrl))
      return undefined;
    if (fault) this.tally.add(`fault: ${request} ${count + 1} ${fault}`);
    return fault;
  }

  private arrives(request: Request, who: string): void {
    const watch = this.watches.get(who);
    if (watch === undefined) return;
    if (request === 'getSettings') {
      const isFirst = watch.counts.getSettings === 1;
      const action = isFirst ? watch.trouble.beforeReading : watch.trouble.beforeReadingBack;
      if (action !== null) this.third(action);
      if (action !== null && !isFirst) watch.thirdActed = true;
    }
    watch.before = this.visible();
    watch.tokens = structuredClone(this.service.state.providerTokens);
  }

  private carriedOut(request: Request, who: string): void {
    const watch = this.watches.get(who);
    if (watch === undefined) return;
    const { settings, providerTokens } = this.service.state;
    if (request === 'getSettings') watch.seen = structuredClone(settings);
    if (request !== 'postSettings') return;
    assert.deepEqual(providerTokens, watch.tokens, 'a save changed provider tokens');
    this.tally.add('posts carried out');
    watch.posted = watch.before;
    watch.changed = differences(watch.before, this.visible());
    this.sendsNoSecretUnseen(watch, settings);
    for (const change of watch.changed) {
      const meant = this.means(watch, change);
      assert.ok(
        meant,
        `${who} changed ${change} without meaning to: ${JSON.stringify({ edits: watch.editor.edits, before: watch.before, after: settings })}`,
      );
    }
    this.carriesOver(watch);
  }

  /** Whether the editor's edits explain a change on the service. */
  private means({ editor, options, before, claimed }: Watch, change: string): boolean {
    const { edits, document } = editor;
    assert.ok(document, 'no form is open');
    const [kind = '', label, member] = change.split(' ');
    if (label === undefined) {
      if (kind in edits.secrets) return true;
      if (kind === 'sandbox_api_key')
        return (
          (options.confirmed ?? []).some(({ about }) => about === 'sandboxApiKey') ||
          !document.sandboxKeyAtRisk(edits)
        );
      if (!(kind in edits.values)) return false;
      // The overwritten value was shown in the form or in a conflict.
      const field = kind as keyof typeof document.model.values;
      const overwritten = before?.[field] ?? null;
      const known = sameValue(document.model.values[field], overwritten);
      return known || overwritten === null || options.resolution?.[`field:${field}`] === 'mine';
    }
    if (this.operatorServers().some((server) => server.label === label)) return true;
    if (this.hides(member)) return true;
    if (edits.mcpServers === null) return false;
    if (claimed.has(label)) return true;
    const held = document.model.mcpServers;
    const gone = held.filter(({ id }) => !edits.mcpServers?.some((server) => server.id === id));
    if (gone.some((server) => this.labelsOf(server).includes(label))) return true;
    return edits.mcpServers.some((server) => {
      const previous = held.find(({ id }) => id === server.id);
      // In a map, a name that is taken gets a number.
      if (previous === undefined) return mcpLabel(server) === label || `${mcpLabel(server)}-2` === label;
      const labels = [...this.labelsOf(previous), mcpLabel(server)];
      if (!labels.includes(label)) return false;
      const relabelled = mcpLabel(previous) !== mcpLabel(server) || previous.kind !== server.kind;
      const revived = member === undefined && !isDeepStrictEqual(previous, server);
      return relabelled || revived || editedMembers(previous, server).includes(member ?? '');
    });
  }

  /** The settings without what no client can know: where secrets are hidden, empty variables don't show at all. */
  private visible(): StoredSettings | null {
    const settings = structuredClone(this.service.state.settings);
    const { profile, behaviour } = this.service;
    if (profile !== 'current' || behaviour.release === '1.7') return settings;
    for (const server of settings?.mcp_config?.stdio_servers ?? [])
      server.env = Object.fromEntries(Object.entries(server.env ?? {}).filter(([, value]) => value !== ''));
    return settings;
  }

  private operatorServers(): TrueServer[] {
    const { operatorMcp } = this.service.behaviour;
    return operatorMcp ? trueServers({ mcp_config: operatorMcp }) : [];
  }

  /** A bare URL has no timeout, so a lost timeout can't be detected. */
  private hides(member: string | undefined): boolean {
    return this.service.behaviour.bareMcpUrls && member === 'timeout';
  }

  /** The labels a server in the form may have on the service. */
  private labelsOf(server: McpServer): string[] {
    const labels = [mcpLabel(server)];
    for (const [label, previous] of this.previousLabels) if (labels.includes(previous)) labels.push(label);
    return labels;
  }

  /** Checks that a renamed, moved, or edited server keeps its other members, especially secrets. */
  private carriesOver({ editor, options, before }: Watch): void {
    const { edits, document } = editor;
    const asked = Object.keys(options.resolution ?? {}).some((key) => key.startsWith('mcp:'));
    if (edits.mcpServers === null || asked) return;
    const [was, is] = [trueServers(before), trueServers(this.visible())];
    for (const server of edits.mcpServers) {
      const previous = document?.model.mcpServers.find(({ id }) => id === server.id);
      if (previous === undefined) continue;
      // Servers that shared a label can't be told apart from outside.
      const labels = this.labelsOf(previous);
      if (this.operatorServers().some(({ label }) => labels.includes(label))) continue;
      if (!only(document?.model.mcpServers ?? [], (other) => labels.includes(mcpLabel(other)))) continue;
      const label = mcpLabel(previous) === mcpLabel(server) ? undefined : mcpLabel(server);
      // An earlier save with an unknown outcome may have renamed the server already.
      if (label !== undefined && was.some((other) => other.label === label)) continue;
      const source = only(was, (other) => labels.includes(other.label));
      const result = source && only(is, (other) => other.label === (label ?? source.label));
      if (!source || !result) continue;
      const edited = editedMembers(previous, server);
      for (const member of Object.keys(result.members)) {
        if (!(member in source.members) || edited.includes(member) || this.hides(member)) continue;
        assert.deepEqual(
          result.members[member],
          source.members[member],
          `${member} of ${result.label} is carried over: ${JSON.stringify({ edits, was, is })}`,
        );
      }
      for (const [name, value] of Object.entries(source.members['env'] ?? {})) {
        const entry = server.env.find((other) => (other.originalName ?? other.name) === name);
        const wasShown = previous.env.some((other) => other.name === name);
        const now = (result.members['env'] ?? {}) as Record<string, unknown>;
        if (!wasShown || entry?.intention === 'keep')
          assert.equal(now[entry?.name ?? name], value, `env.${name} of ${result.label}`);
      }
    }
  }

  private check(outcome: SaveOutcome, watch: Watch): void {
    this.holdsNoSecret(outcome.kind === 'saved' ? [outcome.notes, outcome.document.model] : outcome);
    switch (outcome.kind) {
      case 'conflict':
        assert.notEqual(outcome.conflicts.length, 0);
        assert.equal(watch.changed, undefined, 'posted despite a conflict');
        return;
      case 'needsConfirmation':
        assert.equal(watch.changed, undefined, 'posted before the question was answered');
        return;
      case 'invalid':
        assert.notEqual(outcome.errors.length, 0);
        assert.equal(watch.changed, undefined, 'stored invalid edits');
        return;
      case 'failed':
        if (watch.thirdActed) return;
        // Changes of the sandbox key and the operator's servers can't be detected.
        if (outcome.applied === 'no')
          assert.deepEqual(
            (watch.changed ?? []).filter(
              (change) =>
                change !== 'sandbox_api_key' &&
                !this.operatorServers().some(({ label }) => change.includes(label)),
            ),
            [],
            `applied no: ${JSON.stringify({ edits: watch.editor.edits, before: watch.before })}`,
          );
        if (outcome.applied === 'yes') assert.ok(watch.changed, 'applied yes');
        return;
      case 'saved':
        if (!watch.thirdActed) this.everyEditIsHeld(watch, outcome.notes);
    }
  }

  private everyEditIsHeld({ editor, options, posted, seen }: Watch, notes: SaveNote[]): void {
    const { edits, document, typed } = editor;
    const told = (label: string) =>
      notes.some((note) => note.label === label || note.label.startsWith(`${label}: `));
    const ceded = (key: string) => options.resolution?.[key] === 'theirs';
    for (const [field, mine] of Object.entries(edits.values)) {
      const shown = this.service.profile === 'current' ? (seen?.[field] ?? shownDefaults[field]) : undefined;
      const held = sameValue(seen?.[field], mine) || (shown !== undefined && shown === mine);
      assert.ok(held || told(field) || ceded(`field:${field}`), `${field} is held or told`);
    }
    for (const [field, intention] of Object.entries(edits.secrets)) {
      const losesIt = field === 'sandbox_api_key' && this.service.profile === 'observed';
      const wanted = intention === 'clear' ? null : losesIt ? mask : typed.get(field);
      assert.ok((seen?.[field] ?? null) === wanted || ceded(`field:${field}`), `${field} is held`);
    }
    const asked = Object.keys(options.resolution ?? {}).some((key) => key.startsWith('mcp:'));
    if (edits.mcpServers === null || asked) return;
    const stored = trueServers(seen);
    const held = [...stored, ...this.operatorServers()];
    const before = document?.model.mcpServers ?? [];
    for (const server of edits.mcpServers) {
      const previous = before.find(({ id }) => id === server.id);
      if (previous !== undefined && isDeepStrictEqual(previous, server)) continue;
      const label = mcpLabel(server);
      const labels = previous && mcpLabel(previous) === label ? this.labelsOf(previous) : [label];
      // Another client may have changed the kind.
      const matches = held.filter(
        (other) =>
          labels.includes(other.label) && (other.kind === server.kind || previous?.kind === server.kind),
      );
      const fits = matches.some((other) => hasEdits(other, previous, server, typed));
      assert.ok(fits || told(label), `${label} is held or told: ${JSON.stringify({ server, held, notes })}`);
    }
    for (const server of before) {
      if (edits.mcpServers.some(({ id }) => id === server.id)) continue;
      if (this.operatorServers().some(({ label }) => label === mcpLabel(server))) continue;
      // Identical servers count as one.
      const among = (servers: readonly TrueServer[]) =>
        new Set(
          servers
            .filter(({ kind, label }) => label === mcpLabel(server) && kind === server.kind)
            .map(({ members }) => JSON.stringify(members)),
        ).size;
      const own = (servers: readonly McpServer[]) =>
        servers.filter((other) => mcpLabel(other) === mcpLabel(server)).length;
      // One that somebody else added under the same label stays.
      const added = Math.max(0, among(trueServers(posted)) - own(before));
      assert.ok(
        among(stored) <= own(edits.mcpServers) + added || told(mcpLabel(server)),
        `${mcpLabel(server)} is gone or told: ${JSON.stringify({ before, edits, stored, notes })}`,
      );
    }
  }

  /** Checks that a secret goes to another place only from a form that it was read for, or typed in. */
  private sendsNoSecretUnseen({ editor, before }: Watch, after: StoredSettings | null): void {
    const known = secretPlaces(before);
    for (const [secret, places] of secretPlaces(after)) {
      const were = known.get(secret);
      if (were === undefined || editor.seen.has(secret) || [...editor.typed.values()].includes(secret))
        continue;
      for (const place of places) assert.ok(were.has(place), `${secret} goes to ${place} unseen`);
    }
  }

  private holdsNoSecret(value: unknown): void {
    assert.doesNotMatch(JSON.stringify({ value }), /SECRET-/);
  }
}

function only<T>(items: readonly T[], fits: (item: T) => boolean): T | undefined {
  const found = items.filter(fits);
  return found.length === 1 ? found[0] : undefined;
}

/** Members the user changed, by their names in `TrueServer`. */
function editedMembers(previous: McpServer, server: McpServer): string[] {
  return [
    ...(server.apiKey.intention === 'keep' ? [] : ['apiKey']),
    ...(['timeout', 'command', 'args', 'env'] as const).filter(
      (key) => !isDeepStrictEqual(previous[key], server[key]),
    ),
  ];
}

function hasEdits(
  held: TrueServer,
  previous: McpServer | undefined,
  server: McpServer,
  typed: ReadonlyMap<string, string>,
): boolean {
  // "Service default" doesn't request a specific timeout.
  const edited = previous
    ? editedMembers(previous, server)
    : [...(server.timeout === null ? [] : ['timeout']), 'command', 'args'];
  return edited.every((member) => {
    if (!(member in held.members)) return true;
    if (member === 'apiKey') {
      const value = server.apiKey.intention === 'clear' ? null : typed.get(mcpLabel(previous ?? server));
      return value === undefined || held.members['apiKey'] === value;
    }
    if (member === 'env') {
      const now = held.members['env'] as Record<string, unknown>;
      return server.env
        .filter((entry) => !previous?.env.some((before) => isDeepStrictEqual(before, entry)))
        .every(({ name, intention }) => name in now && (intention !== 'clear' || now[name] === ''));
    }
    const wanted = server[member as 'timeout' | 'command' | 'args'];
    return isDeepStrictEqual(held.members[member], wanted === 60 ? null : wanted);
  });
}
