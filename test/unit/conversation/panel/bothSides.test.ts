import assert from 'node:assert/strict';
import { draftSchema, noDraft, type Draft } from '../../../../src/features/conversation/panel/attachments';
import { ConversationHost } from '../../../../src/features/conversation/panel/conversationHost';
import { conversationMessageHandler } from '../../../../src/features/conversation/panel/handlers';
import { longestText } from '../../../../src/shared/bounded';
import type { KeptPage } from '../../../../src/shared/conversationMessages';
import type { ConversationModel, Outcome } from '../../../../src/features/live/model/model';
import { ConversationApp } from '../../../../src/features/conversation/page/app';
import { action, manyEntries, message, terminal } from '../../../support/conversation/entries';
import { FakeModel } from '../../../support/conversation/fakeModel';
import { stream } from '../../../service/agent/script';
import { World } from '../../live/world';

const picture = 'data:image/png;base64,AQID';

/** The tab of a conversation: its page and its extension host, with messages that arrive when the test says so. */
class Tab {
  app!: ConversationApp;
  host!: ConversationHost;
  place: KeptPage['place'] = null;
  readonly announced: string[] = [];
  private readonly toHost: unknown[] = [];
  private readonly toPage: unknown[] = [];
  private handle: (data: unknown) => Promise<void> = () => Promise.resolve();

  /**
   * @param drafts what the editor keeps, whatever happens to the tab
   * @param kept what the page kept, which the editor stores now and then
   */
  constructor(
    model: ConversationModel,
    private readonly drafts: { draft: Draft } = { draft: noDraft },
    public kept: KeptPage | null = null,
  ) {
    this.connect(model);
    this.load();
  }

  /** Another model takes over, as after the session has changed. */
  connect(model: ConversationModel): void {
    const isFirst = !(this.host as ConversationHost | undefined);
    if (!isFirst) this.host.dispose();
    const nothing = () => Promise.resolve();
    this.host = new ConversationHost(model, {
      post: (message) => this.toPage.push(structuredClone(message)),
      service: 'http://service.invalid',
      elsewhere: () => '',
      switchHere: nothing,
      sendKey: () => 'enter',
      drafts: { read: () => this.drafts.draft, write: (draft) => (this.drafts.draft = draft) },
      run: nothing,
      showDocument: nothing,
      showDiff: nothing,
      showPlannedDiff: () => Promise.resolve(true),
      showStep: nothing,
      watchPorts: () => ({ dispose: () => undefined }),
      openPort: nothing,
      confirm: () => Promise.resolve(true),
      openLink: nothing,
      copy: nothing,
      context: {
        find: () => Promise.resolve([]),
        findSymbols: () => Promise.resolve([]),
        pick: () => Promise.resolve([]),
      },
      skills: () => Promise.resolve([]),
      locateFile: () => Promise.resolve(undefined),
      readFile: () => Promise.resolve(undefined),
      findFiles: () => Promise.resolve(new Map()),
      openFile: nothing,
      log: { error: (words) => assert.fail(words), warn: () => undefined },
    });
    this.handle = conversationMessageHandler(this.host);
    this.host.setVisible(true);
    if (!isFirst) this.toPage.push({ type: 'restart' });
  }

  /** The page loads, at first or after it was hidden. */
  private load(): void {
    const nothing = () => undefined;
    this.app = new ConversationApp(
      {
        post: (message) => this.toHost.push(structuredClone(message)),
        keep: (kept) => (this.kept = kept),
        // An empty transcript has no place to be at.
        draw: () => {
          if (this.app.state.entries.length === 0) this.place = null;
        },
        place: () => this.place,
        reveal: (id, offset = 0) => (this.place = { id, offset }),
        toEnd: () => (this.place = null),
        move: nothing,
        showRest: nothing,
        hold: nothing,
        focus: nothing,
        leaveSearch: () => undefined,
        announce: (words) => this.announced.push(words),
      },
      this.kept,
    );
    this.app.start();
  }

