import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { FlatClient } from '../support/builders/client';
import { ApiError } from '../../src/api/http/errors';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { SettingsDocument } from '../../src/features/settings/model/document';
import type { SaveOptions } from '../../src/features/settings/model/saveOutcome';
import type { Conflict } from '../../src/features/settings/shared/form';
import { wholeServer, type McpServer } from '../../src/shared/mcp';
import type { MoreValue } from '../../src/shared/moreFields';
import type { PlainField } from '../../src/shared/settings';
import { safeguards } from '../unit/core/settings/safeguards';
import { edits, newEntry, newServer } from '../unit/settings/support';
import {
  change,
  keep,
  keeping,
  make,
  patch,
  readState,
  restore,
  settings,
  subjectOf,
  type Change,
  type Keeping,
  type Members,
  type Setting,
  type State,
} from './support/agentState';
import { realClient, realSuite } from './support/suite';

/** The same edits on every run; set the environment variables for others, or for more of them. */
const seed = Number(process.env['EDITS_SEED'] ?? 20_260_101);
const saves = Number(process.env['EDITS_SAVES'] ?? 25);

const choice = fc.constantFrom('mine' as const, 'theirs' as const);
const round = fc.record({
  who: fc.nat(1),
  mine: fc.array(change, { minLength: 1, maxLength: 4, size: 'max' }),
  theirs: fc.array(change, { maxLength: 5, size: 'max' }),
  /** What another client changes while the form saves. */
  meanwhile: fc.option(change),
  kept: fc.option(keeping),
  keptElsewhere: fc.option(keeping),
  /** Whether the user also enters what the server refuses. */
  isWrong: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  choices: fc.array(choice, { minLength: 9, maxLength: 9 }),
});

const replace = { presence: 'set', intention: 'replace' } as const;
const pathOf = (of: Setting) => `agent_settings.${settings[of].in}.${settings[of].name}`;
const isPlain = (of: Setting): of is Setting & PlainField =>
  of === 'llm_model' || settings[of].in === 'conversation';

/** What becomes of a server: whose side stays or whether the user is asked, and the user’s side, undefined for deleted. */
interface Fate {
  wins: 'mine' | 'theirs' | 'asks';
  mine: Members | undefined;
}

/** A window with its form, what the user changed there, and which secrets they typed. */
class Form {
  edits = edits();
  readonly typed = new Map<string, string>();
  /** The model of each profile as this window last saw it. */
  readonly models = new Map<string, unknown>();

  private constructor(
    readonly client: FlatClient,
    public document: SettingsDocument,
    /** What the service had when the form read it. */
    private read: State,
  ) {}

  static async open(): Promise<Form> {
    const client = realClient();
    await checkConnection(client);
    return new Form(client, await SettingsDocument.load(client, safeguards()), await readState());
  }

  async reload(read: State, document?: SettingsDocument): Promise<void> {
    this.document = document ?? (await SettingsDocument.load(this.client, safeguards()));
    this.read = read;
  }

  shown(of: Setting): unknown {
    const { values, more } = this.document.model;
    if (isPlain(of)) return values[of];
    const field = more.fields.find(({ path }) => path === pathOf(of));
    assert.ok(field, `the form has ${of}`);
    return field.value;
  }

  wanted(of: Setting): unknown {
    return isPlain(of) ? this.edits.values[of] : this.edits.more?.[pathOf(of)];
  }

  /** The user’s list of servers. */
  get list(): readonly McpServer[] {
    return this.edits.mcpServers ?? this.document.model.mcpServers;
  }

  act(one: Change, text: string): void {
    const each = (name: string, to: (server: McpServer) => Partial<McpServer>) => {
      this.put(this.list.map((server) => (nameOf(server) === name ? { ...server, ...to(server) } : server)));
    };
    const type = (target: Parameters<SettingsDocument['setSecret']>[0], name: string) => {
      this.document.setSecret(target, text);
      this.typed.set(name, text);
    };
    switch (one.what) {
      case 'setting': {
        const { of, to } = one;
        const value = settings[of].values[to] as MoreValue;
        this.edits = isPlain(of)
          ? { ...this.edits, values: { ...this.edits.values, [of]: value } }
          : { ...this.edits, more: { ...this.edits.more, [pathOf(of)]: value } };
        return;
      }
      case 'key':
      case 'noKey':
        if (one.what === 'key') type({ at: 'field', field: 'llm_api_key' }, 'key');
        this.edits = { ...this.edits, secrets: { llm_api_key: one.what === 'key' ? 'replace' : 'clear' } };
        return;
      case 'token':
        each('web', ({ id }) => {
          type({ at: 'mcpApiKey', id }, 'web');
          return { apiKey: replace };
        });
        return;
      case 'args':
        each(one.of, () => ({ args: [`arg${one.to}`] }));
        return;
      case 'switch':
        each(one.of, () => ({ enabled: one.to === 1 }));
        return;
      case 'variable':
        each(one.of, ({ id, env }) => {
          type({ at: 'mcpEnv', id, name: 'T' }, one.of);
          return { env: env.map((entry) => ({ ...entry, ...replace })) };
        });
        return;
      case 'remove':
        this.put(this.list.filter(({ name }) => name !== one.of));
        return;
      case 'add': {
        if (this.list.some(({ name }) => name === one.of)) return;
        const id = `new-${text}`;
        type({ at: 'mcpEnv', id, name: 'T' }, one.of);
        const added = newServer({ id, kind: 'stdio', name: one.of, command: 'added', env: [newEntry('T')] });
        this.put([...this.list, added]);
      }
    }
  }

