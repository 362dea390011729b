import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contextKeys, viewIds } from '../../src/ids';

const root = resolve(__dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { contributes } = read('package.json') as {
  contributes: { viewsWelcome: { view: string; contents: string; when: string }[] };
};
const words = read('package.nls.json') as Record<string, string>;

type Context = Record<string, unknown>;

/** Decides a condition, of the parts that ours have: `&&`, `!`, parentheses, `==`, `=~` and bare keys. */
function holds(condition: string, context: Context): boolean {
  let rest = condition.trim();
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const match = pattern.exec(rest);
    if (!match) return undefined;
    rest = rest.slice(match[0].length).trimStart();
    return match;
  };
  const all = (): boolean => {
    let value = one();
    while (take(/^&&/)) value = one() && value;
    return value;
  };
  const one = (): boolean => {
    if (take(/^!/)) return !one();
    if (take(/^\(/)) {
      const value = all();
      assert.ok(take(/^\)/), condition);
      return value;
    }
    const key = take(/^[\w.]+/)?.[0];
    assert.ok(key, `“${rest}” in “${condition}”`);
    const text = typeof context[key] === 'string' ? context[key] : '';
    const equal = take(/^== ([\w.]+)/);
    if (equal) return text === equal[1];
    const matches = take(/^=~ \/((?:[^/\\]|\\.)+)\//);
    if (matches) return new RegExp(matches[1] ?? '').test(text);
    return Boolean(context[key]);
  };
  const value = all();
  assert.equal(rest, '', condition);
  return value;
}

const shown = (view: string, context: Context) =>
  contributes.viewsWelcome
    .filter((one) => one.view === view && holds(one.when, context))
    .map(({ contents }) => contents.replaceAll('%', ''));

/** Every reason of api/errors.ts, and what `compose` makes of a newer service. */
const reasons = [
  ...(readFileSync(join(root, 'src/api/errors.ts'), 'utf8').split(/^export type /m)[1] ?? '').matchAll(
    /\| '(\w+)'/g,
  ),
].map((match) => match[1] ?? '');

const loadedKeys = {
  [viewIds.sandboxes]: contextKeys.sandboxesLoaded,
  [viewIds.conversations]: contextKeys.conversationsLoaded,
  [viewIds.specs]: contextKeys.specsLoaded,
};

describe('welcome content', () => {
  const context = (session: string, reason?: string) => ({
    [contextKeys.session]: session,
    [contextKeys.reason]: reason,
  });

  it('is one for each state in which the sandboxes cannot be shown', () => {
    for (const kind of ['none', 'noKey', 'refused']) {
      assert.deepEqual(shown(viewIds.sandboxes, context(kind)), [`welcome.${kind}`]);
    }
    assert.ok(reasons.length > 20, 'the reasons were found');
    const said = [...reasons, 'newerGeneration'].map((reason) => {
      const contents = shown(viewIds.sandboxes, context('unreachable', reason));
      assert.equal(contents.length, 1, `${reason}: ${contents.join()}`);
      return contents[0] ?? '';
    });
    const inManifest = contributes.viewsWelcome
      .map(({ contents }) => contents.replaceAll('%', ''))
      .filter((key) => key.startsWith('welcome.unreachable.'));
    assert.deepEqual([...new Set(said)].sort(), inManifest.sort(), 'each can be reached');
  });

  it('is none while the first answer is awaited, and one for each list that is empty', () => {
    for (const [view, loaded] of Object.entries(loadedKeys)) {
      for (const kind of ['connecting', 'ready']) {
        assert.deepEqual(shown(view, context(kind)), [], `${view} while ${kind}`);
        const contents = shown(view, { ...context(kind), [loaded]: true });
        assert.deepEqual(contents, [`welcome.${view.replace(/^.*\./, '')}.empty`]);
      }
    }
  });

  it('says in the other views what will be there, in every state without a list', () => {
    for (const kind of ['none', 'noKey', 'refused', 'unreachable']) {
      for (const view of ['conversations', 'specs'] as const) {
        assert.deepEqual(shown(viewIds[view], context(kind, 'reset')), [`welcome.${view}.closed`]);
      }
    }
  });

  it('has a next step wherever there is one to take', () => {
    for (const { contents } of contributes.viewsWelcome) {
      const key = contents.replaceAll('%', '');
      const steps = (words[key] ?? '').split('\n').filter((line) => /^\[[^\]]+\]\(command:.+\)$/.test(line));
      if (!key.endsWith('.closed')) assert.ok(steps.length > 0, key);
    }
  });
});
