import { randomUUID } from 'node:crypto';
import type { ApiError } from '../../../api/http/errors';
import type { ServiceSettings } from '../../../api/service/schemas/settings';
import type { SavedChange, FormEdits, FormModel, SecretTarget } from '../shared/form';
import type { Json } from '../../../shared/json';
import type { McpKind, McpServer } from '../../../shared/mcp';
import type { Problem } from '../shared/messages';
import type { SecretField } from '../../../shared/settings';
import { settingsPost, type Meant } from './saveRequest';
import { requestError, type SettingsClient } from './record';
import { applied, compare, type OutcomeOf, type SaveOptions } from './saveOutcome';
import { newDestinations, placeOfTarget, strayDestinations, type Destination } from './destinations';
import { keyAtRisk, openDoubt, type Doubt } from './doubts';
import { restoreEdits, type EditsBase, type RestoredEdits } from './draft';
import { hiddenSecrets, notKept, unchangedServers } from './hiddenSecrets';
import { refusalProblems, findProblems } from './problems';
import { Judge, type Seen } from './conflicts';
import { merge, type Merged, type Snapshot } from './merge';
import { toModel, readSnapshot, type Before, lastingIds, withIds } from './snapshot';
import { assertHeld, inTurn } from '../../../core/settings/queue';
import { reviewEdits } from './review';
import type { Hold, Safeguards } from '../../../core/settings/safeguards';
import {
  myServer,
  TypedSecrets,
  wantedServer,
  type MyServer,
  knownSecrets,
  serverWire,
  type ServerSecrets,
} from './secrets';
import { listsOf, nameOf, readServer, toMcpServer, unknownMembers, type HeldServer } from './servers';
import { undoEdits, type Undo } from './undo';

/** How a save ended. */
export type SaveOutcome = OutcomeOf<SettingsDocument>;

/** What a document inherits from the one before it. */
interface Past {
  /** The save that led to it, for undo. */
  saved?: Merged | undefined;
  /** What the user already agreed to in this form. */
  agreed: readonly Doubt[];
}

/**
 * The settings of one service as an open form holds them: what was read when it opened, and the secrets typed since.
 * Everything else that the user changed comes as `FormEdits`.
 *
 * Saving reads afresh, merges into that only what the user changed, posts every field, reads back and compares
 * (docs/protocol/service.md, “Saving settings”), since the service resets whatever a post lacks. Saves of one service
 * wait for one another.
 */
export class SettingsDocument {
  readonly #client: SettingsClient;
  readonly #safeguards: Safeguards;
  readonly #base: Snapshot;
  readonly #typed = new TypedSecrets();
  readonly #saved: Merged | undefined;
  /** Secrets that were posted, whatever the outcome. */
  readonly #sent = new Set<SecretField>();
  /** Servers that aren't on the service, as sources of secrets for new ones. */
  readonly #adopted: HeldServer[] = [];
  #agreed: readonly Doubt[];
  /** The values of each conflict when it was last shown. */
  #shown: ReadonlyMap<string, Seen> = new Map();

  /** What the form shows; contains no secrets. */
  readonly model: FormModel;

  private constructor(client: SettingsClient, safeguards: Safeguards, base: Snapshot, past: Past) {
    this.#client = client;
    this.#safeguards = safeguards;
    this.#base = base;
    this.#saved = past.saved;
    this.#agreed = past.agreed;
    this.model = toModel(base);
  }

  /** Reads the settings. Throws ApiError; a user who never saved gets the defaults. */
  static async load(
    client: SettingsClient,
    safeguards: Safeguards,
    signal?: AbortSignal,
  ): Promise<SettingsDocument> {
    const base = await readSnapshot(client, safeguards, { previous: [] }, signal);
    return new SettingsDocument(client, safeguards, base, { agreed: [] });
  }

  /**
   * Holds a value that the user typed until it is saved. The edits say that it is to be used.
   * @param edits as they were when the user was asked: the value is meant for where it goes in these
   */
  setSecret(target: SecretTarget, value: string, edits?: FormEdits): void {
    this.#typed.set(target, value, edits && placeOfTarget(target, edits, this.model));
  }

