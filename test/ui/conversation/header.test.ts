import assert from 'node:assert/strict';
import { limitSchema } from '../../../src/shared/limit';
import { isStart, type Head } from '../../../src/shared/transcript';
import { action, head, manyEntries, start } from '../../support/conversation/entries';
import { openConversation, type ConversationPage } from './conversationPage';

describe('the header of a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  openConversation((page) => (conversation = page));

  const topOf = (id: string) =>
    conversation.entry(id).evaluate((element) => Math.round(element.getBoundingClientRect().top));

  it('tells those who have waited that a release answers only between steps', async () => {
    const live = { text: 'Running `pytest -q`', since: start };
    await conversation.begin(manyEntries(3), { execution: 'running', live, limit: 'busy' });
    const words = conversation.page
      .locator('.live', { hasText: 'pytest' })
      .getByText('Updates after each step');
    assert.equal(await words.isVisible(), false);
    const delays = await words.evaluate((element) =>
      element.getAnimations().map((animation) => {
        const { delay } = animation.effect!.getTiming();
        animation.finish();
        return delay;
      }),
    );
    assert.deepEqual(delays, [3_000]);
    assert.equal(await words.isVisible(), true);
    await conversation.setHead({ limit: 'none' });
    assert.equal(await words.count(), 0);
    // Each step counts anew.
    await conversation.setHead({ limit: 'busy' });
    assert.equal(await words.isVisible(), false);
  });

  it('doesn’t say that the agent works while its state can’t be read', async () => {
    const live = { text: 'Working', since: start };
    await conversation.begin(manyEntries(3), { execution: 'running', live });
    await conversation.page.locator('.live').waitFor();
    await conversation.setHead({ problem: 'The service refused the request.' });
    await conversation.page.locator('.state', { hasText: 'State unknown' }).waitFor();
    assert.equal(await conversation.page.locator('.live').count(), 0);
  });

  it('leads from the header to the pull request, the sandbox, and the policy', async () => {
    await conversation.begin(manyEntries(3));
    for (const [name, type] of [
      ['#318', 'openPullRequest'],
      ['Sandbox', 'revealSandbox'],
      ['Approvals: medium risk or higher', 'changePolicy'],
      ['Show Changes', 'showChanges'],
      ['Export…', 'export'],
    ] as const) {
      await conversation.button(name).click();
      await conversation.next(type);
    }
    const about = { repository: '', branch: '', pullRequests: '#9', hasPullRequestPage: false, model: 'a/' };
    await conversation.setHead({
      about: { ...about, hasSandbox: false, folder: '/home/me/webshop' },
      policy: 'itself',
    });
    const facts = await conversation.page.locator('.head li').allInnerTexts();
    assert.deepEqual(facts.slice(-4), ['#9', 'a', 'webshop', 'Decides by itself']);
    assert.equal(await conversation.page.locator('.head li button').count(), 0);
  });

  it('asks the editor for the menu of the conversation below its button', async () => {
    await conversation.begin(manyEntries(3));
    const asked = conversation.page.evaluate(
      () =>
        new Promise<unknown>((resolve) =>
          document.addEventListener('contextmenu', (event) => {
            const menu = (event.target as HTMLElement).closest<HTMLElement>('[data-vscode-context]');
            resolve([menu?.dataset['vscodeContext'], event.clientX, event.clientY]);
          }),
        ),
    );
    // The menu of the tab is there, too, when the window is on another connection.
    await conversation.send({ type: 'options', sendWith: 'enter', elsewhere: 'Team' });
    await conversation.button('Team').waitFor();
    const more = conversation.button('More Actions…');
    await more.press('Enter');
    const { x, y, height } = (await more.boundingBox())!;
    const context = '{"webviewSection":"conversation","preventDefaultContextMenuItems":true}';
    assert.deepEqual(await asked, [context, x, y + height]);
  });

  it('ends words of the state that have no room with an ellipsis', async () => {
    await conversation.begin(manyEntries(3), { execution: 'waiting_for_confirmation' });
    await conversation.page.setViewportSize({ width: 240, height: 700 });
    const state = conversation.page.locator('.state');
    const look = await state.evaluate((one) => {
      const { whiteSpace, textOverflow, overflow, display } = getComputedStyle(one);
      return { whiteSpace, textOverflow, overflow, isBlock: /block|list-item/.test(display) };
    });
    // The words in a flex container would be cut.
    const wanted = { whiteSpace: 'nowrap', textOverflow: 'ellipsis', overflow: 'hidden', isBlock: true };
    assert.deepEqual(look, wanted);
    assert.ok(await state.evaluate((one) => one.scrollWidth > one.clientWidth));
  });

  const sizes = [
    { width: 1_000, height: 700 },
    { width: 640, height: 400 },
    { width: 300, height: 700 },
  ];
  for (const size of sizes)
    it(`moves nothing while an agent works, at ${size.width} by ${size.height} pixels`, async () => {
      await conversation.page.setViewportSize(size);
      await conversation.begin(manyEntries(300), { execution: 'running', hasOlder: false });
      await conversation.scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight / 2));
      await conversation.frame();
      await conversation.frame();
      const { place } = (await conversation.keptState()) as { place: { id: string } };
      const buttons = ['Show Changes', 'Find', 'Open as Text', 'Export…', 'More Actions…'];
      const same = ({ top, ...rest }: Awaited<ReturnType<typeof measure>>, what?: string) => {
        // The view is put back to whole pixels.
        assert.ok(Math.abs(top - before.top) <= 1, `${what}: ${top}, was ${before.top}`);
        assert.deepEqual(rest, { box: before.box, places: before.places }, what);
      };
      const measure = async () => {
        await conversation.frame();
        const box = await conversation.page.locator('.head').boundingBox();
        const places = buttons.map((name) => conversation.button(name).boundingBox());
        assert.equal(await conversation.page.locator('.state').isVisible(), true);
        return { top: await topOf(place.id), box, places: await Promise.all(places) };
      };
      const before = await measure();
      assert.ok(before.box!.height <= 50, String(before.box!.height));
      const live = { text: 'Running `pytest -q` in a very long line. '.repeat(9), since: start };
      const nothingKnown = { cost: null, tokens: null, context: null, policy: 'unknown' as const };
      const many = { cost: 1_234.5, tokens: 123_456_789, masked: 1_200 };
      const changes: Partial<Head>[] = [
        { live, limit: 'busy' },
        { live, limit: 'none' },
        { live: null, ...many },
        ...limitSchema.options.filter((limit) => !isStart(limit)).map((limit) => ({ limit })),
        { execution: 'unknown', ...nothingKnown },
        { execution: 'paused', limit: 'asleep' },
        { execution: 'waiting_for_confirmation', pending: [action('a', 'ls')], limit: 'none' },
        { pending: [], execution: 'error', problem: 'Can’t connect. '.repeat(20) },
        { problem: '', outgoing: [{ id: 'o', text: 'Go on', state: 'failed', problem: 'No.' }] },
        { about: { ...head().about, repository: 'Donaudampfschifffahrtsgesellschaft/'.repeat(5) } },
      ];
      for (const change of changes) {
        await conversation.setHead(change);
        same(await measure(), JSON.stringify(change));
      }
      await conversation.send({ type: 'notice', message: 'Couldn’t export the transcript. '.repeat(5) });
      same(await measure(), 'notice');
    });

  it('takes at most 110 of 700 pixels from the transcript at rest', async () => {
    await conversation.page.setViewportSize({ width: 900, height: 700 });
    await conversation.begin(manyEntries(30));
    const heights = await conversation.page.evaluate(() =>
      ['.head', '.dock'].map((one) => document.querySelector(one)!.getBoundingClientRect().height),
    );
    assert.ok(heights[0]! + heights[1]! <= 110, heights.join(' + '));
  });
});
