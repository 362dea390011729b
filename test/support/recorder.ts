import type { BrowserContext } from 'playwright-core';

/** Where in the browser a text was seen. */
export type Seen = 'notification' | 'document' | 'webview message' | 'webview state';

type Recorded = Map<Seen, Set<string>>;

/**
 * Watches every document that the browser opens from now on, webviews included, for texts that match `pattern`: in
 * everything ever put into it, in unmasked fields, and in all messages between frames.
 */
export async function recordTexts(context: BrowserContext, pattern: string): Promise<Recorded> {
  const recorded: Recorded = new Map();
  await context.exposeBinding('tellSeen', (_source, where: Seen, texts: string[]) => {
    const known = recorded.get(where) ?? new Set();
    recorded.set(where, known);
    for (const text of texts) known.add(text);
  });
  await context.addInitScript(watchDocument, pattern);
  return recorded;
}

/** Runs in each document before anything else does. */
function watchDocument(pattern: string): void {
  const tellSeen = (globalThis as unknown as { tellSeen: (where: Seen, texts: string[]) => void }).tellSeen;
  const told = new Set<string>();
  const look = (where: Seen, text: string | null | undefined): void => {
    const found = (text?.match(new RegExp(pattern, 'g')) ?? []).filter((one) => !told.has(where + one));
    for (const one of found) told.add(where + one);
    if (found.length > 0) tellSeen(where, found);
  };

  const lookAt = (node: Node): void => {
    const element = node instanceof Element ? node : node.parentElement;
    const where = element?.closest('.notifications-toasts, .notifications-center')
      ? 'notification'
      : 'document';
    look(where, node instanceof Element ? node.outerHTML : node.textContent);
    if (!(node instanceof Element)) return;
    for (const field of [node, ...node.querySelectorAll('input, textarea')]) lookIn(field);
  };
  const lookIn = (field: unknown): void => {
    const isShown =
      field instanceof HTMLTextAreaElement ||
      (field instanceof HTMLInputElement && field.type !== 'password');
    if (isShown) look('document', field.value);
  };
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'childList') addedNodes.forEach(lookAt);
      else lookAt(type === 'attributes' ? target.cloneNode() : target);
    }
  });
  // A frame can get a new document and keep its window.
  let observed: Document | undefined;
  const observe = (): void => {
    if (observed === document) return;
    observed = document;
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    document.addEventListener('input', ({ target }) => lookIn(target), true);
    document.childNodes.forEach(lookAt);
  };
  observe();

  // All listeners for messages read them here.
  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  if (!data?.get) return;
  const read = (event: MessageEvent): unknown => data.get?.call(event);
  Object.defineProperty(MessageEvent.prototype, 'data', {
    ...data,
    get(this: MessageEvent) {
      observe();
      const value = read(this);
      // Data from a socket is the editor's own traffic with its extension host, where secrets have to pass.
      if (
        !(this.target instanceof WebSocket) &&
        typeof value === 'object' &&
        !(value instanceof ArrayBuffer)
      ) {
        const isState = (value as { channel?: unknown } | null)?.channel === 'do-update-state';
        look(isState ? 'webview state' : 'webview message', JSON.stringify(value));
      }
      return value;
    },
  });
}
