import * as l10n from '@vscode/l10n';
import { errorWords } from '../../../editor/errorText';
import { type ComparisonAct, parseFromComparison, type ToComparison } from '../../../shared/comparison';
import { plainText } from '../../../shared/plainText';
import { same } from '../../../shared/same';
import type { Disposable } from '../../../core/basics/emitter';
import { Refusal } from '../../../core/basics/refusal';
import { readChanges } from '../../changes';
import { comparedAttempt, type KnownChanges } from '../model/attempt';
import { changedIn } from '../model/changed';
import { attemptNames } from '../model/names';
import type { ConversationModel } from '../../live';

/** What the host of a comparison needs from the editor. */
export interface ComparisonPorts {
  service: string;
  ids: readonly string[];
  /** The conversation with this id; undefined while its service can’t be reached. */
  model: (id: string) => ConversationModel | undefined;
  /** What a conversation was started to differ in; empty if unknown. */
  labelOf: (id: string) => string;
  /** How many attempts at the same message have no conversation, because they couldn’t start. */
  notStarted: () => number;
  /** Why none of the conversations can be read now, and what to do. */
  unreached: () => string;
  /** Takes the titles of the conversations as far as they are known, each once. */
  entitle: (titles: readonly string[]) => void;
  post: (message: ToComparison) => void;
  act: (act: ComparisonAct, id: string) => Promise<void>;
  log: { warn: (message: string) => void };
  /** Calls back after this many milliseconds. */
  after: (ms: number, act: () => void) => Disposable;
}

/** How often changes in a sandbox are read again at most while its agent works, in milliseconds. */
const changesEveryMs = 15_000;

/** One column. */
interface Column {
  id: string;
  model: ConversationModel | undefined;
  known: KnownChanges;
  /** What was on screen of the transcript when the changes were read last. */
  readAt: string;
  isReading: boolean;
  pause: Disposable | undefined;
  following: readonly Disposable[];
}

/** The extension’s side of a comparison: follows its conversations while somebody sees it. */
export class ComparisonHost {
  private readonly columns: readonly Column[];
  private life: AbortController | undefined;
  private isPageReady = false;
  private sent: ToComparison | undefined;

  constructor(private readonly ports: ComparisonPorts) {
    this.columns = ports.ids.map((id) => ({
      ...{ id, model: undefined, known: { changed: null, problem: '' }, readAt: '' },
      ...{ isReading: false, pause: undefined, following: [] },
    }));
  }

  setVisible(visible: boolean): void {
    if (visible === (this.life !== undefined)) return;
    if (visible) {
      this.life = new AbortController();
      this.connect();
    } else {
      this.life?.abort();
      this.life = undefined;
      // The editor unloads a page that is hidden.
      this.isPageReady = false;
      for (const column of this.columns) this.leave(column);
    }
  }

  /** The connection to the service may have been made or lost. */
  connect(): void {
    if (!this.life) return;
    for (const column of this.columns) {
      const model = this.ports.model(column.id);
      if (model === column.model) continue;
      this.leave(column);
      column.model = model;
      if (!model) continue;
      column.following = [model.keepCurrent(), model.onDidChange(() => this.follow(column, model))];
      this.follow(column, model);
    }
    this.show();
  }

  /** Takes a message of the page. */
  async receive(data: unknown): Promise<void> {
    const parsed = parseFromComparison(data);
    if (!parsed.ok) {
      this.ports.log.warn(`Comparison: refused a message: ${parsed.reason}`);
      return;
    }
    const { message } = parsed;
    if (message.type === 'ready') {
      this.isPageReady = true;
      this.sent = undefined;
      this.show();
    } else if (message.type === 'refused') {
      this.ports.log.warn(`Comparison: the page refused a message: ${message.what}`);
    } else if (this.ports.ids.includes(message.id)) await this.ports.act(message.act, message.id);
  }

  dispose(): void {
    this.setVisible(false);
  }

  private leave(column: Column): void {
    for (const one of column.following) one.dispose();
    column.following = [];
    column.model = undefined;
    column.isReading = false;
    column.readAt = '';
    column.pause?.dispose();
    column.pause = undefined;
  }

  private follow(column: Column, model: ConversationModel): void {
    // What the agent checked may be far up.
    if (model.readings > 0 && model.head.hasOlder && model.head.problem === '')
      void model.loadAll(this.life?.signal).catch(() => undefined);
    this.show();
    if (model.readings > 0 && !column.pause) void this.readChanges(column, model);
  }

  /** Reads the changes if something may have changed them. */
  private async readChanges(column: Column, model: ConversationModel): Promise<void> {
    const { life } = this;
    const { head, entries } = model;
    const last = entries.findLast((entry) => entry.kind === 'step' && entry.state !== 'running');
    const now = JSON.stringify([last?.id, head.execution, head.limit]);
    if (!life || column.isReading || column.readAt === now) return;
    column.isReading = true;
    column.readAt = now;
    const known = await this.changesOf(model, life.signal, column.known);
    // Changes that were read halfway are read again.
    if (this.life !== life || column.model !== model) return;
    column.isReading = false;
    column.known = known;
    this.show();
    column.pause = this.ports.after(changesEveryMs, () => {
      column.pause = undefined;
      void this.readChanges(column, model);
    });
  }

  private async changesOf(
    model: ConversationModel,
    signal: AbortSignal,
    previous: KnownChanges,
  ): Promise<KnownChanges> {
    try {
      const all = await readChanges(model, signal);
      return all ? { changed: await changedIn(all, signal), problem: '' } : previous;
    } catch (error) {
      if (signal.aborted) return previous;
      const problem = error instanceof Refusal ? error.message : errorWords(error);
      this.ports.log.warn(`Comparison: ${problem}`);
      return { changed: null, problem };
    }
  }

  private show(): void {
    if (!this.isPageReady) return;
    const { service, ids, post, labelOf, notStarted, unreached, entitle } = this.ports;
    const titles = this.columns.flatMap(({ model }) => plainText(model?.head.title ?? '', 40) || []);
    entitle([...new Set(titles)]);
    const names = attemptNames(
      this.columns.map(({ id, model }) => ({
        label: labelOf(id),
        model: model?.head.about.model ?? '',
        title: model?.head.title ?? '',
      })),
    );
    const shown = this.columns.flatMap(({ id, model, known }, at) =>
      model
        ? [comparedAttempt({ id, head: model.head, entries: model.entries }, names[at] ?? '', known)]
        : [],
    );
    const missing = notStarted();
    const note = missing === 0 ? '' : l10n.t('{0} not started', missing);
    const message: ToComparison =
      shown.length === 0
        ? { type: 'notice', message: unreached() }
        : { type: 'show', service, ids: [...ids], attempts: shown, note };
    if (same(message, this.sent)) return;
    this.sent = message;
    post(message);
  }
}
