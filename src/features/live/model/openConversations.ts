import { bareId } from '../../../api/http/ids';
import type { Disposable } from '../../../core/basics/emitter';

/** The conversations of a window: one model each, wherever it's shown. */
export class OpenConversations<T extends Disposable> implements Disposable {
  private readonly models = new Map<string, T>();

  constructor(private readonly make: (id: string) => T) {}

  of(id: string): T {
    // An id may be written with and without hyphens.
    const key = bareId(id);
    const known = this.models.get(key);
    if (known) return known;
    const model = this.make(id);
    this.models.set(key, model);
    return model;
  }

  /** Ends all, as when the connection changes. */
  dispose(): void {
    for (const model of this.models.values()) model.dispose();
    this.models.clear();
  }
}
