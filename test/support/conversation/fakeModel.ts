import type { Entry, Head } from '../../../src/shared/transcript';
import { Emitter } from '../../../src/core/basics/emitter';
import { Refusal } from '../../../src/core/basics/refusal';
import { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import type {
  ConversationModel,
  EditedFile,
  Outcome,
  TakenBack,
} from '../../../src/features/live/model/model';
import { head } from './entries';

const done: Outcome = { kind: 'done' };

/** A conversation without a service: the test sets what it contains and how changes turn out. */
export class FakeModel implements ConversationModel {
  readonly id = 'c-1';
  changes = new ConversationChanges({
    reachPlace: () => Promise.reject(new Refusal('The sandbox is gone.')),
    loadAll: () => this.loadAll(),
    events: () => [],
    began: () => ({ repository: null, branch: null, at: null }),
    mask: (text) => text,
  });
  head: Head = head();
  entries: readonly Entry[] = [];
  /** Pages of older entries, the newest page last. */
  older: (readonly Entry[])[] = [];
  /** The calls in order, such as `approve a b`. */
  readonly calls: string[] = [];
  outcome: Outcome | Promise<Outcome> = done;
  holders = 0;
  readings = 1;
  private readonly life = new AbortController();
  readonly signal = this.life.signal;
  files = new Map<string, EditedFile>();
  whole = new Map<string, string>();
  shown = new Map<string, readonly unknown[]>();
  takenBack: TakenBack | undefined;
  failing: Error | undefined;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  set(change: { head?: Partial<Head>; entries?: readonly Entry[] }): void {
    if (change.head) this.head = { ...this.head, ...change.head };
    const { readAt, problem } = this.head;
    if (readAt === null && problem === '') this.readings = 0;
    else if (change.head && ('readAt' in change.head || 'problem' in change.head)) this.readings += 1;
    if (change.entries) this.entries = change.entries;
    this.changed.fire();
  }

  get isCurrent() {
    return this.holders > 0;
  }

  keepCurrent() {
    this.holders += 1;
    return { dispose: () => void (this.holders -= 1) };
  }

  loadOlder(): Promise<void> {
    this.calls.push('loadOlder');
    if (this.failing) return Promise.reject(this.failing);
    const page = this.older.pop() ?? [];
    this.set({ entries: [...page, ...this.entries], head: { hasOlder: this.older.length > 0 } });
    return Promise.resolve();
  }

  async loadAll(): Promise<void> {
    while (this.head.hasOlder) await this.loadOlder();
  }

  send(text: string, images: readonly string[] = []): Promise<Outcome> {
    return this.change(`send ${text}${images.length > 0 ? ` +${images.length}` : ''}`);
  }

  takeBack(outgoingId: string): TakenBack | undefined {
    this.calls.push(`takeBack ${outgoingId}`);
    return this.takenBack;
  }

  approve(ids: readonly string[]): Promise<Outcome> {
    return this.change(`approve ${ids.join(' ')}`);
  }

  reject(ids: readonly string[], reason: string): Promise<Outcome> {
    return this.change(`reject ${ids.join(' ')}: ${reason}`);
  }

  pause(): Promise<Outcome> {
    return this.change('pause');
  }

  interrupt(): Promise<Outcome> {
    return this.change('interrupt');
  }

  resume(): Promise<Outcome> {
    return this.change('resume');
  }

  switchModel(profile: string): Promise<Outcome> {
    return this.change(`switchModel ${profile}`);
  }
  summarize(): Promise<Outcome> {
    return this.change('summarize');
  }
  goal: ConversationModel['goal'];
  setGoal(objective: string, rounds: number): Promise<Outcome> {
    return this.change(`setGoal ${objective} ${rounds}`);
  }
  stopGoal(): Promise<Outcome> {
    return this.change('stopGoal');
  }
  resumeGoal(): Promise<Outcome> {
    return this.change('resumeGoal');
  }
  giveSecret(name: string): Promise<Outcome> {
    return this.change(`giveSecret ${name}`);
  }
  goBack(entryId: string): Promise<Outcome> {
    return this.change(`goBack ${entryId}`);
  }
  async branch(entryId: string): Promise<string> {
    await this.change(`branch ${entryId}`);
    return 'branched';
  }
  setPolicy(policy: string): Promise<Outcome> {
    return this.change(`setPolicy ${policy}`);
  }

  ask(question: string): Promise<string> {
    this.calls.push(`ask ${question}`);
    return this.failing ? Promise.reject(this.failing) : Promise.resolve('An answer.');
  }

  fullText(entryId: string, _signal?: AbortSignal): Promise<string | undefined> {
    return Promise.resolve(this.whole.get(entryId));
  }

  pictures(entryId: string): Promise<readonly unknown[]> {
    return Promise.resolve(this.shown.get(entryId) ?? []);
  }

  editedFile(entryId: string): EditedFile | undefined {
    return this.files.get(entryId);
  }

  plannedEdit(actionId: string): EditedFile | undefined {
    return this.files.get(actionId);
  }

  dispose(): void {
    this.calls.push('dispose');
    this.life.abort();
  }

  private change(call: string): Promise<Outcome> {
    this.calls.push(call);
    return this.failing ? Promise.reject(this.failing) : Promise.resolve(this.outcome);
  }
}

/** A conversation that is read as soon as somebody wants it. */
export class ReadModel extends FakeModel {
  override keepCurrent() {
    const held = super.keepCurrent();
    this.readings += 1;
    this.set({});
    return held;
  }
}