  enterWrongValue(): void {
    this.edits = { ...this.edits, more: { ...this.edits.more, [pathOf('num_retries')]: -1 } };
  }

  private put(mcpServers: readonly McpServer[]): void {
    this.edits = { ...this.edits, mcpServers: [...mcpServers] };
  }

  /** What is there once the edits are saved to what `before` has, but for what `ceded` names. */
  expected(before: State, ceded: ReadonlySet<string>): State {
    const state = structuredClone(before);
    for (const of of Object.keys(settings) as Setting[]) {
      const wanted = this.wanted(of);
      const isChanged = wanted !== undefined && wanted !== this.shown(of) && !ceded.has(of);
      if (isChanged) state[settings[of].in][settings[of].name] = wanted;
    }
    const { llm_api_key: key } = this.edits.secrets;
    if (key && !ceded.has('key')) state.llm['api_key'] = key === 'clear' ? null : this.typed.get('key');
    for (const [name, { wins, mine }] of this.servers(before)) {
      const isMine = wins === 'asks' ? !ceded.has(wholeOf(name)) : wins === 'mine';
      if (!isMine) continue;
      if (mine) state.servers[name] = mine;
      else Reflect.deleteProperty(state.servers, name);
    }
    return state;
  }

  /** What both the user and another client changed, to different values. */
  contested(before: State): string[] {
    const fields = (Object.keys(settings) as Setting[]).filter((of) => {
      const values = [this.shown(of), this.wanted(of), before[settings[of].in][settings[of].name]];
      return values[1] !== undefined && new Set(values).size === values.length;
    });
    const servers = [...this.servers(before)].filter(([, { wins }]) => wins === 'asks');
    return [...fields, ...servers.map(([name]) => wholeOf(name))];
  }

  /** What becomes of each server of the form, by name. */
  private servers(before: State): Map<string, Fate> {
    if (this.edits.mcpServers === null) return new Map();
    const names = new Set([...this.document.model.mcpServers, ...this.list].map(nameOf));
    return new Map([...names].map((name) => [name, this.fateOf(name, before.servers[name])]));
  }

  private fateOf(name: string, theirs: Members | undefined): Fate {
    const read = this.read.servers[name];
    const server = this.list.find((one) => nameOf(one) === name);
    // This service shows no secret: a new one doesn’t show, and the user keeps whatever the service has by now.
    const isUntouched = isDeepStrictEqual(read && withSecret(read), theirs && withSecret(theirs));
    if (!server) return { wins: isUntouched ? 'mine' : theirs ? 'asks' : 'theirs', mine: undefined };
    const { args, enabled = true } = server;
    if (this.document.model.mcpServers.every(({ id }) => id !== server.id)) {
      const mine = { command: server.command, args, env: { T: this.typed.get(name) }, enabled };
      return { wins: isUntouched || !theirs ? 'mine' : 'asks', mine };
    }
    assert.ok(read, `${name} was read`);
    const edited = { ...read, ...(server.kind === 'stdio' && { args, enabled }) };
    const was = theirs ? withSecret(read, theirs) : read;
    const kept = theirs ? withSecret(edited, theirs) : edited;
    const typed = this.typed.get(name);
    const mine = typed === undefined ? kept : withSecret(kept, typedSecret(server, typed));
    return { wins: sideOf(was, mine, theirs), mine };
  }

