import type * as vscode from 'vscode';
import { bareId } from '../../../api/http/ids';
import { conversationDraftState, conversationOutboxState, stateIds } from '../../../ids';
import { putBackAbove, type Composed } from '../../../shared/conversationMessages';
import { membersOf } from '../../../shared/membersOf';
import { storedText, unreadable } from '../../../shared/readable';
import { nextRevision, soundTime } from '../../../shared/soundTime';
import { attachedSchema, draftSchema, noDraft, type Draft } from './attachments';

/** How many closed drafts to remember. */
const mostClosed = 200;

/** The same however the id is written. */
const keyOf = (service: string, id: string) => conversationDraftState(service, bareId(id));

/** The messages that are being written, by the service and id of their conversation. */
export class Drafts {
  /** Deleted conversations; a message that was on its way must not bring their drafts back. */
  private readonly dropped = new Set<string>();

  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  of(service: string, id: string): { read: () => Draft; write: (draft: Draft) => void } {
    const key = keyOf(service, id);
    return {
      read: () => this.read(key),
      write: (draft) => {
        if (this.dropped.has(key)) return;
        const stored = membersOf(this.memento.get(key));
        const attachments = [...draft.attachments, ...this.unreadable(key)];
        const text = storedText(draft.text, stored['text']);
        void this.memento.update(key, { ...stored, ...draft, text, attachments });
      },
    };
  }

  /**
   * Forgets a draft that is empty once its tab is closed, except its revision: after a crash, the editor may bring the
   * tab back with what was sent there.
   */
  tidy(service: string, id: string): void {
    const key = keyOf(service, id);
    const { text, attachments, revision } = this.read(key);
    if (storedText(text, membersOf(this.memento.get(key))['text']) !== '') return;
    if (attachments.length + this.unreadable(key).length > 0) return;
    void this.memento.update(key, undefined);
    this.close(key, revision);
  }

  /** Gives what was written in the tab of a start to the conversation that it led to. */
  move(service: string, startId: string, id: string): void {
    const { text, attachments, revision } = this.read(keyOf(service, startId));
    if (text !== '' || attachments.length > 0) {
      const { read, write } = this.of(service, id);
      const own = read();
      write({
        text: putBackAbove(own.text, text),
        attachments: [...own.attachments, ...attachments],
        revision: Math.max(revision, nextRevision(own.revision)),
      });
    }
    void this.memento.update(keyOf(service, startId), undefined);
  }

  /** Keeps a message that nobody could send, and returns it as a draft. */
  putBack(service: string, id: string, { text, revision }: Composed): Composed {
    const { read, write } = this.of(service, id);
    const draft = { text, revision: nextRevision(revision) };
    write({ ...read(), ...draft });
    return draft;
  }

  private read(key: string): Draft {
    const { [key]: revision = noDraft.revision } = this.closed;
    return draftSchema.safeParse(this.memento.get(key)).data ?? { ...noDraft, revision };
  }

  /** What a later version attached. */
  private unreadable(key: string): unknown[] {
    return unreadable(attachedSchema, membersOf(this.memento.get<unknown>(key))['attachments']);
  }

  /** By key, those closed last at the end. */
  private get closed(): Record<string, number> {
    const revisions = Object.entries(membersOf(this.memento.get<unknown>(stateIds.closedDrafts)));
    return Object.fromEntries(
      revisions.flatMap(([key, revision]) =>
        typeof revision === 'number' ? [[key, soundTime(revision)]] : [],
      ),
    );
  }

  private close(key: string, revision: number): void {
    const { [key]: _previous, ...others } = this.closed;
    const all = Object.entries({ ...others, ...(revision > 0 && { [key]: revision }) });
    const kept = all.length > 0 ? Object.fromEntries(all.slice(-mostClosed)) : undefined;
    void this.memento.update(stateIds.closedDrafts, kept);
  }

  /** Forgets everything unsent of a conversation that was deleted. */
  drop(service: string, id: string): void {
    const key = keyOf(service, id);
    this.dropped.add(key);
    void this.memento.update(key, undefined);
    this.close(key, 0);
    void this.memento.update(conversationOutboxState(service, bareId(id)), undefined);
  }
}