  deliverToPage(): void {
    while (this.toPage.length > 0) this.app.receive(this.toPage.shift());
  }

  /** Delivers what is on its way to the extension host, and then what it answers at once. */
  async turn(): Promise<void> {
    while (this.toHost.length > 0) void this.handle(this.toHost.shift());
    await new Promise((resolve) => setImmediate(resolve));
    this.deliverToPage();
  }

  /** Delivers everything; resolves before slow work of the extension host ends. */
  async settle(): Promise<void> {
    while (this.toHost.length + this.toPage.length > 0) await this.turn();
  }

  /** The page is unloaded behind another tab; shown again, it has only what it kept. */
  async hideAndShow(): Promise<void> {
    this.app.report();
    await this.settle();
    this.host.setVisible(false);
    this.host.setVisible(true);
    this.load();
    await this.settle();
  }

  /** What the user wrote, wherever it is now. */
  get written(): string[] {
    const { text, attachments, head } = this.app.state;
    return [
      ...(head?.outgoing.map((one) => `${one.state}: ${one.text}`) ?? []),
      ...(text === '' ? [] : [`composer: ${text}`]),
      ...attachments.map(({ label }) => label),
    ];
  }
}

/** A tab at a conversation in which the agent has done its work. */
async function tabAfterWork(world: World): Promise<Tab> {
  world.conversation.message('Go', true);
  await world.advance(10_000);
  const tab = new Tab(world.open());
  await tab.settle();
  await world.advance(1_000);
  await tab.settle();
  return tab;
}

