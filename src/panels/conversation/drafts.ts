import type * as vscode from 'vscode';
import { conversationDraftState, conversationOutboxState } from '../../ids';
import { nextRevision, type Composed } from '../../shared/conversationMessages';
import { draftSchema, noDraft, type Draft } from './attachments';

/** The messages that are being written, by the service and id of their conversation. */
export class Drafts {
  /** Deleted conversations; a message that was on its way must not bring their drafts back. */
  private readonly dropped = new Set<string>();

  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  of(service: string, id: string): { read: () => Draft; write: (draft: Draft) => void } {
    const key = conversationDraftState(service, id);
    return {
      read: () => this.read(key),
      write: (draft) => {
        if (!this.dropped.has(key)) void this.memento.update(key, draft);
      },
    };
  }

  /** Forgets a draft that is empty once its tab is closed. Until then, its revision tells which of two copies is newer. */
  tidy(service: string, id: string): void {
    const key = conversationDraftState(service, id);
    const { text, attachments } = this.read(key);
    if (text === '' && attachments.length === 0) void this.memento.update(key, undefined);
  }

  /** Keeps a message that nobody could send, and returns it as a draft. */
  putBack(service: string, id: string, { text, revision }: Composed): Composed {
    const { read, write } = this.of(service, id);
    const draft = { text, revision: nextRevision(revision) };
    write({ ...read(), ...draft });
    return draft;
  }

  private read(key: string): Draft {
    return draftSchema.safeParse(this.memento.get(key)).data ?? noDraft;
  }

  /** Forgets everything unsent of a conversation that was deleted. */
  drop(service: string, id: string): void {
    const key = conversationDraftState(service, id);
    this.dropped.add(key);
    void this.memento.update(key, undefined);
    void this.memento.update(conversationOutboxState(service, id), undefined);
  }
}
