import * as l10n from '@vscode/l10n';
import { unlessAborted } from '../../../api/http/signals';
import { Refusal } from '../../../core/basics/refusal';

/** Why a paused sandbox isn’t asked. */
export const pausedRefusal = () => new Refusal(l10n.t('The sandbox is paused. Resume it first.'));

/** Waits for answers of a sandbox, until it’s known to be paused: they may never come. */
export class Answers {
  private life = new AbortController();

  /** Resolves like the answer. Throws a Refusal once it’s given up. */
  wait<T>(answer: Promise<T>): Promise<T> {
    return unlessAborted(answer, this.life.signal);
  }

  /** Ends what waits now. */
  giveUp(): void {
    this.life.abort(pausedRefusal());
    this.life = new AbortController();
  }
}