describe('page and extension host of a conversation', () => {
  describe('an answer to what the agent asks', () => {
    const approvals = ({ calls }: FakeModel) => calls.filter((call) => call.startsWith('approve'));

    it('is given once, however often it’s clicked', async () => {
      const model = new FakeModel();
      model.set({ head: { pending: [action('a', 'ls')] } });
      const tab = new Tab(model);
      await tab.settle();
      tab.app.setCard({ seen: true, settled: true });
      tab.app.answer('approve');
      tab.app.answer('approve');
      await tab.settle();
      // The request has ended, and the agent hasn't continued yet.
      assert.equal(tab.app.state.busy.size, 0);
      tab.app.answer('approve');
      await tab.settle();
      assert.deepEqual(approvals(model), ['approve a']);
    });

    it('approves nothing that became another under its ID before the page heard of it', async () => {
      for (const now of [
        action('a', 'rm -rf ~'),
        { ...action('a', 'ls'), risk: 'HIGH' as const },
        { ...action('a', 'ls'), raw: '{"command": "ls", "is_input": true}' },
      ]) {
        const model = new FakeModel();
        model.set({ head: { pending: [action('a', 'ls')] } });
        const tab = new Tab(model);
        await tab.settle();
        tab.app.setCard({ seen: true, settled: true });
        model.set({ head: { pending: [now] } });
        tab.app.answer('approve');
        await tab.settle();
        assert.deepEqual(approvals(model), []);
        tab.app.setCard({ seen: true, settled: true });
        await tab.turn();
        tab.app.answer('approve');
        await tab.settle();
        assert.deepEqual(approvals(model), ['approve a'], 'as it is now');
      }
    });

    it('waits for the one before it, whatever the card shows by then', async () => {
      const model = new FakeModel();
      let settle: (outcome: Outcome) => void = () => undefined;
      model.outcome = new Promise((resolve) => (settle = resolve));
      model.set({ head: { pending: [action('a', 'ls')] } });
      const tab = new Tab(model);
      await tab.settle();
      tab.app.setCard({ seen: true, settled: true });
      tab.app.answer('approve');
      await tab.settle();
      model.set({ head: { pending: [action('b', 'pwd')] } });
      await tab.settle();
      tab.app.setCard({ seen: true, settled: true });
      tab.app.answer('approve');
      await tab.settle();
      assert.deepEqual(approvals(model), ['approve a']);
      settle({ kind: 'done' });
      await tab.settle();
      await tab.turn();
      tab.app.answer('approve');
      await tab.settle();
      assert.deepEqual(approvals(model), ['approve a', 'approve b']);
    });
  });

  describe('more text than a message can have', () => {
    const tooLong = 'x'.repeat(longestText + 1);
    let tab: Tab;
    beforeEach(async () => {
      tab = new Tab(new FakeModel());
      await tab.settle();
    });

    it('is counted, isn’t sent, and stays in the composer', async () => {
      tab.app.setText(tooLong);
      assert.equal(tab.app.tooLong, 1);
      assert.equal(tab.app.canSend, false);
      tab.app.send();
      tab.app.report();
      await tab.settle();
      assert.deepEqual(tab.app.state.text, tooLong);
      tab.app.setText(tooLong.slice(1));
      assert.equal(tab.app.canSend, true);
    });

    it('is still there after the page was hidden, and the page takes what comes then', async () => {
      tab.app.setText(tooLong);
      await tab.hideAndShow();
      assert.equal(tab.app.state.id, 'c-1');
      assert.equal(tab.app.state.text, tooLong);
    });

    it('comes from a stored draft, too, and can be shortened', async () => {
      const drafts = { draft: { ...noDraft, text: tooLong, revision: 3 } };
      const again = new Tab(new FakeModel(), drafts);
      await again.settle();
      assert.equal(again.app.tooLong, 1);
      assert.equal(drafts.draft.text, tooLong);
      again.app.setText('Short');
      again.app.report();
      await again.settle();
      assert.equal(drafts.draft.text, 'Short');
    });

    it('isn’t put together by taking a message back', async () => {
      const model = new FakeModel();
      const outgoing = { id: 'o', text: tooLong.slice(10), state: 'failed', problem: '' } as const;
      model.set({ head: { outgoing: [outgoing] } });
      model.takenBack = { text: outgoing.text, images: [] };
      const other = new Tab(model);
      await other.settle();
      other.app.setText('y'.repeat(20));
      other.app.report();
      other.app.post({ type: 'takeBack', id: 'o' });
      await other.settle();
      assert.deepEqual(model.calls, []);
      assert.match(other.app.state.notices.join(), /doesn’t fit in the box/);
      other.app.setText('');
      other.app.report();
      other.app.post({ type: 'takeBack', id: 'o' });
      await other.settle();
      assert.equal(other.app.state.text, outgoing.text);
    });

    it('comes together with attachments, and returns to the composer unsent', async () => {
      const model = new FakeModel();
      const other = new Tab(model);
      await other.settle();
      const quote = { text: tooLong.slice(10), label: 'a.ts' };
      other.host.attach([quote]);
      other.app.setText('Look at this');
      await other.settle();
      other.app.send();
      await other.settle();
      assert.deepEqual(model.calls, []);
      assert.equal(other.app.state.text, 'Look at this');
      assert.equal(other.app.state.attachments.length, 1);
      assert.match(other.app.state.notices.join(), /longer than 4,000,000 characters/);
    });
  });

  describe('a revision from a clock that was wrong', () => {
    for (const revision of [1e300, Number.MAX_SAFE_INTEGER, Date.UTC(2199, 0, 1), -5])
      it(`doesn’t keep later drafts out: ${revision}`, async () => {
        const drafts = { draft: { ...noDraft, text: 'Old', revision } };
        const kept: KeptPage = {
          id: 'c-1',
          service: 's',
          draft: 'Old',
          revision,
          place: null,
          filter: 'all',
          reason: null,
          seen: [],
        };
        const tab = new Tab(new FakeModel(), { draft: draftSchema.parse(drafts.draft) }, kept);
        await tab.settle();
        assert.equal(tab.app.state.text, 'Old');
        tab.app.setText('New');
        tab.app.report();
        await tab.settle();
        assert.deepEqual(tab.written, ['composer: New']);
        assert.ok(tab.app.state.revision <= Date.now());
      });

    it('doesn’t lose the only text there is', async () => {
      const kept: KeptPage = {
        id: 'c-1',
        service: 's',
        draft: 'Mine',
        revision: 1e300,
        place: null,
        filter: 'all',
        reason: null,
        seen: [],
      };
      const tab = new Tab(new FakeModel(), { draft: noDraft }, kept);
      await tab.settle();
      assert.equal(tab.app.state.text, 'Mine');
    });
  });

  describe('sending', () => {
    it('holds a message that wasn’t sent in one place, and returns it with its pictures', async () => {
      const world = new World();
      const tab = new Tab(world.open());
      await tab.settle();
      await world.advance(1_000);
      await tab.settle();
      tab.app.post({ type: 'attachPicture', uri: picture });
      tab.app.setText('Look');
      await tab.settle();
      world.faults.push('refused', 'refused', 'refused');
      tab.app.send();
      await tab.settle();
      await world.advance(10_000);
      await tab.settle();
      assert.deepEqual(tab.written, ['failed: Look']);
      // Its reason stands beside it.
      assert.equal(tab.app.state.notices.length, 0);
      assert.notEqual(tab.app.state.head?.outgoing[0]?.problem, '');
      tab.app.post({ type: 'takeBack', id: tab.app.state.head?.outgoing[0]?.id ?? '' });
      await tab.settle();
      assert.deepEqual(tab.written, ['composer: Look', 'Picture 1']);
      await tab.hideAndShow();
      assert.deepEqual(tab.written, ['composer: Look', 'Picture 1']);
    });

    it('keeps a draft that is newer than what the page had before its tab was closed', async () => {
      const drafts: { draft: Draft } = { draft: noDraft };
      const world = new World();
      const first = new Tab(world.open(), drafts);
      await first.settle();
      for (const text of ['S', 'Se', 'Sent']) first.app.setText(text);
      const { kept } = first;
      // Sent, and the tab closed.
      drafts.draft = noDraft;
      while (Date.now() <= (kept?.revision ?? 0)) await new Promise((resolve) => setImmediate(resolve));
      const second = new Tab(world.open(), drafts);
      await second.settle();
      second.app.setText('New');
      second.app.report();
      await second.settle();
      const restored = new Tab(world.open(), drafts, kept);
      await restored.settle();
      assert.deepEqual(restored.written, ['composer: New']);
    });

    it('says what failed while its tab was hidden', async () => {
      const world = new World();
      const tab = new Tab(world.open());
      await tab.settle();
      tab.app.steer('pause');
      await tab.turn();
      tab.host.setVisible(false);
      await world.advance(5_000);
      tab.host.setVisible(true);
      tab.app.start();
      await tab.settle();
      assert.deepEqual(tab.app.state.notices, ['The agent isn’t working.']);
    });

    it('offers no message again that is on its way when its tab is opened again, and keeps what is written since', async () => {
      const world = new World();
      world.pauseSandbox();
      world.record = { sandbox_status: 'PAUSED' };
      const model = world.open();
      const drafts = { draft: noDraft };
      const first = new Tab(model, drafts);
      await first.settle();
      await world.advance(1_000);
      await first.settle();
      first.app.setText('First');
      first.app.send();
      await first.settle();
      first.host.dispose();
      const second = new Tab(model, drafts);
      await second.settle();
      assert.deepEqual(second.written, ['resuming: First']);
      second.app.setText('Second');
      second.app.report();
      await second.settle();
      world.record = {};
      await world.advance(30_000);
      await second.settle();
      assert.equal(drafts.draft.text, 'Second');
      assert.deepEqual(second.written, ['composer: Second']);
    });
  });

  describe('after a crash, with what the page had long before', () => {
    /** Opens the tab, has it written in, and again after a crash; `between` comes after the editor stored the page’s state. */
    async function crashed(between: (tab: Tab) => void) {
      const model = new FakeModel();
      const drafts = { draft: noDraft };
      const tab = new Tab(model, drafts);
      await tab.settle();
      tab.app.setText('Old');
      tab.app.report();
      await tab.settle();
      const stored = structuredClone(tab.kept);
      between(tab);
      tab.app.report();
      await tab.settle();
      const again = new Tab(model, drafts, stored);
      await again.settle();
      return { tab: again, model, drafts };
    }

    it('has the draft that was written last', async () => {
      const { tab, drafts } = await crashed((before) => before.app.setText('Old, and much more'));
      assert.equal(tab.app.state.text, 'Old, and much more');
      assert.equal(drafts.draft.text, 'Old, and much more');
      tab.app.setText('Even more');
      await tab.hideAndShow();
      assert.equal(drafts.draft.text, 'Even more');
    });

    it('offers no message again that was sent', async () => {
      const { tab, model, drafts } = await crashed((before) => before.app.send());
      assert.deepEqual(model.calls, ['send Old']);
      assert.equal(tab.app.state.text, '');
      assert.equal(drafts.draft.text, '');
    });

    it('has what the page kept if the draft wasn’t stored', async () => {
      const kept = { id: 'c-1', service: 'http://service.invalid', draft: 'Typed', revision: 9 };
      const tab = new Tab(new FakeModel(), undefined, {
        ...kept,
        place: null,
        filter: 'all',
        reason: null,
        seen: [],
      });
      await tab.settle();
      assert.equal(tab.app.state.text, 'Typed');
    });
  });

  describe('taking a message back', () => {
    it('loses nothing that is typed at the same moment', async () => {
      const model = new FakeModel();
      model.takenBack = { text: 'Sent', images: [] };
      const drafts = { draft: noDraft };
      const tab = new Tab(model, drafts);
      await tab.settle();
      tab.app.post({ type: 'takeBack', id: 'o' });
      tab.app.setText('Typed');
      await tab.settle();
      tab.app.setText(`${tab.app.state.text} on`);
      tab.app.report();
      await tab.settle();
      assert.equal(tab.app.state.text, 'Sent\n\nTyped on');
      assert.equal(drafts.draft.text, 'Sent\n\nTyped on');
    });

    it('loses nothing if the tab is hidden before the message is back', async () => {
      const model = new FakeModel();
      model.takenBack = { text: 'Sent', images: [] };
      const tab = new Tab(model);
      await tab.settle();
      tab.host.setVisible(false);
      tab.app.post({ type: 'takeBack', id: 'o' });
      await tab.hideAndShow();
      assert.equal(tab.app.state.text, 'Sent');
    });
  });

  it('shows each of 150 files that go along with a message', async () => {
    const tab = new Tab(new FakeModel());
    await tab.settle();
    tab.host.attach(Array.from({ length: 150 }, (_, at) => ({ text: 'code', label: `${at}.ts` })));
    await tab.settle();
    assert.equal(tab.app.state.attachments.length, 150);
  });

  describe('when older events can’t be read', () => {
    /** A tab at a conversation with several pages, and an agent server that no longer has it. */
    async function failing() {
      const world = new World({ script: stream(100), modelMs: 1 });
      const tab = await tabAfterWork(world);
      world.server.conversations.clear();
      world.asked.length = 0;
      const pages = () => world.asked.filter(({ what }) => what.endsWith('/events/search')).length;
      return { tab, pages };
    }

    it('says why, and asks again only when the user does', async () => {
      const { tab, pages } = await failing();
      for (let look = 0; look < 5; look += 1) {
        tab.app.wantOlder();
        await tab.settle();
      }
      const { olderFailed, loadingOlder, hasOlder, notices } = tab.app.state;
      assert.deepEqual([olderFailed, loadingOlder, hasOlder, pages()], [true, false, true, 1]);
      // Reading what is new may go on without a problem.
      assert.deepEqual(notices, ['GET notFound']);
      tab.app.loadOlder();
      assert.equal(tab.app.state.loadingOlder, true);
    });

    it('stops looking for an entry that may be among them', async () => {
      const { tab, pages } = await failing();
      tab.app.goTo('nowhere');
      await tab.settle();
      assert.equal(pages(), 1);
      assert.equal(tab.app.state.notices.length, 1);
    });
  });

  it('counts only new entries that the filter shows', async () => {
    const model = new FakeModel();
    const first = manyEntries(3);
    model.set({ entries: first });
    const tab = new Tab(model);
    await tab.settle();
    tab.app.setFilter('messages');
    tab.place = { id: 'many-0', offset: 0 };
    const late = { at: first[2]!.at + 1 };
    model.set({ entries: [...first, terminal('ls', '', 0, late), message('agent', 'Done', late)] });
    await tab.settle();
    assert.equal(tab.app.state.unseen, 1);
  });

  describe('the words to reject with', () => {
    const asks = (...ids: string[]) => ({
      head: { execution: 'waiting_for_confirmation' as const, pending: ids.map((id) => action(id, 'rm -r')) },
    });

    async function rejecting(model: FakeModel): Promise<Tab> {
      model.set(asks('a'));
      const tab = new Tab(model);
      await tab.settle();
      tab.app.setCard({ reason: 'Keep my' });
      tab.app.setCard({ reason: 'Keep my files' });
      return tab;
    }

    it('stay when the answer fails, and go when it arrives', async () => {
      const model = new FakeModel();
      const tab = await rejecting(model);
      model.outcome = { kind: 'refused', problem: 'The sandbox is gone.' };
      tab.app.answer('reject');
      await tab.settle();
      const { card } = tab.app.state;
      assert.deepEqual([card.answered, card.reason], [false, 'Keep my files']);
      model.outcome = { kind: 'done' };
      tab.app.answer('reject');
      await tab.settle();
      model.set(asks('b'));
      await tab.settle();
      assert.equal(tab.app.state.card.reason, null);
      assert.deepEqual(model.calls, ['reject a: Keep my files', 'reject a: Keep my files']);
    });

    it('stay while the agent asks for something else, or for nothing for a moment', async () => {
      const model = new FakeModel();
      const tab = await rejecting(model);
      for (const ids of [['a', 'b'], [], ['a']]) {
        model.set(asks(...ids));
        await tab.settle();
        assert.equal(tab.app.state.card.reason, 'Keep my files');
      }
      tab.connect(model);
      await tab.settle();
      assert.equal(tab.app.state.card.reason, 'Keep my files');
    });

    it('stay while the tab is hidden, unless they were sent', async () => {
      const model = new FakeModel();
      const tab = await rejecting(model);
      await tab.hideAndShow();
      assert.equal(tab.app.state.card.reason, 'Keep my files');
      tab.app.answer('reject');
      await tab.hideAndShow();
      assert.equal(tab.app.state.card.reason, null);
    });
  });

  describe('searching', () => {
    async function found(text: string, count: number): Promise<number> {
      const model = new FakeModel();
      const one = message('agent', `A ${text}.`);
      model.set({ entries: Array.from({ length: count }, (_, at) => ({ ...one, id: `found-${at}` })) });
      const tab = new Tab(model);
      await tab.settle();
      tab.app.set({ search: { query: text, ids: [], current: undefined, searched: 'going' } });
      tab.app.post({ type: 'search', query: text });
      for (let turn = 0; turn < 10_000 && tab.app.state.search?.searched === 'going'; turn += 1)
        await tab.turn();
      return tab.app.state.search?.ids.length ?? 0;
    }

    it('finds what is in each of 30,000 entries', async () => {
      assert.equal(await found('needle', 30_000), 30_000);
    });

    it('finds a long text that was pasted', async () => {
      assert.equal(await found('Error: '.repeat(1_000).trim(), 1), 1);
    });

    it('finds what is in the middle of a long error, of a step or the agent itself', async () => {
      const long = `${'x'.repeat(9_000)} needle ${'y'.repeat(9_000)}`;
      const world = new World({ script: [{ invalid: long }, { fail: long }], modelMs: 1 });
      const tab = await tabAfterWork(world);
      tab.app.set({ search: { query: 'needle', ids: [], current: undefined, searched: 'going' } });
      tab.app.post({ type: 'search', query: 'needle' });
      for (let turn = 0; turn < 100 && tab.app.state.search?.searched === 'going'; turn += 1) {
        await world.advance(1_000);
        await tab.turn();
      }
      const { ids = [], searched } = tab.app.state.search ?? {};
      const kinds = tab.app.state.entries.flatMap(({ id, kind }) => (ids.includes(id) ? [kind] : []));
      assert.deepEqual([kinds, searched], [['step', 'error'], 'all']);
    });
  });

  describe('when another model takes over', () => {
    /** A tab at a model whose answers never come, and the model that takes over. */
    async function between(change: Parameters<FakeModel['set']>[0]): Promise<[Tab, FakeModel]> {
      const [lost, next] = [new FakeModel(), new FakeModel()];
      const never = new Promise<never>(() => undefined);
      lost.outcome = never;
      lost.loadOlder = () => never;
      lost.loadAll = () => never;
      for (const model of [lost, next]) model.set(change);
      const tab = new Tab(lost);
      await tab.settle();
      return [tab, next];
    }

    it('loads older entries again', async () => {
      const [tab, next] = await between({ entries: manyEntries(20), head: { hasOlder: true } });
      tab.app.loadOlder();
      await tab.settle();
      tab.connect(next);
      await tab.settle();
      tab.app.loadOlder();
      await tab.settle();
      assert.deepEqual(next.calls, ['loadOlder']);
      assert.equal(tab.app.state.loadingOlder, false);
    });

    it('asks again for what waits, which has to be seen again', async () => {
      const pending = [action('a', 'npm publish')];
      const [tab, next] = await between({ head: { execution: 'waiting_for_confirmation', pending } });
      tab.app.setCard({ seen: true, settled: true });
      tab.app.answer('approve');
      await tab.settle();
      tab.connect(next);
      await tab.settle();
      const { answered, seen } = tab.app.state.card;
      assert.deepEqual([answered, seen], [false, false]);
      tab.app.setCard({ seen: true, settled: true });
      tab.app.answer('approve');
      await tab.settle();
      assert.deepEqual(next.calls, ['approve a']);
    });

    it('searches again', async () => {
      const entries = [message('agent', 'A needle', { id: 'found' })];
      const [tab, next] = await between({ entries, head: { hasOlder: true } });
      tab.app.set({ search: { query: 'needle', ids: [], current: undefined, searched: 'going' } });
      tab.app.post({ type: 'search', query: 'needle' });
      await tab.settle();
      next.set({ head: { hasOlder: false } });
      tab.connect(next);
      await tab.settle();
      assert.deepEqual(tab.app.state.search, {
        query: 'needle',
        ids: ['found'],
        current: 'found',
        searched: 'all',
      });
    });

    it('keeps the place, and what is typed in the meantime', async () => {
      const [tab, next] = await between({ entries: manyEntries(50) });
      tab.place = { id: 'many-7', offset: -12 };
      tab.app.setText('One');
      tab.connect(next);
      tab.deliverToPage();
      tab.app.setText('One, two');
      await tab.settle();
      assert.deepEqual([tab.place, tab.app.state.text], [{ id: 'many-7', offset: -12 }, 'One, two']);
      await tab.hideAndShow();
      assert.deepEqual([tab.place, tab.app.state.text], [{ id: 'many-7', offset: -12 }, 'One, two']);
    });
  });
});
