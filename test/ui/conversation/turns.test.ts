import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript';
import { clipped, error, lifelike, message, read, start, terminal } from '../../support/conversation/entries';
import type { Built } from '../support/builtPage';
import { ConversationPage, openConversation } from './conversationPage';

const minute = 60_000;

/** A turn with as many steps, of which one may be an error. */
function turn(name: string, count: number, at: number, errorAt?: number): Entry[] {
  const steps = Array.from({ length: count }, (_, index) => {
    const base = { id: `${name}-${index}`, at: at + index * 1_000 };
    return index === errorAt
      ? error('RateLimitError', 'Try again in 20 s', base)
      : terminal(`make part-${index}`, `made ${name} ${index}`, 0, base);
  });
  const question = message('user', `Make ${name}`, { id: `${name}-user`, at: at - minute });
  return [question, ...steps, answer(name, at + count * 1_000)];
}

const answer = (name: string, at: number) => message('agent', `Made ${name}`, { id: `${name}-agent`, at });

describe('turns of a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  let built: Built;
  openConversation((page, parts) => ([conversation, built] = [page, parts]));

  const line = (name: string | RegExp) => conversation.page.getByRole('button', { name });
  const topOf = (id: string) =>
    conversation.entry(id).evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const focused = () =>
    conversation.page.evaluate(() =>
      document.activeElement?.closest('[data-event]')?.getAttribute('data-event'),
    );

  it('folds a finished turn to one line, with its errors below, and opens it from the keyboard', async () => {
    await conversation.begin(turn('a', 400, start, 7));
    const article = conversation.page.locator('[data-key="turn:a-399"]');
    assert.equal((await article.innerText()).trim(), '399 steps · 1 error · 8 min');
    assert.equal(await conversation.page.locator('[data-event]').count(), 3);
    assert.match(await conversation.entry('a-7').innerText(), /RateLimitError/);
    await article.focus();
    await conversation.page.keyboard.press('Enter');
    await conversation.frame();
    assert.equal(await line(/^399 steps/).getAttribute('aria-expanded'), 'true');
    await conversation.entry('a-0').waitFor();
    assert.ok((await topOf('a-0')) > 0);
    await conversation.page.keyboard.press('Enter');
    await conversation.frame();
    assert.equal(await conversation.entry('a-0').count(), 0);
  });

  it('says what a turn with edits changed', async () => {
    await conversation.begin(lifelike());
    assert.match(
      await conversation.page.locator('[data-key^="turn:"]').innerText(),
      /^12 steps · 2 files \+27 −1 · 2 errors · \d+ s$/,
    );
  });

  it('folds a turn that ends while its end is in view', async () => {
    const entries = turn('a', 60, start);
    await conversation.begin(entries.slice(0, -1), { execution: 'running' });
    assert.equal(await line(/steps/).count(), 0);
    await conversation.append(entries.length - 1, answer('a', start + 60_000));
    assert.equal(await line(/steps/).count(), 0);
    await conversation.setHead({ execution: 'finished' });
    await line('60 steps · 2 min').waitFor();
    assert.equal(await conversation.entry('a-59').count(), 0);
  });

  it('leaves a turn open, and everything in place, if somebody reads it when it ends', async () => {
    const entries = [...turn('z', 9, start - 60 * minute), ...turn('a', 120, start)];
    await conversation.begin(entries.slice(0, -1), { execution: 'running' });
    await conversation.scrollBy(-1_200);
    const read = await conversation.page.evaluate(() => {
      const top = document.querySelector('#feed')!.getBoundingClientRect().top;
      const all = [...document.querySelectorAll('[data-event]')];
      return all.find((one) => one.getBoundingClientRect().top > top + 50)!.getAttribute('data-event')!;
    });
    const before = await topOf(read);
    await conversation.append(entries.length - 1, answer('a', start + 120_000));
    await conversation.setHead({ execution: 'finished' });
    await conversation.frame();
    assert.ok(Math.abs((await topOf(read)) - before) <= 1);
    await conversation.append(entries.length, message('user', 'More', { id: 'more' }));
    await conversation.setHead({ execution: 'running' });
    await conversation.frame();
    assert.ok(Math.abs((await topOf(read)) - before) <= 1);
  });

  it('opens a turn around a match, and around the place where somebody was reading', async () => {
    const entries = [...turn('a', 40, start), ...turn('b', 40, start + 60 * minute)];
    await conversation.begin(entries);
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.type('part-20');
    await conversation.next('search');
    await conversation.send({ type: 'found', query: 'part-20', ids: ['a-20'], searched: 'all' });
    await conversation.frame();
    assert.equal(await conversation.entry('a-20').getAttribute('data-found'), 'current');
    assert.equal(await line('40 steps · 2 min').first().getAttribute('aria-expanded'), 'true');
    await conversation.page.keyboard.press('Escape');
    await conversation.scrollBy(1);
    await conversation.frame();
    const [state, before] = [await conversation.keptState(), await topOf('a-20')];
    await conversation.close();
    conversation = await ConversationPage.open(built, { state });
    await conversation.begin(entries);
    await conversation.frame();
    assert.ok(Math.abs((await topOf('a-20')) - before) <= 1);
  });

  it('folds nothing under a filter', async () => {
    const entries = [
      ...turn('a', 9, start, 3),
      message('agent', 'By the way', { id: 'm', at: start + 20_000 }),
    ];
    await conversation.begin(entries);
    const filter = conversation.page.locator('#filter');
    await filter.selectOption('errors');
    assert.deepEqual(
      await conversation.page
        .locator('[data-event]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-event'))),
      ['a-3'],
    );
    await filter.selectOption('messages');
    assert.equal(await conversation.page.locator('[data-event]').count(), 3);
    assert.equal(await line(/steps/).count(), 0);
  });

  it('goes to the next and previous message, and to the end', async () => {
    const long = (name: string) => `${name}\n\n${'It says some more.\n\n'.repeat(40)}`;
    const entries = ['a', 'b', 'c'].flatMap((name, index) => [
      message('user', long(name), { id: `${name}-user`, at: start + index * minute }),
      read('x', { id: `${name}-read`, at: start + index * minute + 1 }),
      message('agent', long(name), { id: `${name}-agent`, at: start + index * minute + 2 }),
    ]);
    await conversation.begin(entries);
    const toEnd = conversation.button('Scroll to End');
    assert.equal(await toEnd.count(), 0);
    for (const expected of ['c-agent', 'c-user', 'b-agent']) {
      await conversation.send({ type: 'move', to: 'previous' });
      await conversation.frame();
      assert.equal(await focused(), expected);
    }
    const top = await conversation.scroller.evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(Math.abs((await topOf('b-agent')) - top) <= 2);
    await conversation.send({ type: 'move', to: 'next' });
    await conversation.frame();
    assert.equal(await focused(), 'c-user');
    await toEnd.click();
    await conversation.frame();
    assert.equal(await toEnd.count(), 0);
    await conversation.scrollBy(-2_000);
    await toEnd.waitFor();
    // What it lies over doesn't show through it, also under the pointer.
    const background = await toEnd.evaluate((one) => getComputedStyle(one).backgroundColor);
    assert.match(background, /^rgb\(/);
    await conversation.send({ type: 'move', to: 'end' });
    await conversation.frame();
    assert.ok(
      await conversation.scroller.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 8),
    );
  });

  it('names its lines for screen readers, and counts what is here of a longer turn', async () => {
    const part = [...turn('a', 9, start).slice(1)].map((entry) =>
      entry.id === 'a-2' && entry.kind === 'step' ? { ...entry, problem: clipped('No such file') } : entry,
    );
    await conversation.begin(part, {}, { hasOlder: true });
    const article = conversation.page.locator('[data-key="turn:a-8"]');
    assert.equal(await article.getAttribute('aria-label'), '9+ steps, 1 error');
  });
});
