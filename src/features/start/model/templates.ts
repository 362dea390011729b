import * as z from 'zod/mini';
import { StoredList, type Store } from '../../../core/basics/storedList';

const templateSchema = z.object({ name: z.string(), text: z.string() });

/** A message to start others from. */
export type Template = Readonly<z.infer<typeof templateSchema>>;

export const mostTemplates = 100;
export const longestTemplate = 100_000;

/** Unique, ignoring case. */
const keyOf = ({ name }: Pick<Template, 'name'>) => name.toLowerCase();

/** The templates of this computer, by name, without known secrets. */
export class Templates {
  private readonly stored: StoredList<Template>;

  /** @param mask takes secrets out of a text */
  constructor(
    store: Store,
    private readonly mask: (text: string) => string,
  ) {
    this.stored = new StoredList(templateSchema, store, keyOf);
  }

  /** A secret may have become known after its template was saved. */
  get all(): Template[] {
    return this.stored.all.map((one) => this.masked(one)).toSorted((a, b) => a.name.localeCompare(b.name));
  }

  named(name: string): Template | undefined {
    return this.all.find((one) => keyOf(one) === keyOf({ name }));
  }

  /** Adds a template, or replaces the one with its name, and the one called `previous`. */
  save({ name, text }: Template, previous = name): void {
    const own = this.masked({ name, text });
    const gone = [keyOf(own), keyOf({ name: previous })];
    this.stored.write([...this.all.filter((one) => !gone.includes(keyOf(one))), own]);
  }

  private masked({ name, text }: Template): Template {
    return { name: this.mask(name), text: this.mask(text) };
  }

  delete(name: string): void {
    this.stored.write(this.all.filter((one) => keyOf(one) !== keyOf({ name })));
  }
}