  /** The secrets that a save of `edits`, or a test of their servers, would send to a new place. Ask the user before. */
  newDestinations(edits: FormEdits): Destination[] {
    return newDestinations(edits, { model: this.model, typed: this.#typed, source: this.#source });
  }

  /** Drops a value that the user typed, or without a target all of them. */
  clearSecretValue(target?: SecretTarget): void {
    this.#typed.delete(target);
  }

  /**
   * The secrets of a server of the form as a save would send them, for what needs them elsewhere in the host: parking
   * the server, testing it. Never to be shown or logged.
   */
  secretsOf(server: McpServer): ServerSecrets {
    return knownSecrets(server, this.#source(server), this.#typed);
  }

  /**
   * The server of the form as a save would write it, secrets and unknown members included, for parking it. Never to be
   * shown or logged. Undefined when a secret that it should have is not known here.
   */
  wireOf(server: McpServer): Json | undefined {
    return serverWire(server, this.#source(server), this.#typed);
  }

  /** The name that the service holds the secrets of a server under. */
  heldNameOf(server: McpServer): string | undefined {
    const source = this.#source(server);
    const name = source && nameOf(source);
    return typeof name === 'string' ? name : undefined;
  }

  /** Wire names of what the service holds of a server beyond its fields in the form. */
  unknownMembersOf(server: McpServer): string[] {
    return unknownMembers(this.#source(server));
  }

  /**
   * Takes in the object of a server that is kept elsewhere, secrets included. Returns a server for the edits: a new one
   * that gets its secrets from there. Undefined if the object isn't a server.
   */
  adopt(kind: McpKind, wire: Json): McpServer | undefined {
    const held = readServer(kind, wire);
    if (held === undefined) return undefined;
    const id = randomUUID();
    this.#adopted.push({ ...held, id });
    return { ...toMcpServer(held), id: `new-${id}`, copiedFrom: id };
  }

  /** What is wrong with the edits; if empty, they can be saved. */
  problems(edits: FormEdits): Problem[] {
    return findProblems(edits, { base: this.#base, typed: this.#typed, source: this.#source });
  }

  /** What a save would change, in words. */
  review(edits: FormEdits): SavedChange[] {
    return reviewEdits(edits, this.#base);
  }

  /**
   * True if a save of these edits would make the service forget a sandbox API key: the service resets it with every
   * post that lacks it, and doesn't say whether it has one. Ask the user before the save.
   */
  sandboxKeyAtRisk(edits: FormEdits): boolean {
    return keyAtRisk(edits, this.#base, this.#agreed);
  }

  /** A copy without typed secrets: undoing there doesn't overwrite the ones that were typed here. */
  untyped(): SettingsDocument {
    const past = { saved: this.#saved, agreed: this.#agreed };
    return new SettingsDocument(this.#client, this.#safeguards, this.#base, past);
  }

  /** How to undo the save that ended with this document; undefined if there was none. */
  undo(): Undo | undefined {
    return this.#saved && undoEdits(this.#saved, this.#base, this.#typed);
  }

  /** True after a save of MCP servers whose secrets the service hides from now on, and this computer doesn't keep. */
  offersToKeep(): boolean {
    const { hidesSecrets, isKept, abilities } = this.#base;
    return this.#saved?.serversChange === true && hidesSecrets && !isKept && !abilities.keepsHidden;
  }

  /** Keeps the MCP servers on this computer, secrets included. The user has agreed. False if that failed. */
  keepServers(): Promise<boolean> {
    return this.#keep(this.#base.servers);
  }

  #keep(servers: readonly HeldServer[]): Promise<boolean> {
    return this.#safeguards.kept.write(this.#client.baseUrl, listsOf(servers));
  }

  /** Carries edits made on an earlier reading, such as a draft's, over to this one. */
  restore(edits: FormEdits, base: EditsBase): RestoredEdits {
    return restoreEdits(edits, base, this.model);
  }

  /** Saves the edits. Throws only errors that aren't failed requests. */
  async save(edits: FormEdits, options: SaveOptions = {}): Promise<SaveOutcome> {
    const errors = this.problems(edits);
    if (errors.length > 0) return { kind: 'invalid', errors };
    try {
      const save = (hold: Hold) => this.#save(edits, options, hold);
      return await inTurn(this.#client.origin, this.#safeguards.lock, save);
    } catch (error) {
      return { kind: 'failed', error: requestError(error), applied: 'no' };
    }
  }

  /** Throws ApiError for what fails before the post. */
  async #save(edits: FormEdits, options: SaveOptions, hold: Hold): Promise<SaveOutcome> {
    const mine = edits.mcpServers?.map((server) => this.#wanted(server)) ?? null;
    const fresh = await this.#read({ previous: this.#base.servers, mine });
    const judge = new Judge(options.resolution ?? {}, this.#shown);
    const sides = { base: this.#base, mine, fresh, typed: this.#typed, sent: this.#sent };
    const merged = merge(edits, sides, judge);
    this.#shown = judge.seen;
    if (judge.conflicts.length > 0) return { kind: 'conflict', conflicts: judge.conflicts, document: this };

    const hidden = hiddenSecrets(merged);
    if (hidden.length > 0) return { kind: 'invalid', errors: hidden };
    this.#agreed = [...this.#agreed, ...(options.confirmed ?? [])];
    const strays = strayDestinations(edits, merged, this.model);
    const doubt = openDoubt(edits, this.#base, merged, strays, this.#agreed);
    if (doubt) return { kind: 'needsConfirmation', ...doubt };
    if (!merged.changes) return { kind: 'saved', document: this.#next(fresh), notes: [] };

    assertHeld(hold);
    if (fresh.isKept !== false && merged.serversChange) {
      // If the outcome stays unknown, nobody knows which secrets the changed servers have.
      const isUpdated = fresh.isKept && (await this.#keep(unchangedServers(merged)));
      if (!isUpdated) return { kind: 'invalid', errors: [notKept()] };
      assertHeld(hold);
    }
    return this.#post({ merged, post: settingsPost(merged) }, edits);
  }

  async #post(meant: Meant, edits: FormEdits): Promise<SaveOutcome> {
    const { merged, post } = meant;
    let failure: ApiError | undefined;
    try {
      for (const field of Object.keys(merged.secrets)) this.#sent.add(field as SecretField);
      const before = merged.fresh.record as ServiceSettings;
      await this.#client.postSettings(post.body, post.changed, undefined, before);
      this.#safeguards.seen.add(this.#client.baseUrl);
    } catch (error) {
      failure = requestError(error);
      if (!failure.outcomeUnknown && merged.fresh.isKept) await this.#keep(merged.fresh.servers);
      if (failure.reason === 'invalid') {
        const servers = edits.mcpServers ?? this.model.mcpServers;
        return { kind: 'invalid', errors: refusalProblems(failure, post, servers) };
      }
      if (!failure.outcomeUnknown) return { kind: 'failed', error: failure, applied: 'no' };
    }
    let after: Snapshot;
    try {
      after = await this.#read({ previous: merged.servers, isSent: true });
    } catch (error) {
      return { kind: 'failed', error: failure ?? requestError(error), applied: 'unknown' };
    }
    if (failure !== undefined) return { kind: 'failed', error: failure, applied: applied(meant, after) };
    const document = this.#next(after, merged);
    if (merged.serversChange && after.isKept) await document.keepServers();
    return { kind: 'saved', document, notes: compare(meant, after) };
  }

  #read(before: Before): Promise<Snapshot> {
    const { described } = this.#base;
    return readSnapshot(this.#client, this.#safeguards, { ...before, described });
  }

  /** @param saved the save that led to `held`, where one was made */
  #next(held: Snapshot, saved?: Merged): SettingsDocument {
    const ids = lastingIds(held.servers);
    const base = { ...held, servers: withIds(held.servers, ids) };
    const make = (past: Past) => new SettingsDocument(this.#client, this.#safeguards, base, past);
    if (saved === undefined) return make({ agreed: this.#agreed });
    const key = saved.secrets.sandbox_api_key;
    const others = this.#agreed.filter(({ about }) => about !== 'sandboxApiKey');
    return make({
      saved: { ...saved, servers: withIds(saved.servers, ids) },
      // A key that was just stored is at risk again; after a post without one there is none.
      agreed: key === undefined || key === '' ? [...others, { about: 'sandboxApiKey' }] : others,
    });
  }

  #wanted(server: McpServer): MyServer {
    const source = this.#source(server);
    return myServer(server, wantedServer(server, source, this.#typed), source);
  }

  /**
   * Where a server of the form gets its secrets from: itself or the one it copies, as the service holds it or held it
   * before the last save, or as it was taken in.
   */
  readonly #source = ({ id, copiedFrom }: McpServer): HeldServer | undefined => {
    const servers = [...this.#base.servers, ...(this.#saved?.fresh.servers ?? []), ...this.#adopted];
    return servers.find((held) => held.id === id) ?? servers.find((held) => held.id === copiedFrom);
  };
}
