import type * as vscode from 'vscode';
import { conversationDraftState, conversationOutboxState } from '../../ids';
import { draftSchema, noDraft, type Draft } from './attachments';

/** The messages that are being written, by the service and id of their conversation. */
export class Drafts {
  /** Of conversations that were deleted; a message that was on its way must not bring them back. */
  private readonly dropped = new Set<string>();

  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  of(service: string, id: string): { read: () => Draft; write: (draft: Draft) => void } {
    const key = conversationDraftState(service, id);
    return {
      read: () => draftSchema.safeParse(this.memento.get(key)).data ?? noDraft,
      write: (draft) => {
        const isEmpty = draft.text === '' && draft.attachments.length === 0;
        if (!this.dropped.has(key)) void this.memento.update(key, isEmpty ? undefined : draft);
      },
    };
  }

  /** Forgets everything unsent of a conversation that was deleted. */
  drop(service: string, id: string): void {
    const key = conversationDraftState(service, id);
    this.dropped.add(key);
    void this.memento.update(key, undefined);
    void this.memento.update(conversationOutboxState(service, id), undefined);
  }
}
