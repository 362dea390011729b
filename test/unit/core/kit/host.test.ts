import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { numberOf } from '../../../../src/shared/texts';
import { loadedAnew } from '../../steps';

class Element {
  focused: unknown[] = [];
  constructor(readonly dataset: Record<string, string> = {}) {}
  focus(options: unknown) {
    this.focused.push(options);
  }
}

/** Loads the module like a page whose document has this root. */
function loaded(root: Element | null) {
  const listeners = new Map<string, (event: object) => void>();
  const listen = (of: string) => (type: string, listener: (event: object) => void) =>
    void listeners.set(`${of} ${type}`, listener);
  const body = {};
  const document = {
    getElementById: (id: string) => (id === 'root' ? root : null),
    addEventListener: listen('document'),
    body,
    activeElement: body,
  };
  const editor = { postMessage: () => undefined };
  Object.assign(globalThis, {
    ...{ document, HTMLElement: Element, window: { addEventListener: listen('window') } },
    acquireVsCodeApi: () => editor,
  });
  const host = loadedAnew('core/kit/host') as { root: unknown; vscode: unknown };
  return { host, editor, document, tell: (event: string, detail: object) => listeners.get(event)?.(detail) };
}

describe('the editor’s side of a page', () => {
  afterEach(() => {
    for (const name of ['document', 'window', 'HTMLElement', 'acquireVsCodeApi'])
      Reflect.deleteProperty(globalThis, name);
    l10n.config({ contents: {} });
  });

  it('is the editor, and what the page is drawn into', () => {
    const root = new Element();
    const { host, editor } = loaded(root);
    assert.deepEqual([host.root, host.vscode], [root, editor]);
    assert.equal(l10n.t('Load more'), 'Load more');
    assert.throws(() => loaded(null), /no root element/);
  });

  it('brings the texts of the page’s language', () => {
    loaded(new Element({ l10n: JSON.stringify({ [numberOf('Load more')]: 'Mehr laden' }) }));
    assert.equal(l10n.t('Load more'), 'Mehr laden');
    assert.equal(l10n.t('Retry'), 'Retry');
  });

  it('keeps the keys of an input method from the page', () => {
    const { tell } = loaded(new Element());
    const passed = (isComposing: boolean) => {
      let isStopped = false;
      tell('window keydown', { isComposing, stopPropagation: () => (isStopped = true) });
      return !isStopped;
    };
    assert.deepEqual([passed(true), passed(false)], [false, true]);
  });

  it('gives the focus back to what had it, unless something else has', () => {
    const { tell, document } = loaded(new Element());
    tell('window focus', {});
    const input = new Element();
    tell('document focusout', { target: input });
    tell('window focus', {});
    assert.deepEqual(input.focused, [{ preventScroll: true }]);
    document.activeElement = new Element();
    tell('window focus', {});
    assert.equal(input.focused.length, 1);
    document.activeElement = document.body;
    tell('document focusout', { target: {} });
    tell('window focus', {});
    assert.equal(input.focused.length, 1);
  });
});