  /** A conflict’s subject, in the words of `contested`. */
  subject({ target }: Conflict): string {
    switch (target.at) {
      case 'field':
        return target.field === 'llm_api_key' ? 'key' : target.field;
      case 'more':
        return (Object.keys(settings) as Setting[]).find((of) => pathOf(of) === target.path) ?? target.path;
      case 'mcp': {
        const servers = [...this.document.model.mcpServers, ...this.list];
        const server = servers.find(({ id }) => id === target.id);
        assert.ok(server, 'a question is about a server of the form');
        assert.equal(target.member, wholeServer, 'a question is about a server as a whole');
        return wholeOf(nameOf(server));
      }
      case 'form':
        return target.at;
    }
  }

  /** Changes a secret or a profile with the client’s own calls, and `state` as that should. */
  async keep(state: State, { what, of, to }: Keeping, text: string): Promise<void> {
    const { secrets, profiles } = state;
    const { client, models } = this;
    const missing = (error: unknown) => error instanceof ApiError && error.status === 404;
    const held = profiles[of];
    switch (what) {
      case 'secret': {
        await client.saveSecret({ name: of, value: text, description: undefined });
        secrets[of] = { value: text, description: secrets[of]?.description ?? null };
        return;
      }
      case 'noSecret':
        if (secrets[of]) await client.deleteSecret(of);
        else await assert.rejects(client.deleteSecret(of), missing);
        Reflect.deleteProperty(secrets, of);
        return;
      case 'profile':
        await client.saveProfile(of);
        models.set(of, state.llm['model']);
        profiles[of] = structuredClone(state.llm);
        return;
      case 'noProfile':
        await client.deleteProfile(of);
        Reflect.deleteProperty(profiles, of);
        return;
      case 'model': {
        const member = { member: 'model', was: String(models.get(of)), to: `openai/${to}` } as const;
        const outcome = client.agents?.changeModelProfile(of, member);
        if (!held) return assert.rejects(outcome ?? Promise.resolve(), missing);
        const isSeen = models.get(of) === held['model'];
        assert.equal(await outcome, isSeen ? 'kept' : 'elsewhere');
        if (isSeen) held['model'] = member.to;
        models.set(of, held['model']);
        return;
      }
      case 'profileKey': {
        const outcome = client.agents?.changeModelProfile(of, { member: 'api_key', to: text });
        if (!held) return assert.rejects(outcome ?? Promise.resolve(), missing);
        assert.equal(await outcome, 'kept');
        held['api_key'] = text;
        return;
      }
      case 'rename': {
        const name = `S${to}`;
        const renamed = client.renameProfile(of, name);
        if (!held || (profiles[name] && name !== of)) return assert.rejects(renamed, ApiError);
        await renamed;
        Reflect.deleteProperty(profiles, of);
        profiles[name] = held;
      }
    }
  }

  /** Saves, and answers every question; `ask` hears of the conflicts, and returns the answers by their keys. */
  async save(ask: (conflicts: readonly Conflict[]) => Promise<SaveOptions['resolution']>) {
    let options: SaveOptions = {};
    for (let answers = 0; answers < 8; answers += 1) {
      const outcome = await this.document.save(this.edits, options);
      if (outcome.kind === 'conflict')
        options = { ...options, resolution: { ...options.resolution, ...(await ask(outcome.conflicts)) } };
      else if (outcome.kind === 'needsConfirmation')
        options = { ...options, confirmed: [...(options.confirmed ?? []), outcome] };
      else return outcome;
    }
    throw new Error('The form never stops asking.');
  }
}

const nameOf = ({ name, url }: McpServer) => (url === '' ? name : 'web');

/** Whether a note may be about what another client changed during the save. */
const tells = (label: string, elsewhere: Change) =>
  label.startsWith({ model: 'llm_', web: 'https://web.' }[subjectOf(elsewhere)] ?? subjectOf(elsewhere));

/** What a question about the server of this name is called. */
const wholeOf = (name: string) => `${name} as a whole`;

/** A server with the secret of another one, or with none. */
function withSecret(server: Members, other: Members = {}): Members {
  const members = ['env', 'auth', 'headers'];
  const others = Object.entries(server).filter(([name]) => !members.includes(name));
  const secret = Object.entries(other).filter(([name]) => members.includes(name));
  return Object.fromEntries([...others, ...secret]);
}

const typedSecret = ({ kind }: McpServer, value: string): Members =>
  kind === 'stdio' ? { env: { T: value } } : { headers: { Authorization: `Bearer ${value}` } };

/** Which side of a server stays that the user had read as `was`. */
function sideOf(was: Members, mine: Members, theirs: Members | undefined): Fate['wins'] {
  const changed = (one: Members) =>
    [...new Set(Object.keys({ ...was, ...one }))].filter(
      (member) => !isDeepStrictEqual(was[member], one[member]),
    );
  const has = (one: Members, members: string[], other: Members) =>
    members.every((member) => isDeepStrictEqual(one[member], other[member]));
  if (!theirs) return changed(mine).length > 0 ? 'asks' : 'theirs';
  if (has(theirs, changed(mine), mine)) return 'theirs';
  return has(mine, changed(theirs), theirs) ? 'mine' : 'asks';
}

