import type { ApiClient } from '../../../api/service/client';
import { plainText } from '../../../shared/plainText';
import { mostFound, type FoundContext, type ToPage } from '../../../shared/conversationMessages';
import { beginning } from '../../../shared/wellFormed';
import type { ContextFinder, ContextItem } from '../../context';
import { longestName } from '../../../shared/bounded';

/** A skill that the server offers: what to write, and what it’s for. */
export interface ContextSkill {
  text: string;
  detail: string;
}

/** How many offers are remembered. The page takes only from the latest. */
const mostOffers = 1_000;

/** What the page offers after a `#` in the message, and after a `/` at its beginning. */
export class Mentions {
  private query = '';
  private readonly offers = new Map<string, ContextItem>();
  private count = 0;
  private skills: Promise<readonly ContextSkill[]> | undefined;

  constructor(
    private readonly finder: () => Pick<ContextFinder, 'find' | 'findSymbols'>,
    private readonly post: (message: ToPage) => void,
    private readonly readSkills: () => Promise<readonly ContextSkill[]>,
  ) {}

  /** Tells the page what has such a name, and then again with symbols of the code. */
  async find(query: string): Promise<void> {
    this.query = query;
    if (this.offers.size > mostOffers) this.offers.clear();
    const items: FoundContext[] = [];
    const { find, findSymbols } = this.finder();
    for (const look of [find, findSymbols]) {
      const found = await look(query);
      // The user kept typing.
      if (this.query !== query) return;
      items.push(...found.map((item) => this.offered(item)));
      this.post({ type: 'context', query, items });
    }
  }

  /** Tells the page which skills have such a name. They’re read again with each new `/`. */
  async findSkills(query: string): Promise<void> {
    if (query === '') this.skills = undefined;
    // What can’t be read can’t be offered; the message goes as it’s typed.
    this.skills ??= this.readSkills().catch(() => []);
    const wanted = query.toLowerCase();
    const found = (await this.skills).filter(({ text }) => text.toLowerCase().includes(wanted));
    const items = found.slice(0, mostFound).map(({ text, detail }) => ({
      id: text,
      label: beginning(text, longestName),
      detail: beginning(detail, longestName),
    }));
    this.post({ type: 'skills', query, items });
  }

  /** What was offered by this id. */
  taken(id: string): ContextItem[] {
    const item = this.offers.get(id);
    return item ? [item] : [];
  }

  private offered(item: ContextItem): FoundContext {
    const id = String((this.count += 1));
    this.offers.set(id, item);
    return { id, label: beginning(item.label, longestName), detail: beginning(item.detail, longestName) };
  }
}

/** The skills that an agent server offers in a folder, as what to write; none on services, which don’t tell theirs. */
export async function offeredSkills(
  client: Pick<ApiClient, 'agents'> | undefined,
  folder: string,
): Promise<ContextSkill[]> {
  const skills = (await client?.agents?.listSkills(folder === '' ? undefined : folder)) ?? [];
  // What a release triggers by a word isn’t triggered by its name alone.
  const textOf = (name: string, triggers: readonly string[]) =>
    triggers.find((trigger) => trigger.startsWith('/')) ??
    (triggers.length === 0 || triggers.some((trigger) => name.includes(trigger)) ? `/${name}` : triggers[0]);
  return skills.map(({ name, triggers, description }) => ({
    text: plainText(textOf(name, triggers ?? []) ?? '', 120),
    detail: plainText(description ?? '', 200),
  }));
}
