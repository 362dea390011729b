import assert from 'node:assert/strict';
import {
  clipped,
  error,
  lifelike,
  manyEntries,
  message,
  read,
  separator,
  smallPicture,
  start,
  step,
  terminal,
} from '../../support/conversation/entries';
import { ConversationPage, openConversation } from './conversationPage';
import type { Built } from '../support/builtPage';

describe('reading a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  let built: Built;
  openConversation((page, parts) => ([conversation, built] = [page, parts]));

  const drawn = () => conversation.page.locator('[data-key]').count();
  const topOf = (id: string) =>
    conversation.entry(id).evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const isAtEnd = () =>
    conversation.scroller.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 8);

  it('marks entries, steps and the root for other programs', async () => {
    await conversation.begin(lifelike(), { execution: 'running' });
    assert.equal(await conversation.page.locator('[data-conversation="c-1"]').count(), 1);
    await conversation.page.getByRole('button', { name: 'Read 3 files' }).click();
    const kinds = await conversation.page
      .locator('[data-event]')
      .evaluateAll((all) =>
        all.map((one) => [one.getAttribute('data-kind'), one.getAttribute('data-step')].join(' ').trim()),
      );
    const expected = lifelike().map((entry) =>
      entry.kind === 'step' ? `step ${entry.detail.step}` : entry.kind,
    );
    assert.deepEqual(kinds, expected);
  });

  it('summarizes a step in one line, and expands it in place', async () => {
    const run = terminal('npm test', '\u001b[31mfailing\u001b[0m\u0007', 1, { took: 12_400 });
    await conversation.begin([run]);
    const line = conversation.entry(run.id).getByRole('button');
    assert.equal((await line.innerText()).trim(), 'Ran npm test: exit 1, 12 s');
    assert.equal(await conversation.page.locator('pre').count(), 0);
    await line.click();
    assert.equal(await conversation.page.locator('pre.output').innerText(), 'failing');
    assert.equal(await conversation.page.locator('.fg-1').innerText(), 'failing');
    await conversation.button('Copy Command').click();
    assert.deepEqual(await conversation.next('copy'), { type: 'copy', id: run.id, what: 'command' });
  });

  it('shows what the agent is writing, then the message in its place', async () => {
    const asked = message('user', 'Explain it', { id: 'q' });
    await conversation.begin([asked], { execution: 'running' });
    const part = conversation.page.locator('[data-written="part"]');
    assert.equal(await part.count(), 0);
    await conversation.setHead({ written: { id: 'said', text: 'First, **the build**' } });
    assert.equal(await part.getAttribute('aria-label'), 'The agent is writing…');
    assert.match(await part.innerText(), /^Agent\s+writing…\s+First, the build$/);
    assert.equal(await part.locator('strong').innerText(), 'the build');
    assert.ok(await isAtEnd());
    const long = Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n');
    await conversation.setHead({ written: { id: 'said', text: long } });
    await part.getByText('Line 79').waitFor();
    assert.ok(await isAtEnd(), 'it’s followed');
    await conversation.scroller.evaluate((one) => (one.scrollTop = 0));
    const top = await topOf('q');
    await conversation.setHead({ written: { id: 'said', text: `${long}\n\nmore` } });
    assert.equal(await topOf('q'), top, 'who reads further up isn’t moved');
    await conversation.append(1, message('agent', `${long}\n\nmore and the end.`, { id: 'said' }));
    assert.equal(await part.count(), 0);
    assert.equal(await conversation.page.locator('[data-key="said"]').count(), 1);
    await conversation.setHead({ written: null });
    assert.equal(await conversation.entry('said').getAttribute('data-kind'), 'message');
    await conversation.setHead({ written: { id: 'next', text: 'Then' } });
    assert.equal(await part.count(), 1);
  });

  it('says on which port the agent’s program listens, in turns that are folded, too, and opens its page', async () => {
    const work = Array.from({ length: 6 }, (_, index) => terminal(`echo ${index}`, '', 0));
    const line = separator('listening', '', { id: 'port-5173', port: 5173 });
    const answer = message('agent', 'Done');
    await conversation.begin([
      message('user', 'Serve it'),
      ...work,
      line,
      terminal('sleep 1', '', 0),
      answer,
    ]);
    const entry = conversation.entry(line.id);
    assert.equal((await entry.innerText()).replaceAll(/\s+/g, ' ').trim(), 'Listening on 5173 · Open');
    assert.match((await entry.getAttribute('aria-label')) ?? '', /^Listening on 5173, /);
    await conversation.button('Open port 5173').click();
    assert.deepEqual(await conversation.next('openPort'), { type: 'openPort', id: line.id });
  });

  it('shows a message’s pictures when asked, from data URIs only', async () => {
    const asked: string[] = [];
    await conversation.begin([message('user', 'Look', { id: 'm', images: 2 })]);
    conversation.page.on('request', (request) => asked.push(request.url().slice(0, 20)));
    assert.equal(await conversation.page.locator('img').count(), 0);
    await conversation.button('Show 2 Pictures').click();
    assert.equal((await conversation.next('showPictures')).id, 'm');
    await conversation.send({ type: 'pictures', id: 'm', uris: [smallPicture, smallPicture] });
    const pictures = conversation.entry('m').getByRole('img');
    assert.deepEqual(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('alt'))), [
      'Picture 1',
      'Picture 2',
    ]);
    assert.ok(await pictures.first().evaluate((one: HTMLImageElement) => one.decode().then(() => true)));
    assert.deepEqual(
      asked.filter((url) => !url.startsWith('data:')),
      [],
    );
  });

  it('shows a picture as large as there is room after a click, and each thought by its first words', async () => {
    const thought = step({ step: 'think', text: 'The **user** wants the failing test fixed.' }, { id: 't' });
    const looked = step(
      { step: 'browser', tool: 'browser_get_state', input: '{}', output: clipped('A page') },
      { id: 'b', images: 1 },
    );
    await conversation.begin([
      thought,
      looked,
      message('agent', 'مرحبا', { id: 'm', thought: 'So it is done.' }),
    ]);
    assert.equal(
      await conversation.entry('t').innerText(),
      'Thought: The user wants the failing test fixed.',
    );
    assert.match(await conversation.entry('m').innerText(), /Thought: So it is done\./);
    await conversation.entry('b').getByRole('button').click();
    assert.equal((await conversation.next('showPictures')).id, 'b');
    await conversation.send({ type: 'pictures', id: 'b', uris: [smallPicture] });
    const picture = conversation.page.getByRole('button', { name: 'Picture 1' });
    const largest = () => picture.locator('img').evaluate((one) => getComputedStyle(one).maxHeight);
    assert.equal(await largest(), '320px');
    await picture.click();
    assert.equal(await largest(), 'none');
    assert.deepEqual(await conversation.axe(), []);
  });

  it('finds in a box above the transcript that moves nothing', async () => {
    await conversation.begin(manyEntries(9));
    const top = () => conversation.scroller.evaluate((one) => one.getBoundingClientRect().top);
    const before = await top();
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.locator('#search').waitFor();
    assert.equal(await top(), before);
    await conversation.button('Close').click();
    assert.equal(await conversation.page.locator('#search').count(), 0);
  });

  it('says that there are no events only if that’s certain', async () => {
    const empty = conversation.page.locator('.empty');
    await conversation.begin([], { readAt: null });
    assert.equal(await empty.innerText(), 'Loading the conversation…');
    await conversation.setHead({ readAt: start });
    assert.equal(await empty.innerText(), 'No events yet');
    await conversation.setHead({ limit: 'noEvents' });
    assert.equal(await empty.innerText(), '');
    await conversation.page.getByText('This service doesn’t offer transcripts. You can read').waitFor();
    await conversation.button('Open in Browser').waitFor();
  });

  it('folds steps that only look around, and never folds errors', async () => {
    const entries = lifelike();
    await conversation.begin(entries, { execution: 'running' });
    assert.equal(await conversation.page.locator('[data-step="read"]').count(), 0);
    assert.match(
      await conversation.page.locator('article[data-state="failed"]').innerText(),
      /needs the argument “task”/,
    );
    assert.match(await conversation.page.locator('[data-kind="error"]').innerText(), /RateLimitError/);
    const fold = conversation.page.getByRole('button', { name: 'Read 3 files' });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.click();
    assert.equal(await conversation.page.locator('[data-step="read"]').count(), 3);
  });

  it('opens diffs and whole texts through the editor', async () => {
    const edit = step(
      {
        step: 'edit',
        path: 'a.ts',
        isNew: false,
        added: 1,
        removed: 0,
        diff: [{ kind: 'added', text: 'x' }],
        hasContents: true,
      },
      { id: 'edit' },
    );
    const long = step(
      { step: 'terminal', command: 'seq 9', output: clipped('1\n2', 90_000), exitCode: 0 },
      { id: 'long' },
    );
    await conversation.begin([edit, long]);
    await conversation.entry('edit').getByRole('button').click();
    await conversation.button('Open Diff').click();
    assert.equal((await conversation.next('openDiff')).id, 'edit');
    await conversation.entry('long').getByRole('button').click();
    await conversation.button('Open Whole Text').click();
    assert.equal((await conversation.next('openWhole')).id, 'long');
    await conversation.button('Open as Text').click();
    await conversation.next('openAsText');
    await conversation.button('Export…').click();
    await conversation.next('export');
  });

  it('opens the whole of a long error, of the agent or of a step', async () => {
    const whole = { id: 'agent', text: clipped('Begin … end', 90_000) };
    const failed = step(
      { step: 'other', tool: 'delegate', input: '{}', output: null },
      { id: 'step', state: 'failed', problem: clipped('Begin … end', 90_000) },
    );
    await conversation.begin([error('ModelError', '', whole), failed]);
    for (const id of ['agent', 'step']) {
      await conversation.entry(id).getByRole('button', { name: 'Open Whole Text' }).click();
      assert.equal((await conversation.next('openWhole')).id, id);
    }
  });

  it('draws at most 200 of 5,000 entries, and every one can be reached', async () => {
    const entries = manyEntries(5_000);
    await conversation.begin(entries);
    assert.ok(await isAtEnd());
    assert.ok(await conversation.entry('many-4999').isVisible());
    assert.ok((await drawn()) <= 200);
    const seen = new Set<string>();
    for (const share of [0.9, 0.5, 0.25, 0.1, 0]) {
      await conversation.scroller.evaluate((one, part) => one.scrollTo(0, one.scrollHeight * part), share);
      await conversation.frame();
      assert.ok((await drawn()) <= 200);
      const shown = await conversation.page.locator('[data-event]').evaluateAll((all) => {
        const view = document.getElementById('feed')!.getBoundingClientRect();
        return all
          .filter((one) => {
            const box = one.getBoundingClientRect();
            return box.bottom > view.top && box.top < view.bottom;
          })
          .map((one) => one.getAttribute('data-event') ?? '');
      });
      assert.ok(shown.length > 3, `nothing at ${share}`);
      for (const id of shown) seen.add(id);
    }
    assert.ok(seen.has('many-0'));
    await conversation.scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await conversation.frame();
    await conversation.frame();
    assert.ok(await conversation.entry('many-4999').isVisible());
  });

  it('keeps the view in place when scrolling through entries of unknown height', async () => {
    await conversation.begin(manyEntries(1_000));
    for (let turn = 0; turn < 30; turn += 1) {
      const before = await conversation.page.evaluate(() => {
        const view = document.getElementById('feed')!.getBoundingClientRect();
        const found = [...document.querySelectorAll('[data-event]')].find(
          (one) => one.getBoundingClientRect().top > view.top + 100,
        )!;
        return { id: found.getAttribute('data-event')!, top: found.getBoundingClientRect().top };
      });
      await conversation.scrollBy(-300);
      assert.ok(Math.abs((await topOf(before.id)) - before.top - 300) <= 2, `turn ${turn}`);
    }
  });

  it('follows new entries at the end, and stays put further up with a count of new ones', async () => {
    const entries = manyEntries(60);
    await conversation.begin(entries);
    const later = (id: string) => message('agent', `New ${id}`, { id, at: start + 1e9 });
    await conversation.append(60, later('n1'));
    assert.ok(await isAtEnd());
    await conversation.scrollBy(-400);
    const top = await topOf('many-50');
    await conversation.append(61, later('n2'), later('n3'));
    await conversation.frame();
    assert.equal(await topOf('many-50'), top);
    await conversation.button('2 new').click();
    await conversation.frame();
    assert.ok(await isAtEnd());
    assert.ok(await conversation.entry('n3').isVisible());
    assert.equal(await conversation.page.locator('.unseen').count(), 0);
  });

  it('loads older entries near the top without moving the view', async () => {
    const entries = manyEntries(400);
    await conversation.begin(entries.slice(200), {}, { hasOlder: true });
    await conversation.scroller.evaluate((one) => one.scrollTo(0, 300));
    await conversation.next('loadOlder');
    await conversation.frame();
    const [id] = await conversation.page
      .locator('[data-event]')
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().top > 200)
          .map((one) => one.getAttribute('data-event')!),
      );
    const top = await topOf(id!);
    await conversation.send(
      { type: 'entries', at: 0, removed: 0, added: entries.slice(0, 200), hasOlder: false },
      { type: 'olderLoaded', problem: '' },
    );
    await conversation.frame();
    assert.ok(Math.abs((await topOf(id!)) - top) <= 1);
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type !== 'locate'),
      [],
    );
  });

  it('retries a failed load of older entries only on request', async () => {
    await conversation.begin(manyEntries(5), {}, { hasOlder: true });
    await conversation.next('loadOlder');
    await conversation.send({ type: 'olderLoaded', problem: 'The service didn’t answer.' });
    assert.match(await conversation.page.locator('.notices').innerText(), /didn’t answer/);
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type !== 'locate'),
      [],
    );
    await conversation.button('Load Earlier Events').click();
    await conversation.next('loadOlder');
  });

  it('restores place, filter, and draft after being hidden', async () => {
    await conversation.begin(manyEntries(300));
    await conversation.composer.fill('Not finished yet');
    await conversation.scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight / 2));
    await conversation.frame();
    await conversation.frame();
    const state = (await conversation.keptState()) as { place: { id: string; offset: number } };
    const top = await topOf(state.place.id);
    conversation = await ConversationPage.open(built, { state });
    const { draft } = await conversation.next('ready');
    assert.equal(draft.text, 'Not finished yet');
    await conversation.send({
      type: 'begin',
      id: 'c-1',
      service: 'http://service.invalid',
      draft,
    });
    await conversation.setHead({});
    await conversation.send({
      type: 'entries',
      at: 0,
      removed: 0,
      added: manyEntries(300).slice(250),
      hasOlder: true,
    });
    assert.equal((await conversation.next('goTo')).id, state.place.id);
    await conversation.send(
      { type: 'entries', at: 0, removed: 0, added: manyEntries(300).slice(0, 250), hasOlder: false },
      { type: 'reveal', id: state.place.id },
    );
    await conversation.frame();
    assert.ok(Math.abs((await topOf(state.place.id)) - top) <= 1);
    assert.equal(await conversation.composer.inputValue(), 'Not finished yet');
  });

  it('gives an entry the focus if the user comes for it, and never takes it from the composer', async () => {
    await conversation.begin(manyEntries(300));
    const entry = manyEntries(300)[40]!.id;
    const isFocused = () =>
      conversation.page.evaluate((id) => document.activeElement?.getAttribute('data-key') === id, entry);
    await conversation.composer.focus();
    await conversation.send({ type: 'reveal', id: entry });
    await conversation.frame();
    assert.equal(await isFocused(), false);
    await conversation.send({ type: 'focus', on: 'feed' });
    await conversation.send({ type: 'reveal', id: entry });
    await conversation.frame();
    assert.equal(await isFocused(), true);
    await conversation.send({ type: 'restart' });
    await conversation.begin(manyEntries(300));
    assert.equal(await isFocused(), true);
  });

  it('filters, and puts a heading before each day', async () => {
    const day = 86_400_000;
    const entries = [
      message('user', 'Hello', { id: 'a', at: start }),
      terminal('ls', 'x', 0, { id: 'b', at: start + day }),
      error('Failed', 'Why', { id: 'c', at: start + day + 1 }),
      separator('paused', '', { id: 'd', at: start + day + 2 }),
    ];
    await conversation.begin(entries);
    assert.equal(await conversation.page.locator('.day').count(), 2);
    const filter = conversation.page.getByLabel('Show', { exact: true });
    const ids = () =>
      conversation.page
        .locator('[data-event]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-event')));
    await filter.selectOption('Messages only');
    assert.deepEqual(await ids(), ['a']);
    await filter.selectOption('Errors only');
    assert.deepEqual(await ids(), ['c']);
    await filter.selectOption('Everything');
    assert.deepEqual(await ids(), ['a', 'b', 'c', 'd']);
    assert.match((await conversation.entry('a').getAttribute('title')) ?? '', /November 21, 2026/);
  });

  it('searches the whole transcript from the keyboard, with count, next, and previous', async () => {
    await conversation.begin(manyEntries(1_000), {}, { hasOlder: true });
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.type('answer');
    // Typing on a slow machine may search several times.
    while ((await conversation.next('search')).query !== 'answer');
    const ids = ['older', 'many-3', 'many-998'];
    await conversation.send({ type: 'found', query: 'answer', ids, searched: 'all' });
    await conversation.frame();
    const count = () => conversation.page.locator('search [role="status"]').innerText();
    assert.equal(await count(), '3 of 3');
    assert.equal(await conversation.page.locator('[data-found]').getAttribute('data-event'), 'many-998');
    const marked = () => conversation.page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
    assert.ok((await marked()) > 0);
    await conversation.page.keyboard.press('Shift+Enter');
    await conversation.frame();
    assert.equal(await count(), '2 of 3');
    assert.ok(await conversation.entry('many-3').isVisible());
    await conversation.page.keyboard.press('Shift+Enter');
    assert.equal((await conversation.next('goTo')).id, 'older');
    await conversation.send({ type: 'found', query: 'stale', ids: [], searched: 'all' });
    assert.equal(await count(), '1 of 3');
    await conversation.send({ type: 'found', query: 'answer', ids, searched: 'part' });
    await conversation.page.getByText('1 of 3 (incomplete)').waitFor();
    await conversation.send({ type: 'found', query: 'answer', ids: [], searched: 'part' });
    await conversation.page.getByText('No results (incomplete)').waitFor();
    await conversation.page.keyboard.press('Escape');
    assert.equal((await conversation.next('search')).query, '');
    assert.equal(await marked(), 0);
  });

  it('returns from the search to where the focus was, or else to what was found', async () => {
    await conversation.begin(manyEntries(1_000));
    const composer = conversation.page.locator('[data-composer]');
    await composer.focus();
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.press('Escape');
    await composer.and(conversation.page.locator(':focus')).waitFor();
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.type('answer');
    while ((await conversation.next('search')).query !== 'answer');
    await conversation.send({ type: 'found', query: 'answer', ids: ['many-3'], searched: 'all' });
    await conversation.entry('many-3').waitFor();
    await conversation.page.keyboard.press('Escape');
    await conversation.entry('many-3').and(conversation.page.locator(':focus')).waitFor();
  });

  it('highlights matches, even after letters that get longer in lower case', async () => {
    await conversation.begin([message('agent', 'İİİİİİİİ a NEEDLE (1.5)')]);
    await conversation.page.keyboard.press('Control+f');
    for (const [query, found] of [
      ['needle', 'NEEDLE'],
      ['(1.5)', '(1.5)'],
    ] as const) {
      await conversation.page.locator('#search').fill(query);
      await conversation.frame();
      const marked = await conversation.page.evaluate(() =>
        [...(CSS.highlights.get('found') ?? [])].map((range) => (range as Range).toString()),
      );
      assert.deepEqual(marked, [found]);
    }
  });

  it('matches case and whole words on demand', async () => {
    await conversation.begin([message('agent', 'Cart, cart, Carts')]);
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.locator('#search').fill('Cart');
    while ((await conversation.next('search')).query !== 'Cart');
    const marked = async () => {
      await conversation.frame();
      return conversation.page.evaluate(() =>
        [...(CSS.highlights.get('found') ?? [])].map((range) => (range as Range).toString()),
      );
    };
    assert.deepEqual(await marked(), ['Cart', 'cart', 'Cart']);
    await conversation.button('Match Case').click();
    assert.equal((await conversation.next('search')).matchCase, true);
    assert.deepEqual(await marked(), ['Cart', 'Cart']);
    await conversation.button('Match Whole Word').click();
    const { matchCase, wholeWord } = await conversation.next('search');
    assert.deepEqual([matchCase, wholeWord], [true, true]);
    assert.deepEqual(await marked(), ['Cart']);
    assert.equal(await conversation.button('Match Case').getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await conversation.axe(), []);
    await conversation.button('Match Case').click();
    assert.equal((await conversation.next('search')).matchCase, false);
    assert.deepEqual(await marked(), ['Cart', 'cart']);
  });

  it('leaves keys to an input method while searching', async () => {
    await conversation.begin(manyEntries(20));
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.type('kaki');
    await conversation.send({ type: 'found', query: 'kaki', ids: ['many-3', 'many-8'], searched: 'all' });
    const input = conversation.page.locator('#search');
    for (const key of ['Enter', 'Escape'])
      assert.equal(
        await input.evaluate(
          (element, pressed) =>
            element.dispatchEvent(
              new KeyboardEvent('keydown', {
                key: pressed,
                isComposing: true,
                bubbles: true,
                cancelable: true,
              }),
            ),
          key,
        ),
        true,
      );
    assert.equal(await conversation.page.locator('search [role="status"]').innerText(), '2 of 2');
  });

  it('opens the search with its key on a keyboard without Latin letters, too', async () => {
    await conversation.begin(manyEntries(20));
    const press = (key: string, code: string) =>
      conversation.page.evaluate(
        (pressed) => document.body.dispatchEvent(new KeyboardEvent('keydown', pressed)),
        { key, code, ctrlKey: true, bubbles: true },
      );
    await press('u', 'KeyF');
    assert.equal(await conversation.page.locator('#search').count(), 0);
    await press('а', 'KeyF');
    assert.equal(await conversation.page.locator('#search').count(), 1);
  });

  it('unfolds the steps around a match', async () => {
    const steps = ['a.ts', 'b.ts', 'c.ts'].map((path) => read(path, { id: path }));
    await conversation.begin([message('user', 'Look'), ...steps, ...manyEntries(100)]);
    await conversation.page.keyboard.press('Control+f');
    await conversation.page.keyboard.type('b.ts');
    await conversation.send({ type: 'found', query: 'b.ts', ids: ['b.ts'], searched: 'all' });
    await conversation.frame();
    assert.equal(await conversation.entry('b.ts').getAttribute('data-found'), 'current');
    assert.ok(await conversation.entry('b.ts').isVisible());
  });

  it('is a feed that arrow keys navigate, even beyond what’s drawn', async () => {
    await conversation.begin(manyEntries(500));
    assert.equal(await conversation.page.getByRole('feed').count(), 1);
    const focused = () =>
      conversation.page.evaluate(() => document.activeElement?.getAttribute('data-event'));
    await conversation.entry('many-499').focus();
    await conversation.page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'many-498');
    for (let count = 0; count < 200; count += 1) await conversation.page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'many-298');
    assert.ok(await conversation.entry('many-298').isVisible());
    const article = conversation.entry('many-298');
    assert.match((await article.getAttribute('aria-label')) ?? '', /^You, .*: Answer 298$/);
    // One more than the entries: the day’s heading.
    assert.equal(await article.getAttribute('aria-setsize'), '501');
    const line = conversation.entry('many-297').getByRole('button');
    await conversation.page.keyboard.press('ArrowUp');
    await conversation.page.keyboard.press('Enter');
    assert.equal(await line.first().getAttribute('aria-expanded'), 'true');
    await conversation.page.keyboard.press('Space');
    assert.equal(await line.first().getAttribute('aria-expanded'), 'false');
    await conversation.page.keyboard.press('End');
    assert.equal(await focused(), 'many-499');
    await conversation.page.keyboard.press('Home');
    assert.equal(
      await conversation.page.evaluate(() => document.activeElement?.getAttribute('data-key')),
      'day:many-0',
    );
  });

  it('announces an agent’s new message once, politely', async () => {
    await conversation.begin(manyEntries(3));
    const announcer = conversation.page.locator('body > [role="status"]');
    assert.equal(await announcer.textContent(), '');
    await conversation.append(3, message('agent', 'All tests **pass**.', { id: 'n', at: start + 1e9 }));
    assert.equal(await announcer.textContent(), 'Agent: All tests **pass**.');
    await conversation.setHead({ title: 'Other' });
    await conversation.append(4, terminal('ls', '', 0, { id: 'm', at: start + 2e9 }));
    assert.equal(await announcer.textContent(), 'Agent: All tests **pass**.');
  });

  it('shows figures, limits and the live line, and steers the agent', async () => {
    await conversation.begin(manyEntries(3), {
      execution: 'running',
      live: { text: 'Running `pytest -q`', since: Date.now() - 40_000 },
      masked: 3,
      limit: 'busy',
    });
    const header = await conversation.page.locator('.head').innerText();
    for (const words of [
      'Working',
      '$0.83',
      '48.2K tokens',
      'Context 32% full',
      '3 secrets masked',
      'northwind/webshop',
      'fix/slugs',
      '#318',
      'claude-sonnet-4-5',
      'Sandbox',
      'Approvals: medium risk or higher ▾',
    ])
      assert.ok(header.includes(words), words);
    assert.match(await conversation.page.locator('.live').innerText(), /Running `pytest -q`\s+4\d s/);
    await conversation.button('Pause').click();
    await conversation.next('pause');
    assert.equal(await conversation.button('Pause').getAttribute('aria-disabled'), 'true');
    await conversation.send({ type: 'outcome', of: 'pause', problem: '' });
    await conversation.button('Interrupt').click();
    await conversation.next('interrupt');
    await conversation.setHead({ execution: 'paused', live: null });
    await conversation.button('Resume').click();
    await conversation.next('resume');
    await conversation.setHead({ limit: 'unreachable' });
    assert.equal(await conversation.button('Resume').count(), 0);
    await conversation.button('Open in Browser').click();
    await conversation.next('nextStep');
  });

  it('says why a conversation is unavailable, and recovers', async () => {
    await conversation.next('ready');
    await conversation.send({ type: 'unavailable', message: 'Not connected.', nextStep: 'Run Connect….' });
    assert.match(await conversation.page.getByRole('alert').innerText(), /Not connected/);
    assert.equal(await conversation.page.getByRole('button').count(), 0);
    await conversation.send({ type: 'unavailable', message: 'm', nextStep: 'n', button: 'Connect…' });
    // Again, too: whoever is asked can cancel.
    for (let times = 0; times < 2; times += 1) {
      await conversation.button('Connect…').click();
      await conversation.next('nextStep');
    }
    await conversation.send({ type: 'restart' });
    await conversation.begin(manyEntries(2));
    assert.equal(await conversation.page.locator('[data-event]').count(), 2);
  });

  it('keeps its place when another connection to the service takes over', async () => {
    await conversation.begin(manyEntries(300));
    await conversation.scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight / 2));
    await conversation.frame();
    await conversation.frame();
    const { place } = (await conversation.keptState()) as { place: { id: string } };
    const top = await topOf(place.id);
    await conversation.send({ type: 'restart' });
    await conversation.begin(manyEntries(300));
    assert.ok(Math.abs((await topOf(place.id)) - top) <= 1);
  });

  it('refuses forged messages and keeps what it shows', async () => {
    await conversation.begin(manyEntries(2));
    for (const forged of [
      { type: 'head' },
      { type: 'entries', at: 0 },
      { type: 'x' },
      { type: 'focus', on: 'body' },
    ]) {
      await conversation.send(forged);
      assert.ok((await conversation.next('refused')).what.length > 0);
    }
    assert.equal(await conversation.page.locator('[data-event]').count(), 2);
  });

  it('respects reduced motion', async () => {
    await conversation.page.emulateMedia({ reducedMotion: 'reduce' });
    await conversation.begin([], { live: { text: 'Thinking', since: Date.now() } });
    const animation = await conversation.page
      .locator('.spinner')
      .evaluate((one) => getComputedStyle(one).animationName);
    assert.equal(animation, 'none');
  });
});
