import type { FromPage } from '../../../shared/conversationFromPage';
import type { ToPage } from '../../../shared/conversationMessages';
import { WhenIdle } from '../../../core/kit/whenIdle';
import type { ConversationState } from './state';

/** What is around the box for the message. */
interface Composer {
  readonly state: ConversationState;
  set(change: Partial<ConversationState>): void;
  setText(text: string): void;
  post(message: FromPage): void;
}

/** How much text before the caret is looked at. */
const longestMention = 200;

/** Offers what can go along with the message after a `#` in it, and skills after a `/` at its beginning. */
export class Mentioning {
  private box: HTMLTextAreaElement | undefined;
  private readonly asking = new WhenIdle(() => {
    const { mention } = this.app.state;
    if (mention)
      this.app.post({ type: mention.sign === '#' ? 'findContext' : 'findSkills', query: mention.query });
  });

  constructor(private readonly app: Composer) {}

  /** The text in the box has changed. */
  typed(box: HTMLTextAreaElement): void {
    const end = box.selectionEnd;
    const before = ` ${box.value.slice(0, end)}`.slice(-longestMention);
    const skill = /^\/(\S*)$/.exec(box.value.slice(0, end).slice(0, longestMention + 1))?.[1];
    const query = skill ?? /\s#([^\s#]*)$/.exec(before)?.[1];
    if (query === undefined) {
      this.close();
      return;
    }
    this.box = box;
    const wanted = query.toLowerCase();
    const sign = skill === undefined ? '#' : '/';
    const former = this.app.state.mention;
    const items = former?.sign === sign ? former.items : [];
    const still = items.filter(({ label, detail }) => `${detail}/${label}`.toLowerCase().includes(wanted));
    this.app.set({ mention: { sign, query, end, items: still, active: 0 } });
    this.asking.wait();
  }

  found(sign: '#' | '/', { query, items }: Extract<ToPage, { type: 'context' | 'skills' }>): void {
    const { mention } = this.app.state;
    if (mention?.sign === sign && mention.query === query) this.app.set({ mention: { ...mention, items } });
  }

  /** Whether a key in the box is for what is offered. */
  takesKey({ key, isComposing, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const { mention } = this.app.state;
    if (!mention || isComposing) return false;
    const count = mention.items.length;
    const isOpen = count > 0 && !shiftKey && !ctrlKey && !metaKey && !altKey;
    const by = { ArrowDown: 1, ArrowUp: count - 1 }[key];
    if (isOpen && by !== undefined) {
      const active = (mention.active + by) % count;
      this.app.set({ mention: { ...mention, active } });
      document.getElementById(`mention-${active}`)?.scrollIntoView({ block: 'nearest' });
      return true;
    }
    if (isOpen && (key === 'Enter' || key === 'Tab')) {
      this.take(mention.active);
      return true;
    }
    // Typing continues the name; anything else that moves the caret leaves it.
    if (key.length > 1 && !['Shift', 'Backspace', 'Delete'].includes(key)) this.close();
    return isOpen && key === 'Escape';
  }

  /** Puts the name of an item into the text, and attaches what isn’t a skill. */
  take(at: number): void {
    const { box } = this;
    const { mention } = this.app.state;
    const item = mention?.items[at];
    if (!box || !mention || !item) return;
    const { sign, query, end } = mention;
    this.close();
    box.setRangeText(`${sign === '#' ? '#' : ''}${item.label} `, end - query.length - 1, end, 'end');
    this.app.setText(box.value);
    if (sign === '#') this.app.post({ type: 'mention', id: item.id });
  }

  close(): void {
    this.asking.cancel();
    if (this.app.state.mention) this.app.set({ mention: null });
  }
}
