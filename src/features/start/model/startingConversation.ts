import * as l10n from '@vscode/l10n';
import { nothingKnown } from '../../../shared/about';
import { plainText } from '../../../shared/plainText';
import type { Entry, Head } from '../../../shared/transcript';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import { Refusal } from '../../../core/basics/refusal';
import { ConversationChanges } from '../../sandboxChanges';
import type { ConversationModel, Outcome, TakenBack } from '../../live';
import { hasNotStarted } from '../../transcript';
import type { StartStory } from './startStory';
import { same } from '../../../shared/same';

/** What the tab of a start needs. */
export interface StartingPorts {
  /** What is known of the start now; undefined once it's over. */
  story: () => StartStory | undefined;
  onDidChange: (listener: () => void) => Disposable;
  /** Tries again with this message. */
  retry: (message: string) => Promise<void>;
}

const keptId = 'kept';

/** A conversation that is still starting, as its tab shows it: the message, the steps so far, and why it failed. */
export class StartingConversation implements ConversationModel {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = (listener: () => void): Disposable => this.changed.event(listener);
  private readonly life = new AbortController();
  readonly signal = this.life.signal;
  readonly isCurrent = true;
  readonly readings = 1;
  readonly changes: ConversationChanges;
  private story: StartStory;
  /** A message that wasn't taken, and why. */
  private kept: (TakenBack & { problem: string }) | undefined;
  private readonly following: Disposable;

  constructor(
    readonly id: string,
    private readonly ports: StartingPorts,
  ) {
    this.story = ports.story() ?? {
      label: '',
      message: '',
      stage: 'starting',
      lines: [],
      failure: '',
      at: 0,
    };
    this.changes = new ConversationChanges({
      reachPlace: () => Promise.reject(notStarted()),
      loadAll: () => Promise.resolve(),
      events: () => [],
      began: () => ({ repository: null, branch: null, at: null }),
      mask: (text) => text,
    });
    this.following = ports.onDidChange(() => {
      const story = ports.story();
      // What was last known stays on screen until the conversation is.
      if (!story || same(story, this.story)) return;
      this.story = story;
      this.changed.fire(undefined);
    });
  }

  /** The message that wasn't sent; empty while it's on its way. */
  get unsent(): string {
    return this.story.stage === 'starting' ? '' : this.story.message;
  }

  get head(): Head {
    const { kept } = this;
    const { label, stage, lines } = this.story;
    const current = stage === 'starting' ? lines.at(-1) : undefined;
    return {
      title: plainText(label, 200) || l10n.t('New conversation'),
      about: nothingKnown,
      execution: executions[stage] ?? 'error',
      limit: stage,
      cost: null,
      tokens: null,
      context: null,
      policy: 'unknown',
      live: current ? { text: current.words.replace(/…$/, ''), since: current.at } : null,
      pending: [],
      proof: 'whole',
      outgoing: kept ? [{ id: keptId, text: kept.text, state: 'failed', problem: kept.problem }] : [],
      sendEffect: stage === 'starting' ? 'impossible' : 'retries',
      masked: 0,
      hasOlder: false,
      canInterrupt: false,
      readAt: this.story.at,
      problem: '',
    };
  }

  get entries(): readonly Entry[] {
    const { message, stage, lines, failure, at } = this.story;
    const text = (words: string) => ({ text: words, length: words.length });
    const over = stage === 'starting' ? lines.slice(0, -1) : lines;
    const said: Entry = {
      ...{ kind: 'message', id: 'start-message', at, from: 'user' },
      ...{ text: text(message), images: 0, thought: '' },
    };
    const steps = over.map((line, index): Entry => ({
      ...{ kind: 'separator', id: `start-step-${index}`, at: line.at, what: 'start' },
      text: lineWords(line, lines[index + 1]?.at),
    }));
    const failed: Entry = {
      ...{ kind: 'error', id: 'start-failure', at: lines.at(-1)?.at ?? at },
      ...{ title: failureTitle(stage), text: text(failure) },
    };
    return [...(message === '' ? [] : [said]), ...steps, ...(failure === '' ? [] : [failed])];
  }

  keepCurrent(): Disposable {
    return { dispose: () => undefined };
  }

  async send(text: string, images: readonly string[] = []): Promise<Outcome> {
    if (this.story.stage === 'starting') return refused();
    if (images.length > 0) return this.keep({ text, images }, noPictures());
    const before = this.story;
    await this.ports.retry(text);
    // A failure brings the message back.
    return this.story === before ? this.keep({ text, images }, hasNotStarted()) : { kind: 'done' };
  }

  private keep(unsent: TakenBack, problem: string): Outcome {
    this.kept = { ...unsent, problem };
    this.changed.fire(undefined);
    return { kind: 'refused', problem };
  }

  takeBack(): TakenBack | undefined {
    const { kept } = this;
    this.kept = undefined;
    this.changed.fire(undefined);
    return kept;
  }

  readonly loadOlder = () => Promise.resolve();
  readonly loadAll = () => Promise.resolve();
  readonly approve = () => Promise.resolve(refused());
  readonly reject = this.approve;
  readonly pause = this.approve;
  readonly interrupt = this.approve;
  readonly resume = this.approve;
  readonly setPolicy = this.approve;
  readonly switchModel = this.approve;
  readonly summarize = this.approve;
  readonly goal = undefined;
  readonly setGoal = this.approve;
  readonly stopGoal = this.approve;
  readonly resumeGoal = this.approve;
  readonly giveSecret = this.approve;
  readonly goBack = this.approve;
  readonly branch = () => Promise.reject(notStarted());
  readonly ask = () => Promise.reject(notStarted());
  readonly fullText = () => Promise.resolve(undefined);
  readonly pictures = () => Promise.resolve([]);
  readonly editedFile = () => undefined;
  readonly plannedEdit = () => undefined;

  dispose(): void {
    this.following.dispose();
    this.life.abort();
  }
}

/** A step that is over, with how long it took. */
function lineWords({ words, at }: StartStory['lines'][number], end: number | undefined): string {
  const done = words.replace(/…$/, '');
  const seconds = Math.round(((end ?? at) - at) / 1_000);
  if (seconds < 1) return done;
  const span =
    seconds < 60 ? l10n.t('{0} s', seconds) : l10n.t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
  return `${done} · ${span}`;
}

/** Where the conversation exists, its agent has nothing to do yet. */
const executions: Partial<Record<StartStory['stage'], Head['execution']>> = {
  starting: 'unknown',
  notDelivered: 'idle',
  policyNotSet: 'idle',
};

const failureTitle = (stage: StartStory['stage']) => {
  if (stage === 'mayHaveStarted') return l10n.t('May have started');
  if (stage === 'policyNotSet') return l10n.t('Couldn’t set the confirmation policy');
  return stage === 'notDelivered'
    ? l10n.t('Couldn’t send your changes')
    : l10n.t('Couldn’t start the conversation');
};
/** Why pictures aren’t taken where a start has failed. */
export const noPictures = () => l10n.t('Send pictures once the conversation has started.');
const notStarted = () => new Refusal(hasNotStarted());
const refused = (): Outcome => ({ kind: 'refused', problem: notStarted().message });
