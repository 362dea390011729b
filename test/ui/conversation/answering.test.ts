import assert from 'node:assert/strict';
import { action, lifelike, manyEntries, message, smallPicture } from '../../support/conversation/entries';
import { openConversation, type ConversationPage } from './conversationPage';

describe('answering in a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  openConversation((page) => (conversation = page));

  const isDisabled = async (name: string) =>
    (await conversation.button(name).getAttribute('aria-disabled')) === 'true';
  const enabled = (name: string) =>
    conversation.button(name).and(conversation.page.locator('[aria-disabled="false"]')).waitFor();
  const focused = () => conversation.page.evaluate(() => document.activeElement?.id);
  const long = Array.from({ length: 200 }, (_, index) => `echo step ${index}`).join('\n');
  const waiting = (...pending: ReturnType<typeof action>[]) => ({
    execution: 'waiting_for_confirmation' as const,
    sendEffect: 'rejects' as const,
    pending,
  });

  it('sends with Enter, says what that does, and clears the composer', async () => {
    await conversation.begin(manyEntries(3), { execution: 'running', sendEffect: 'joins' });
    assert.equal(await isDisabled('Send'), true);
    await conversation.composer.focus();
    await conversation.page.keyboard.type('Also add a test');
    await conversation.page.keyboard.press('Shift+Enter');
    await conversation.page.keyboard.type('for empty carts');
    assert.match(
      await conversation.page.locator('#send-effect').innerText(),
      /reads this after its current step/,
    );
    const text = 'Also add a test\nfor empty carts';
    // Typing on a slow machine may report several drafts.
    while ((await conversation.next('draft')).text !== text);
    await conversation.page.keyboard.down('Enter');
    // Held down, it neither sends again nor breaks a line.
    await conversation.page.keyboard.down('Enter');
    await conversation.page.keyboard.up('Enter');
    assert.equal((await conversation.next('send')).text, text);
    assert.equal(await conversation.composer.inputValue(), '');
    assert.equal(((await conversation.keptState()) as { draft: string }).draft, '');
    for (const key of ['Enter', 'Control+Enter']) await conversation.page.keyboard.press(key);
    assert.deepEqual(await conversation.waiting(), []);
  });

  it('sends with Ctrl+Enter where the user wants that, and shows which key it is', async () => {
    await conversation.begin(manyEntries(3));
    const hint = () => conversation.composer.getAttribute('placeholder');
    assert.equal(await hint(), 'Message the agent (Enter to send, Shift+Enter for a new line)');
    await conversation.send({ type: 'options', sendWith: 'ctrlEnter', elsewhere: '' });
    assert.equal(await hint(), 'Message the agent (Ctrl+Enter to send)');
    await conversation.composer.focus();
    await conversation.page.keyboard.type('One');
    await conversation.page.keyboard.press('Enter');
    await conversation.page.keyboard.type('Two');
    await conversation.page.keyboard.press('Control+Enter');
    assert.equal((await conversation.next('send')).text, 'One\nTwo');
  });

  it('names the key of a Mac there', async () => {
    await conversation.page.evaluate(() =>
      Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X)' }),
    );
    await conversation.begin(manyEntries(3));
    await conversation.send({ type: 'options', sendWith: 'ctrlEnter', elsewhere: '' });
    assert.equal(await conversation.button('Send').getAttribute('title'), 'Cmd+Enter');
  });

  it('leaves keys to an input method, and others that don’t send', async () => {
    await conversation.begin(manyEntries(3), {}, { draft: 'こんにちは' });
    const isTaken = (more: Record<string, unknown>) =>
      conversation.page.evaluate((init) => {
        const event = new KeyboardEvent('keydown', {
          key: 'Enter',
          bubbles: true,
          cancelable: true,
          ...init,
        });
        return !document.querySelector('[data-composer]')!.dispatchEvent(event);
      }, more);
    const left = [
      { isComposing: true },
      { isComposing: true, ctrlKey: true },
      // WebKit ends the composition before it reports the key that ended it.
      { keyCode: 229 },
      { shiftKey: true },
      { ctrlKey: true, shiftKey: true },
      { altKey: true },
      { key: 'Process' },
    ];
    for (const init of left) assert.equal(await isTaken(init), false, JSON.stringify(init));
    assert.ok(!(await conversation.waiting()).includes('send'));
    assert.equal(await isTaken({}), true);
    assert.equal((await conversation.next('send')).text, 'こんにちは');
  });

  it('saves the draft at once, and returns what wasn’t sent', async () => {
    await conversation.begin(manyEntries(3), {}, { draft: 'From last time' });
    assert.equal(await conversation.composer.inputValue(), 'From last time');
    await conversation.composer.fill('New words');
    assert.equal(((await conversation.keptState()) as { draft: string }).draft, 'New words');
    await conversation.button('Send').click();
    await conversation.next('send');
    await conversation.send(
      { type: 'restoreText', text: 'New words', revision: 3 },
      { type: 'outcome', of: 'send', problem: 'Couldn’t send: the sandbox is gone.' },
    );
    assert.equal(await conversation.composer.inputValue(), 'New words');
    assert.match(await conversation.page.locator('.notices').innerText(), /sandbox is gone/);
    await conversation.button('Dismiss').click();
    assert.equal(await conversation.page.locator('.notices').count(), 0);
  });

  it('grows with its text, up to a limit', async () => {
    await conversation.begin(manyEntries(30));
    const height = () => conversation.composer.evaluate((one) => one.getBoundingClientRect().height);
    const before = await height();
    await conversation.composer.fill('1\n2\n3\n4\n5\n6');
    assert.ok((await height()) > before);
    await conversation.composer.fill('a\n'.repeat(200));
    assert.ok((await height()) <= 800 * 0.3 + 1);
    assert.ok(await conversation.button('Send').isVisible());
  });

  it('shows messages being sent, and returns those that failed', async () => {
    await conversation.begin(manyEntries(3), {
      outgoing: [
        { id: 'o1', text: 'First', state: 'resuming', problem: '' },
        { id: 'o2', text: 'Second', state: 'failed', problem: 'The sandbox is gone.' },
      ],
    });
    const shown = await conversation.page.locator('.outgoing').allInnerTexts();
    assert.match(shown[0]!, /Resuming the sandbox…\s+First/);
    assert.match(shown[1]!, /Not sent · The sandbox is gone\.\s+Second/);
    await conversation.button('Edit Message').click();
    assert.equal((await conversation.next('takeBack')).id, 'o2');
    await conversation.button('Try Again').click();
    assert.equal((await conversation.next('resend')).id, 'o2');
    // It may have arrived.
    await conversation.setHead({ outgoing: [{ id: 'o3', text: 'Third', state: 'unknown', problem: '' }] });
    assert.equal(await conversation.button('Try Again').count(), 0);
    await conversation.button('Edit Message').click();
    assert.equal((await conversation.next('takeBack')).id, 'o3');
  });

  for (const [what, sent] of [
    ['nothing answers', 'Can’t connect to Team: connection refused.'],
    ['only the message failed', ''],
  ] as const)
    it(`says once why a message wasn’t sent if ${what}`, async () => {
      const fault = 'Can’t connect to Team: connection refused.';
      await conversation.begin(manyEntries(3), { execution: 'finished' });
      await conversation.setHead({
        problem: sent,
        outgoing: [{ id: 'o', text: 'Go on', state: 'failed', problem: fault }],
      });
      await conversation.send({ type: 'outcome', of: 'send', problem: fault });
      await conversation.frame();
      const { page } = conversation;
      assert.equal((await page.locator('.page').innerText()).split(fault).length - 1, 1);
      assert.equal(await page.locator('body > [role="status"]').textContent(), fault);
      const state = sent === '' ? /^Finished$/ : /^State unknown$/;
      assert.match(await page.locator('.state').innerText(), state);
      const effect = await page.locator('#send-effect').innerText();
      assert.equal(effect.includes('starts working'), sent === '', effect);
    });

  it('shows removable attachments, and accepts pasted pictures and dropped files', async () => {
    await conversation.begin(manyEntries(3));
    await conversation.send({
      type: 'attachments',
      attachments: [{ id: 'q', kind: 'quote', label: 'src/cart.ts, lines 3–9', preview: null }],
    });
    assert.equal(await isDisabled('Send'), false);
    await conversation.button('Remove src/cart.ts, lines 3–9').click();
    assert.equal((await conversation.next('removeAttachment')).id, 'q');
    const goOn = await conversation.composer.evaluate((element) => {
      const pasted = [];
      for (const text of ['Cell', '']) {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array([text.length])], 'a.png', { type: 'image/png' }));
        if (text !== '') data.setData('text/plain', text);
        const event = { clipboardData: data, bubbles: true, cancelable: true };
        pasted.push(element.dispatchEvent(new ClipboardEvent('paste', event)));
      }
      const files = new DataTransfer();
      files.setData('text/uri-list', 'file:///a.ts\nhttps://example.com/\nfile:///b.ts');
      element.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
      return pasted;
    });
    // Text that comes with a picture of itself is pasted as text.
    assert.deepEqual(goOn, [true, false]);
    assert.deepEqual((await conversation.next('attachFiles')).uris, ['file:///a.ts', 'file:///b.ts']);
    assert.equal((await conversation.next('attachPicture')).uri, 'data:image/png;base64,AA==');
    await conversation.send({
      type: 'attachments',
      attachments: [{ id: 'p', kind: 'picture', label: 'Picture 1', preview: smallPicture }],
    });
    const thumbnail = conversation.page.locator('.attachments img');
    assert.deepEqual(await thumbnail.evaluate((one: HTMLImageElement) => [one.width, one.height]), [32, 32]);
    await conversation.button('Add Context…').click();
    await conversation.next('addContext');
  });

  it('shows an answer on the side as a card, formatted, above what waits, until it’s dismissed', async () => {
    await conversation.begin(manyEntries(30), waiting(action('a', 'npm publish')));
    await conversation.send({
      type: 'aside',
      aside: {
        question: 'What have you <b>done</b>?',
        answer: `**Nothing** yet.\n\n${'More. '.repeat(2_000)}`,
      },
    });
    const card = conversation.page.getByRole('region', { name: 'Answer on the Side' });
    assert.equal(await card.locator('strong').innerText(), 'Nothing');
    assert.match(await card.innerText(), /What have you <b>done<\/b>\?/);
    assert.deepEqual(await conversation.axe(), []);
    await enabled('Approve');
    await conversation.button('Copy Answer').click();
    assert.match((await conversation.next('copyCode')).text, /^\*\*Nothing/);
    await conversation.button('Dismiss').click();
    await conversation.next('dismissAside');
    assert.equal(await focused(), 'composer');
    await conversation.send({ type: 'aside', aside: null });
    assert.equal(await card.count(), 0);
  });

  it('offers what has the name after a #, by keyboard and mouse, and leaves issue numbers alone', async () => {
    await conversation.begin(manyEntries(3));
    const { composer, page } = conversation;
    const names = page.getByRole('listbox', { name: 'Context' }).getByRole('option');
    const offer = (query: string, ...labels: string[]) =>
      conversation.send({
        type: 'context',
        query,
        items: labels.map((label, at) => ({ id: `${query}-${at}`, label, detail: 'src' })),
      });
    await composer.focus();
    await page.keyboard.type('Fix #car');
    assert.equal((await conversation.next('findContext')).query, 'car');
    await offer('ca', 'late.ts');
    await offer('car', 'cart.ts', 'card.ts');
    assert.deepEqual(await names.allInnerTexts(), ['cart.ts src', 'card.ts src']);
    assert.deepEqual(await conversation.axe(), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const active = await composer.getAttribute('aria-activedescendant');
    assert.match(await page.locator(`#${active}`).innerText(), /^card\.ts/);
    await page.keyboard.press('Enter');
    assert.equal((await conversation.next('mention')).id, 'car-1');
    await page.keyboard.type('and #');
    await conversation.next('findContext');
    await offer('', 'a.ts', 'b.ts');
    await names.last().click();
    assert.equal((await conversation.next('mention')).id, '-1');
    assert.equal(await composer.inputValue(), 'Fix #card.ts and #b.ts ');
    assert.equal(await focused(), 'composer');
    await page.keyboard.type('#a');
    await conversation.next('findContext');
    await offer('a', 'a.ts');
    await page.keyboard.press('Escape');
    assert.equal(await names.count(), 0);
    await page.keyboard.press('Enter');
    assert.equal((await conversation.next('send')).text, 'Fix #card.ts and #b.ts #a');
    await page.keyboard.type('# Title, a#b');
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type === 'findContext'),
      [],
    );
  });

  it('offers skills after a / at the beginning only, by keyboard, and inserts what triggers them', async () => {
    await conversation.begin(manyEntries(3));
    const { composer, page } = conversation;
    const names = page.getByRole('listbox', { name: 'Skills' }).getByRole('option');
    const offer = (query: string, ...labels: string[]) =>
      conversation.send({
        type: 'skills',
        query,
        items: labels.map((label) => ({ id: label, label, detail: 'Does it' })),
      });
    await composer.focus();
    await page.keyboard.type('/');
    assert.equal((await conversation.next('findSkills')).query, '');
    await offer('', '/review', '/release-notes');
    await conversation.send({
      type: 'context',
      query: '',
      items: [{ id: '1', label: 'late.ts', detail: '' }],
    });
    assert.deepEqual(await names.allInnerTexts(), ['/review Does it', '/release-notes Does it']);
    assert.deepEqual(await conversation.axe(), []);
    await page.keyboard.press('ArrowDown');
    const active = await composer.getAttribute('aria-activedescendant');
    assert.match(await page.locator(`#${active}`).innerText(), /^\/release-notes/);
    await page.keyboard.press('Enter');
    assert.equal(await composer.inputValue(), '/release-notes ');
    assert.equal(await names.count(), 0);
    await page.keyboard.type('of a/b and /tmp');
    await page.keyboard.press('Enter');
    assert.equal((await conversation.next('send')).text, '/release-notes of a/b and /tmp');
    const asked = (await conversation.waiting()).filter(
      (type) => type === 'findSkills' || type === 'mention',
    );
    assert.deepEqual(asked, []);
  });

  it('allows approving short actions once they’re on screen, and only once', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'npm publish', { risk: 'HIGH' })));
    const card = conversation.page.locator('[data-pending="a"]');
    assert.match(await card.innerText(), /Run npm publish\s+High risk\s+Show Raw/);
    await enabled('Approve');
    await conversation.button('Approve').click();
    assert.deepEqual((await conversation.next('approve')).ids, ['a']);
    assert.equal(await conversation.button('Approve').count(), 0);
    await conversation.send({ type: 'outcome', of: 'approve', problem: '' });
    // The old state may still show for a moment; that's not a new question.
    await conversation.setHead({ cost: 0.9 });
    assert.equal(await conversation.button('Approve').count(), 0);
    await conversation.setHead({ pending: [], execution: 'running' });
    assert.equal(await card.count(), 0);
  });

  it('asks again if the approval failed', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'npm publish')));
    await conversation.frame();
    await conversation.button('Approve').click();
    await conversation.next('approve');
    await conversation.send({
      type: 'outcome',
      of: 'approve',
      problem: 'What the agent asks for has changed.',
    });
    assert.equal(await conversation.button('Approve').count(), 1);
    assert.match(await conversation.page.locator('.notices').innerText(), /has changed/);
  });

  it('approves long actions only after every part was on screen', async () => {
    await conversation.begin(lifelike(), waiting(action('a', long), action('b', 'ls')));
    const isPartly = async () => {
      await conversation.frame();
      assert.equal(await conversation.button('Approve').count(), 0);
      assert.ok(await conversation.button('Show the Rest').isVisible());
    };
    await isPartly();
    const list = conversation.page.locator('.actions');
    // Jumping to the end skips the middle.
    await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await isPartly();
    await list.evaluate((one) => one.scrollTo(0, 0));
    await list.focus();
    for (let page = 0; page < 40; page += 1) {
      await list.evaluate((one) => one.scrollBy(0, one.clientHeight - 20));
      await conversation.frame();
    }
    await enabled('Approve');
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type === 'approve'),
      [],
    );
    await conversation.button('Approve').click();
    assert.deepEqual((await conversation.next('approve')).ids, ['a', 'b']);
  });

  it('doesn’t count what’s on a page hidden behind other tabs', async () => {
    await conversation.page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    );
    await conversation.begin(lifelike(), waiting(action('a', 'ls')));
    await conversation.frame();
    assert.equal(await isDisabled('Approve'), true);
    await conversation.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await enabled('Approve');
  });

  it('says that the actions changed, and requires seeing the new ones', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'ls')));
    await enabled('Approve');
    await conversation.setHead({ pending: [action('a', long)] });
    await conversation.frame();
    assert.match(await conversation.page.locator('.card').innerText(), /is now asking for something else/);
    assert.ok(await conversation.button('Show the Rest').isVisible());
  });

  it('ignores a click made just as the actions changed', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'ls')));
    await enabled('Approve');
    await conversation.page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('#approve-help')?.textContent.includes('Runs all')) return;
        observer.disconnect();
        document.querySelector<HTMLButtonElement>('.card-buttons button')?.click();
        document.body.dataset['clicked'] = 'yes';
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await conversation.setHead({ pending: [action('b', 'git clean -fdx')] });
    await conversation.page.locator('[data-clicked]').waitFor({ state: 'attached' });
    await enabled('Approve');
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type === 'approve'),
      [],
    );
    await conversation.button('Approve').click();
    assert.deepEqual((await conversation.next('approve')).ids, ['b']);
  });

  it('rejects with a message for the agent', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'git clean -fdx')));
    await conversation.button('Reject…').click();
    await conversation.frame();
    assert.equal(await focused(), 'reason');
    await conversation.page.keyboard.type('Keep my files');
    await conversation.button('Back').click();
    await conversation.button('Reject…').click();
    await conversation.page.getByLabel('What should the agent do instead?').fill('Keep my files.');
    await conversation.button('Reject').click();
    assert.deepEqual(await conversation.next('reject'), {
      type: 'reject',
      ids: ['a'],
      reason: 'Keep my files.',
    });
    await conversation.setHead({ execution: 'idle', pending: [] });
    await conversation.frame();
    assert.equal(await focused(), 'composer');
  });

  it('gives the card the focus only when asked', async () => {
    await conversation.begin(lifelike());
    await conversation.composer.focus();
    await conversation.setHead(waiting(action('a', 'ls')));
    await conversation.frame();
    assert.equal(await focused(), 'composer');
    const announcer = conversation.page.locator('body > [role="status"]');
    assert.match((await announcer.textContent()) ?? '', /asks for your approval of 1 action/);
    await conversation.send({ type: 'focus', on: 'pending' });
    await conversation.frame();
    assert.equal(await focused(), 'pending-title');
    await conversation.send({ type: 'focus', on: 'composer' });
    await conversation.frame();
    assert.equal(await focused(), 'composer');
  });

  it('shows hidden characters of an action', async () => {
    await conversation.begin(
      lifelike(),
      waiting(action('a', 'rm \u202e/tmp\u200b\u0007', { path: 'a\u2066b' })),
    );
    const text = await conversation.page.locator('.card').innerText();
    assert.match(text, /rm ‹U\+202E›\/tmp‹U\+200B›‹U\+0007›/);
    assert.match(text, /a‹U\+2066›b/);
  });

  it('works with the keyboard alone, with visible focus', async () => {
    await conversation.begin(lifelike(), waiting(action('a', 'ls')));
    const visited: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      await conversation.page.keyboard.press('Tab');
      const stop = await conversation.page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return {
          name: element.getAttribute('aria-label') ?? element.textContent.trim(),
          outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
        };
      });
      if (!stop) break;
      assert.ok(stop.outlined, `${stop.name} shows no focus`);
      visited.push(stop.name);
    }
    const order = [
      'Find',
      'Open as Text',
      'Export…',
      'More Actions…',
      'Actions to review',
      'Approve',
      'Reject…',
      'Message',
      'Send',
      'Add Context…',
    ];
    assert.deepEqual(
      visited.filter((name) => order.includes(name)),
      order,
    );
    assert.ok(visited.length < 24, visited.join(', '));
  });

  it('keeps typed text while entries arrive', async () => {
    await conversation.begin(manyEntries(10));
    await conversation.composer.focus();
    await conversation.page.keyboard.type('one ');
    await conversation.append(10, message('agent', 'Meanwhile'));
    await conversation.page.keyboard.type('two');
    assert.equal(await conversation.composer.inputValue(), 'one two');
    assert.equal(await focused(), 'composer');
  });
});
