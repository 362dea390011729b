import { secretSearch, type SecretSearch } from '../../../shared/secretSearch';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import { blot, shortest } from './secretMask';

/** All secrets that this window knows. They stay known: texts contain them for longer than they’re in use. */
export class KnownSecrets {
  private readonly all = new Set<string>();
  private list: readonly string[] = [];
  private search: SecretSearch | undefined;
  private readonly changed = new Emitter<undefined>();
  /** Fires when others became known. */
  readonly onDidChange = (listener: () => void): Disposable => this.changed.event(listener);

  /** A new array after each change. */
  get values(): readonly string[] {
    return this.list;
  }

  learn(secrets: readonly (string | null | undefined)[]): void {
    const before = this.all.size;
    for (const secret of secrets) if (secret && secret.length >= shortest) this.all.add(secret);
    if (this.all.size === before) return;
    this.list = [...this.all];
    this.search = undefined;
    this.changed.fire(undefined);
  }

  /** The text without them. */
  readonly mask = (text: string): string => {
    if (this.list.length === 0) return text;
    return (this.search ??= secretSearch(this.list, shortest))(text, blot).text;
  };
}
