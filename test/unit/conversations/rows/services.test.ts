import assert from 'node:assert/strict';
import { sandboxNameOf } from '../../../../src/core/lists/names';
import type { Row } from '../../../../src/core/rows/row';
import { orders, type Grouping } from '../../../../src/features/conversations/model/arrangement';
import { conversationRows } from '../../../../src/features/conversations/rows/list';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { changeSandboxes } from '../../../../src/features/sandboxes/model/changeSandboxes';
import { sandboxRows } from '../../../../src/features/sandboxes/rows/rows';
import { makeSandbox, startService, type ReferenceService } from '../../../service/service';
import { tooltipText } from '../../../support/builders/rows';
import { windowOn } from '../../../support/builders/window';
import { profiles } from '../../../support/profiles';
import { clientOf } from '../../../../src/core/session/session';

const waiting = 'Move order history to the new pagination API';
const within = 'Plan: pagination cut-over';

for (const profile of profiles) {
  const isObserved = profile === 'observed';

  describe(`rows of a service (${profile})`, () => {
    let service: ReferenceService;
    let window: Awaited<ReturnType<typeof windowOn>>;
    beforeEach(async () => {
      service = await startService({ profile, seed: 'lifelike' });
      service.behaviour.delays.pause = 0;
      window = await windowOn(service);
    });
    afterEach(async () => {
      window.dispose();
      await service.close();
    });

    const pausedByService = (id: string) => window.model.pausedByService(id);
    const conversations = (group: Grouping = 'none'): Row[] => [
      ...conversationRows({
        list: window.model.filteredConversations,
        filter: window.model.filter,
        starts: [],
        group,
        order: orders[0],
        pausedByService,
        sandboxName: (id) => sandboxNameOf(id, window.model),
        now: Date.now(),
      }),
    ];
    const sandboxes = (): Row[] => [
      ...sandboxRows({
        sandboxes: window.model.sandboxes.state,
        conversations: window.model.conversations.state.items,
        pending: (id) => window.model.pending.get(id),
        pausedByService,
        now: Date.now(),
      }),
    ];
    const titled = (title: string): Row => {
      const found = conversations()
        .flatMap((row) => [row, ...(row.children ?? [])])
        .find(({ label }) => label.startsWith(title));
      assert.ok(found, title);
      return found;
    };
    const sandbox = (end: string): Row => {
      const id = `oh-agent-server-${end}`;
      const found = sandboxes().find(({ ref }) => 'id' in ref && ref.id === id);
      assert.ok(found, id);
      return found;
    };
    const refresh = () => window.model.refresh('sandboxes', 'conversations');

    it('have the waiting conversation first, where the service tells of it', () => {
      const [first] = conversations();
      if (isObserved) {
        assert.deepEqual(
          [first?.label, window.model.waitingConversations.map(({ title }) => title)],
          [waiting, [waiting]],
        );
        assert.match(first?.description ?? '', /^Waiting/);
      } else assert.ok([...service.state.conversations.values()].some(({ title }) => title === first?.label));
    });

    it('are filtered by title on the service, or here if it can’t', async () => {
      const before = service.requests.length;
      await window.model.setFilter({ title: 'PARSER' });
      const asked = service.requests.slice(before).find(({ query }) => query['title__contains'] === 'PARSER');
      assert.equal(asked?.query['include_sub_conversations'], 'true');
      assert.deepEqual(
        conversations()
          .map(({ label }) => label)
          .sort(),
        ['Port the tariff parser to nom 8', 'Résumé parser: handle “Straße” and 東京 in addresses'],
      );
      await window.model.setFilter(undefined);
      assert.ok(titled(waiting));
    });

    it('are in groups of repositories, if the service reports them, or of sandboxes', () => {
      assert.equal(conversations('repository')[0]?.label, isObserved ? 'northwind/webshop' : 'No repository');
      if (!isObserved) return;
      const [{ label } = assert.fail()] = conversations('sandbox');
      assert.equal(label, sandboxNameOf('oh-agent-server-Zc81HnYd', window.model), 'the waiting one first');
    });

    it('have those that an agent started below its conversation, if the service reports them', async () => {
      const labels = (rows: readonly Row[] = []) => rows.map(({ label }) => label);
      const parent = conversations().find(({ label }) => label === waiting);
      assert.equal(labels(parent?.children).includes(within), isObserved);
      assert.equal(labels(conversations()).includes(within), !isObserved);
      // A filter finds them wherever they are.
      await window.model.setFilter({ title: 'cut-over' });
      assert.deepEqual(labels(conversations()), [within]);
    });

    it('tell cost, tokens, and pull requests, if the service reports them', () => {
      const text = tooltipText(titled('Fix flaky checkout'));
      assert.match(text, /Fix flaky checkout/);
      if (isObserved) assert.match(text, /Cost: \$\d+\.\d\d\nTokens: \S+ input, \S+ output/);
      else assert.doesNotMatch(text, /Cost|Tokens/);
      const about = [...service.state.conversations.values()].find(({ pr_number }) => pr_number.length > 0);
      assert.equal((titled(about?.title ?? '').description ?? '').includes('#318'), isObserved);
    });

    it('have the conversations and exposed URLs of a sandbox below it', () => {
      const [conversation] = [...service.state.conversations.values()].filter(({ title }) => title);
      const { children = [] } =
        sandboxes().find(({ ref }) => 'id' in ref && ref.id === conversation?.sandbox_id) ?? assert.fail();
      const below = children.map(({ label }) => label);
      assert.ok(below.includes(conversation?.title ?? ''), below.join());
      assert.equal(below.includes('VS Code'), isObserved);
    });

    it('say each state in words, also unknown ones', async () => {
      const states = [
        ['3fKp9LwR', 'Running'],
        ['P0vR2mKi', 'Paused'],
        ['7Qm2xVbT', 'Starting…'],
        ['Lx6sJ4uA', 'Failed'],
        ['Gw3oB8zF', 'Missing'],
      ] as const;
      for (const [end, words] of states) assert.ok(sandbox(end).description?.startsWith(words), end);
      const working = [...service.state.conversations.values()].find(({ title }) =>
        title?.startsWith('Fix flaky'),
      );
      assert.ok(working);
      service.patch({
        sandboxes: [{ id: 'oh-agent-server-t9DyN7eC', status: 'HIBERNATED' }],
        conversations: [{ id: working.id, execution_status: 'pondering' }],
      });
      await refresh();
      assert.match(sandbox('t9DyN7eC').description ?? '', /^Hibernated/);
      if (isObserved) assert.match(titled('Fix flaky checkout').description ?? '', /^Pondering/);
    });

    it('tell sandboxes that the service paused from those paused here', async () => {
      service.patch({ sandboxes: [{ id: 'oh-agent-server-b5TgWq0E', status: 'PAUSED' }] });
      await refresh();
      assert.match(sandbox('b5TgWq0E').description ?? '', /^Paused by the service/);
      if (isObserved)
        assert.match(titled('Port the tariff parser').description ?? '', /^Sandbox paused by the service/);
      const client = clientOf(window.session.current);
      const [here] = window.model.sandboxes.state.items.filter(({ id }) => id.endsWith('3fKp9LwR'));
      assert.ok(client && here);
      assert.deepEqual(await changeSandboxes(window.model, client, [here], sandboxActions.pause), []);
      await refresh();
      assert.match(sandbox('3fKp9LwR').description ?? '', /^Paused ·/);
    });

    it('end with “Load more”, which leads to the rest', async () => {
      for (let index = 0; index < 250; index += 1) {
        const created_at = new Date(Date.now() - (30 + index) * 86_400_000).toISOString();
        const id = `old-sandbox-${index}`;
        service.state.sandboxes.set(id, makeSandbox({ id, status: 'PAUSED', created_at }));
      }
      await refresh();
      // One page, or the first rows of an answer with all.
      assert.equal(sandboxes().length, isObserved ? 101 : 201);
      assert.equal(sandboxes().at(-1)?.ref.kind, 'loadMore');
      const before = service.requests.length;
      await window.model.loadMore('sandboxes');
      const pages = service.requests.slice(before).flatMap(({ query }) => query['page_id'] ?? []);
      assert.deepEqual(pages, isObserved ? ['100'] : []);
      assert.equal(sandboxes().length, isObserved ? 201 : service.state.sandboxes.size);
    });
  });
}
