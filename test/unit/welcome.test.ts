import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandIds, contextKeys, viewIds } from '../../src/ids';
import { holds, type Context } from '../support/conditions';

const root = resolve(__dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { contributes } = read('package.json') as {
  contributes: { viewsWelcome: { view: string; contents: string; when: string }[] };
};
const words = read('package.nls.json') as Record<string, string>;

const shown = (view: string, context: Context) =>
  contributes.viewsWelcome
    .filter((one) => one.view === view && holds(one.when, context))
    .map(({ contents }) => contents.replaceAll('%', ''));

/** Every reason in api/errors.ts. */
const reasons = [
  ...(readFileSync(join(root, 'src/api/http/errors.ts'), 'utf8').split(/^export type /m)[1] ?? '').matchAll(
    /\| '(\w+)'/g,
  ),
].map((match) => match[1] ?? '');

const loadedKeys = {
  [viewIds.sandboxes]: contextKeys.sandboxesEmpty,
  [viewIds.conversations]: contextKeys.conversationsEmpty,
  [viewIds.specs]: contextKeys.specsEmpty,
  [viewIds.workspaces]: contextKeys.workspacesEmpty,
};

describe('welcome content', () => {
  const context = (session: string, reason?: string) => ({
    [contextKeys.session]: session,
    [contextKeys.reason]: reason,
  });

  it('explains every state without lists in the first view', () => {
    for (const kind of ['none', 'refused']) {
      assert.deepEqual(shown(viewIds.conversations, context(kind)), [`welcome.${kind}`]);
    }
    // Settings are spoken of only to those who have edited them.
    const edited = { ...context('noKey'), [contextKeys.connectionsEdited]: true };
    assert.deepEqual(shown(viewIds.conversations, edited), ['welcome.noKey']);
    assert.deepEqual(shown(viewIds.conversations, context('noKey')), ['welcome.none']);
    assert.ok(reasons.length > 20, 'the reasons were found');
    const said = reasons.map((reason) => {
      const contents = shown(viewIds.conversations, context('unreachable', reason));
      const own = `welcome.unreachable.${reason}`;
      assert.deepEqual(contents, [own in words ? own : 'welcome.unreachable.other'], reason);
      return contents[0] ?? '';
    });
    const inManifest = contributes.viewsWelcome
      .filter(({ when }) => when.includes(`${contextKeys.session} ==`))
      .map(({ contents }) => contents.replaceAll('%', ''))
      .filter((key) => key.startsWith('welcome.unreachable.'));
    assert.deepEqual([...new Set(said)].sort(), inManifest.sort(), 'each can be reached');
  });

  it('says what’s wrong, and what to do', () => {
    for (const [name, what, command] of [
      ['refused', 'refused the session key', commandIds.sessionSetKey],
      ['unreachable.refused', 'nothing is listening', commandIds.viewRefresh],
      ['unreachable.timeout', 'took too long to answer', commandIds.viewRefresh],
      ['unreachable.redirected', 'redirects to another address', commandIds.connectionConnect],
      ['unreachable.notService', 'returned a web page', commandIds.connectionConnect],
      ['unreachable.notFound', 'has no service settings', commandIds.connectionConnect],
      ['unreachable.serverError', 'returned an error', commandIds.viewRefresh],
      ['unreachable.rateLimited', 'is limiting requests', commandIds.viewRefresh],
      ['unreachable.other', 'Can’t reach the service', commandIds.viewRefresh],
      ['list.missing', 'doesn’t have this list', commandIds.connectionDiagnose],
      ['list.rejected', 'rejected the request', commandIds.logsShow],
      ['list.unreadable', 'Can’t read the service’s answer', commandIds.logsShow],
    ] as const) {
      const text = words[`welcome.${name}`] ?? '';
      assert.ok(text.includes(what), name);
      assert.equal(/\]\(command:([\w.]+)/.exec(text)?.[1], command, name);
    }
  });

  it('has one button, and its other ways in a sentence, in every language', () => {
    for (const language of ['', '.de', '.ja', '.zh-cn'])
      for (const [name, text] of Object.entries(read(`package.nls${language}.json`) as typeof words)) {
        if (!name.startsWith('welcome.')) continue;
        // A link that has a line to itself is drawn as a button, and all buttons look alike.
        const buttons = text.split('\n').filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line));
        assert.ok(buttons.length <= 1, `${name}${language}: ${buttons.join()}`);
      }
  });

  it('is hidden until the connection state is known', () => {
    for (const view of Object.values(viewIds)) assert.deepEqual(shown(view, {}), [], view);
  });

  it('is hidden while loading and shown for each empty list', () => {
    for (const [view, loaded] of Object.entries(loadedKeys)) {
      for (const kind of ['connecting', 'ready']) {
        assert.deepEqual(shown(view, context(kind)), [], `${view} while ${kind}`);
        const contents = shown(view, { ...context(kind), [loaded]: true });
        const name = view.replace(/^.*\./, '');
        assert.deepEqual(contents, [`welcome.${name}.empty`]);
        const atAgentServer = {
          ...context(kind),
          [loaded]: true,
          [contextKeys.agentServer]: true,
          [contextKeys.lacksSandboxes]: true,
        };
        // The views of sandboxes and specs aren’t there.
        if (view === viewIds.conversations)
          assert.deepEqual(shown(view, atAgentServer), [`welcome.${name}.empty`]);
      }
    }
  });

  it('leads to the model where none is set, rather than to a first conversation', () => {
    const loaded = { ...context('ready'), [contextKeys.conversationsEmpty]: true };
    const withoutModel = { ...loaded, [contextKeys.lacksModel]: true };
    assert.deepEqual(shown(viewIds.conversations, withoutModel), ['welcome.conversations.noModel']);
    const first = /\]\(command:([\w.]+)/.exec(words['welcome.conversations.noModel'] ?? '')?.[1];
    assert.equal(first, commandIds.settingsOpen);
  });

  it('has a button for the first save of settings where a service fails without it', () => {
    for (const view of [viewIds.conversations, viewIds.sandboxes])
      assert.deepEqual(shown(view, { ...context('ready'), [contextKeys.unsaved]: true }), [
        'welcome.unsaved',
      ]);
  });

  it('describes the other views in every state without lists', () => {
    for (const kind of ['none', 'noKey', 'refused', 'unreachable']) {
      for (const view of ['sandboxes', 'specs', 'workspaces'] as const) {
        assert.deepEqual(shown(viewIds[view], context(kind, 'reset')), [`welcome.${view}.closed`]);
      }
    }
  });

  it('has a next step whenever possible', () => {
    for (const { contents } of contributes.viewsWelcome) {
      const key = contents.replaceAll('%', '');
      if (!key.endsWith('.closed')) assert.match(words[key] ?? '', /\[[^\]]+\]\(command:\S+\)/, key);
    }
  });
});
