import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript';
import {
  action,
  clipped,
  error,
  message,
  separator,
  step,
  terminal,
} from '../../support/conversation/entries';
import { openConversation, type ConversationPage } from './conversationPage';

const evil =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><button>Approve</button>';

/** A transcript in which every text is an attack. */
function hostile(): Entry[] {
  return [
    message(
      'agent',
      `${evil}\n\n[x](javascript:alert(1)) [y](command:workbench.action.quit) ![z](https://tracker.invalid/a.png)`,
    ),
    message(
      'user',
      `<a href="javascript:alert(1)">a</a>\n\n<https://example.com/ok> [Save](https://example.com/?q=1)`,
    ),
    message('environment', evil, { thought: evil, images: 3 }),
    terminal(evil, `\u001b]8;;https://x.invalid\u0007link\u001b]8;;\u0007\u001b[2J${evil}\u202e`, 1, {
      thought: evil,
      summary: evil,
    }),
    step({
      step: 'edit',
      path: evil,
      isNew: false,
      added: 1,
      removed: 1,
      diff: [{ kind: 'added', text: evil }],
      hasContents: false,
    }),
    step({ step: 'plan', tasks: [{ title: evil, notes: evil, status: 'todo' }] }),
    step(
      { step: 'mcp', tool: evil, input: evil, output: clipped(evil) },
      { state: 'failed', problem: clipped(evil) },
    ),
    step({ step: 'think', text: evil }),
    step({ step: 'finish', text: evil }),
    error(evil, evil),
    separator('other', evil),
  ];
}