realSuite('edits by two forms and another client', ['agentServer'], () => {
  let first: State;
  before(async () => {
    first = await readState();
  });
  after(() => restore(first));

  it(`lose nothing of one another (seed ${seed}, ${saves} saves)`, async function () {
    this.timeout(60_000 + saves * 10_000);
    const start = Date.now();
    const env = { T: 'first' };
    await patch({
      agent_settings_diff: {
        llm: { model: 'openai/a', api_key: 'stored-key', temperature: 0 },
        mcp_config: {
          web: { url: 'https://web.example.com/mcp', auth: { strategy: 'bearer', value: 'web-token' } },
          one: { command: 'one', args: [], env, enabled: true },
          two: { command: 'two', args: [], env, enabled: false },
        },
      },
    });
    const counts = { saved: 0, refused: 0, asked: 0, questions: 0, meanwhile: 0, kept: 0 };
    const forms = [await Form.open(), await Form.open()];
    let state = await readState();
    const rounds = fc.sample(round, { seed, numRuns: saves });
    for (const [index, { who, mine, theirs, meanwhile, choices, ...more }] of rounds.entries()) {
      const { kept, keptElsewhere, isWrong } = more;
      const form = forms[who]!;
      const other = structuredClone(state);
      for (const one of theirs) await make(other, one, `theirs-${index}`);
      if (keptElsewhere) await keep(other, keptElsewhere, `theirs-${index}`);
      const before = await readState();
      const expected = structuredClone(before);
      if (kept) {
        await form.keep(expected, kept, `kept-${index}`);
        assert.deepEqual(await readState(), expected, `${index}: ${JSON.stringify(kept)}`);
        counts.kept += 1;
      }

      form.edits = edits();
      form.typed.clear();
      mine.forEach((one, at) => form.act(one, `mine-${index}-${at}`));
      if (isWrong) form.enterWrongValue();
      const contested = form.contested(before);
      const subjects = mine.map(subjectOf);
      const isApart = meanwhile && !subjects.includes(subjectOf(meanwhile));
      const ceded = new Set<string>();
      const asked = new Set<string>();
      const saving = form.save(async (conflicts) => {
        if (!isApart) assert.deepEqual(await readState(), expected, 'nothing is stored before the answer');
        return Object.fromEntries(
          conflicts.map((conflict) => {
            const subject = form.subject(conflict);
            const answer = choices[asked.size % choices.length] ?? 'mine';
            asked.add(subject);
            // Two questions may be about one server; what counts is the last answer.
            if (answer === 'theirs') ceded.add(subject);
            else ceded.delete(subject);
            return [conflict.key, answer];
          }),
        );
      });
      const [outcome] = await Promise.all([saving, isApart && make(expected, meanwhile, `during-${index}`)]);
      if (isApart) counts.meanwhile += 1;
      const after = await readState();
      const about = `${index}: ${JSON.stringify({ edits: form.edits, asked: [...asked], ceded: [...ceded] })}`;
      if (outcome.kind === 'saved') {
        assert.ok(!isWrong || ceded.has('num_retries'), about);
        const notes = outcome.notes.filter(({ label }) => !isApart || !tells(label, meanwhile));
        assert.deepEqual(notes, [], about);
        for (const one of contested) assert.ok(asked.has(one), `${one} is asked about, ${about}`);
        const isServer = (one: string) => one === wholeOf(one.split(' ')[0] ?? '');
        for (const one of asked)
          assert.ok(!isServer(one) || contested.includes(one), `${one} isn’t asked about, ${about}`);
        counts.saved += 1;
      } else {
        const isRefused = outcome.kind === 'invalid' || outcome.applied === 'no';
        assert.ok(isRefused, `${about} ${JSON.stringify(outcome)}`);
        counts.refused += 1;
      }
      const isSaved = outcome.kind === 'saved';
      assert.deepEqual(after, isSaved ? form.expected(expected, ceded) : expected, about);
      state = after;
      counts.questions += asked.size;
      if (asked.size > 0) counts.asked += 1;
      // A form that read while another client changed something may or may not show that.
      await form.reload(after, isSaved && !isApart ? outcome.document : undefined);
    }
    const seconds = Math.round((Date.now() - start) / 1000);
    console.log(`      ${JSON.stringify({ ...counts, seconds })}`);
    assert.ok(
      Object.values(counts).every((count) => count > 0),
      'the rounds cover all of it',
    );
  });
});
