import type { ApiClient } from '../../api/service/client';
import type { ToolId } from '../../ids';
import { connectionChanged, notAsked, situationChanged, ToolError } from './errors';
import type { ToolContext, Question } from './tool';

/** A question that the user was asked before a call, with its client and time. */
interface Consent extends Pick<ToolContext, 'client' | 'now'> {
  call: string;
  shown: string;
}

/** How many to remember: a chat asks a few at once, and declined ones are never used up. */
const most = 50;

/**
 * What the user was asked about. The editor runs a tool only after the user agrees, so a question that was asked counts
 * as consent: for one call with the same input and connection, as long as the question would read the same.
 */
export class Consents {
  private readonly asked: Consent[] = [];

  remember(
    id: ToolId,
    input: unknown,
    { client, now }: Pick<ToolContext, 'client' | 'now'>,
    question: Question,
  ) {
    this.asked.push({ call: callOf(id, input), client, now, shown: JSON.stringify(question) });
    if (this.asked.length > most) this.asked.shift();
  }

  /**
   * Uses up a consent. Throws `ToolError` if there is none for what the call would do now.
   * @param question as it would read now, except for the time: ages in it may have changed
   */
  use(id: ToolId, input: unknown, client: ApiClient, question: (now: number) => Question | undefined): void {
    const same = this.asked.filter(({ call }) => call === callOf(id, input));
    const isShown = ({ shown, now }: Consent) => shown === JSON.stringify(question(now));
    const consent = same.find((one) => one.client === client && isShown(one)) ?? same.at(-1);
    if (consent === undefined) throw new ToolError(notAsked);
    this.asked.splice(this.asked.indexOf(consent), 1);
    if (consent.client !== client) throw new ToolError(connectionChanged);
    if (!isShown(consent)) throw new ToolError(situationChanged);
  }
}

const callOf = (id: ToolId, input: unknown) => JSON.stringify([id, input]);