describe('a hostile transcript', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  openConversation((page) => (conversation = page));

  it('becomes plain text', async () => {
    const asked: string[] = [];
    conversation.page.on('request', (request) => asked.push(request.url()));
    await conversation.begin(hostile(), {
      title: evil,
      problem: evil,
      live: { text: evil, since: Date.now() },
      pending: [action('a', evil, { tool: evil, path: evil, thought: evil })],
      outgoing: [{ id: 'o', text: evil, state: 'failed', problem: evil }],
    });
    await conversation.send(
      { type: 'attachments', attachments: [{ id: 'x', kind: 'quote', label: evil, preview: null }] },
      { type: 'notice', message: evil },
    );
    const folded = conversation.page.locator('.feed button[aria-expanded="false"]');
    while ((await folded.count()) > 0) await folded.first().click();
    assert.equal(
      await conversation.page.locator('img, iframe, script:not([nonce]), object, form').count(),
      0,
    );
    assert.equal(await conversation.page.title(), 'Conversation');
    assert.equal(await conversation.button('Approve').count(), 1);
    assert.deepEqual(asked, []);
    const links = await conversation.page
      .locator('.feed a')
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, one.getAttribute('title'), one.getAttribute('href')]),
      );
    assert.deepEqual(links, [
      ['[Picture: z]', 'https://tracker.invalid/a.png', null],
      ['https://example.com/ok', 'https://example.com/ok', null],
      ['Save', 'https://example.com/?q=1', null],
    ]);
  });

  it('shows its text in its real order, with nothing hidden', async () => {
    const turned = 'a\u202eb\u2066c\u200b';
    await conversation.begin(
      [
        message('agent', turned, { thought: turned }),
        terminal(turned, turned, 1, { thought: turned, summary: turned }),
        step({
          step: 'edit',
          path: turned,
          isNew: false,
          added: 1,
          removed: 0,
          diff: [{ kind: 'added', text: turned }],
          hasContents: false,
        }),
        step({ step: 'plan', tasks: [{ title: turned, notes: turned, status: 'todo' }] }),
        step(
          { step: 'mcp', tool: turned, input: turned, output: clipped(turned) },
          { state: 'failed', problem: clipped(turned) },
        ),
        error(turned, turned),
        separator('other', turned),
      ],
      {
        title: `${turned}${'long '.repeat(200_000)}`,
        live: { text: turned, since: Date.now() },
        pending: [action('a', turned, { tool: turned, path: turned, thought: turned })],
      },
    );
    const folded = conversation.page.locator('.feed button[aria-expanded="false"]');
    while ((await folded.count()) > 0) await folded.first().click();
    const shown = (await conversation.page.locator('.page').innerText()).split('\n');
    assert.deepEqual(
      shown.filter((line) => /[\u202e\u2066\u200b]/.test(line)),
      [],
    );
    assert.ok((await conversation.page.locator('h1').innerText()).length <= 200);
  });

  it('opens links only through the extension', async () => {
    await conversation.begin([message('agent', '[Save](https://example.com/?q=1)', { id: 'm' })]);
    await conversation.page.getByRole('link', { name: 'Save' }).click();
    assert.equal((await conversation.next('openLink')).url, 'https://example.com/?q=1');
    await conversation.page.getByRole('link', { name: 'Save' }).press('Enter');
    await conversation.next('openLink');
    assert.equal(conversation.page.url(), 'https://page.invalid/');
  });

  it('keeps agents’ text in separate frames', async () => {
    const tricky = '# \n\n'.repeat(50) + 'x'.repeat(5_000);
    await conversation.begin([message('agent', tricky, { id: 'm' })]);
    const inside = await conversation.entry('m').evaluate((article) => {
      const frame = article.querySelector('.text')!;
      const { contain } = getComputedStyle(frame);
      return { contain, fits: frame.scrollWidth <= frame.clientWidth };
    });
    assert.deepEqual(inside, { contain: 'content', fits: true });
  });

  it('of 100,000 entries draws only those nearby, and adds each new one by itself', async () => {
    await conversation.begin([]);
    await conversation.page.evaluate(() => {
      // Few parts: each is drawn by itself, as it comes.
      for (let part = 0; part < 4; part += 1) {
        const added = Array.from({ length: 25_000 }, (_, index) => ({
          id: `m${part}-${index}`,
          at: part * 25_000 + index,
          kind: 'message',
          from: 'agent',
          text: { text: `Message ${index} of part ${part}`, length: 30 },
          images: 0,
          thought: '',
        }));
        const data = { type: 'entries', at: part * 25_000, removed: 0, added, hasOlder: false };
        window.dispatchEvent(new MessageEvent('message', { data }));
      }
    });
    // On a slow machine, measuring and scrolling to the end takes several frames.
    let shown = '';
    for (let before = 'none'; shown !== before || !shown.includes('m3-24999');) {
      before = shown;
      await conversation.frame();
      shown = await conversation.page
        .locator('[data-event]')
        .evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-event')).join());
    }
    assert.ok(shown.split(',').length <= 200);
    const drawn = conversation.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          const observer = new MutationObserver((changes) => {
            for (const { addedNodes } of changes) sum += addedNodes.length;
            if (document.querySelector('[data-event="newest"]') === null) return;
            observer.disconnect();
            resolve(sum);
          });
          observer.observe(document.querySelector('[role="feed"]')!, { childList: true });
        }),
    );
    await conversation.append(100_000, message('agent', 'The newest', { id: 'newest' }));
    // The entry, its day’s heading, and the marks around each.
    assert.ok((await drawn) <= 12);
    await conversation.entry('newest').waitFor();
    await conversation.entry('newest').focus();
    await conversation.page.keyboard.press('Home');
    await conversation.page.getByText('Message 0 of part 0', { exact: true }).waitFor();
  });

  it('with texts of 5 MB stays readable', async () => {
    const long = 'x'.repeat(5_000_000);
    await conversation.begin([
      terminal('cat large', 'y'.repeat(2_000), 0, { id: 't' }),
      message('agent', `Before. ${'word '.repeat(8_000)}`, { id: 'm' }),
    ]);
    await conversation.setHead({
      execution: 'waiting_for_confirmation',
      pending: [action('a', long)],
    });
    await conversation.page.locator('[data-pending]').waitFor();
    await conversation.button('Show the Rest').waitFor();
    assert.equal(await conversation.button('Approve').count(), 0);
    await conversation.entry('m').waitFor();
  });
});
