import assert from 'node:assert/strict';
import { conflictId } from '../../../../src/features/settings/page/ids';
import { setText } from '../../../../src/features/settings/page/model';
import type { FormState } from '../../../../src/features/settings/page/state';
import type { ShownForm } from '../../../../src/features/settings/shared/messages';
import { files, formMessage, reviewMessage, sampleModel } from '../../../ui/form/samples';
import { drawnForm } from './drawnForm';

const form = (change: Partial<ShownForm> = {}) => formMessage(undefined, change);

describe('the settings page', () => {
  const bar = ({ buttons }: { buttons: string[] }) => buttons.slice(0, 3);

  it('waits for the settings, and can try again where they can’t be read', () => {
    const { app, asked, now } = drawnForm();
    assert.match(now().text, /Loading settings from the service…/);
    app.receive({ type: 'failed', message: 'No answer.', nextStep: 'Start it.' });
    assert.match(now().text, /No answer\. Start it\. Try Again$/);
    assert.deepEqual(asked('Try Again'), ['retry']);
  });

  it('reviews, reverts, and saves once something is changed', () => {
    const { app, asked, now } = drawnForm(form());
    assert.deepEqual(bar(now()), ['Review changes (disabled)', 'Revert (disabled)', 'Save (disabled)']);
    assert.deepEqual(asked('Review changes'), []);
    app.change((of) => setText(of, 'git_user_name', 'Grace'));
    assert.deepEqual(bar(now()), ['Review changes', 'Revert', 'Save']);
    assert.deepEqual(asked('Review changes'), ['edits', 'review']);
    app.receive(reviewMessage());
    assert.match(now().text, /Review changes Changed Before After Model Language model/);
    assert.deepEqual(asked('Back'), []);
    assert.doesNotMatch(now().text, /Changed Before After/);
    assert.deepEqual(asked('Save'), ['review'], 'the first save shows what it changes');
    app.receive(reviewMessage());
    assert.deepEqual(asked('Save', 1), ['save']);
    assert.deepEqual(bar(now()), ['Review changes (disabled)', 'Revert (disabled)', 'Save (disabled)']);
  });
  it('has each setting with its title, value, and help, once it was drawn', () => {
    const { now } = drawnForm(form());
    const { html, text } = now();
    assert.match(html, /<main\s+aria-busy="false"/);
    const valueOf = (field: string) =>
      new RegExp(`<(?:input|aw-combobox|select)\\b[^>]*field="${field}"[^>]*>`).exec(html)?.[0] ?? '';
    assert.match(valueOf('llm_model'), /invalid="false"[^]* value="anthropic\/claude-sonnet-4-5"/);
    assert.match(valueOf('max_iterations'), /class="number"\s+inputmode="numeric"[^]* value="250"/);
    assert.match(valueOf('enable_sound_notifications'), /checked="false"/);
    assert.doesNotMatch(valueOf('git_user_name'), /disabled|aria-invalid="true"/);
    assert.match(text, /Language model/);
    assert.match(
      text,
      /filesystem [^]*npx -y @modelcontextprotocol\/server-filesystem \/workspace · 1 variable/,
    );
    assert.match(text, /https:\/\/search\.example\.com\/mcp [^]*with key/);
    const [first] = files.env;
    const two = { ...files, env: [first!, { ...first!, name: 'OTHER' }] };
    const several = drawnForm(
      formMessage(sampleModel({ mcpServers: [two, { ...files, id: 'four', env: [] }] })),
    );
    assert.match(several.now().text, /\/workspace · 2 variables/);
    assert.doesNotMatch(text + several.now().text, /[01] variables/);
  });

  it('marks what can’t be saved, and says why', () => {
    const { app, now } = drawnForm(form());
    app.change((of) => setText(of, 'max_iterations', 'many'));
    const target = { at: 'field', field: 'llm_model' } as const;
    const box = { at: 'field', field: 'confirmation_mode' } as const;
    assert.match(now().html, /data-field="confirmation_mode"[^>]*aria-invalid="false"/);
    app.change((of) => ({
      ...of,
      refused: [target, box].map((one) => ({ target: one, message: 'No such model.' })),
    }));
    assert.match(now().html, /data-field="confirmation_mode"[^>]*aria-invalid="true"/);
    const { html, text } = now();
    assert.match(html, /data-field="max_iterations"[^>]*aria-invalid="true"/);
    assert.match(html, /<aw-combobox[^>]*field="llm_model"[^>]*invalid="true"/);
    assert.match(text, /No such model\. [^]*Enter a number, using digits/);
  });

  it('saves nothing that can’t be saved, and leads to it', () => {
    const { app, asked, focused, now } = drawnForm(form());
    app.change((of) => setText(of, 'max_iterations', 'many'));
    assert.deepEqual(asked('Save'), []);
    assert.deepEqual(focused, ['field-max_iterations']);
    assert.match(now().text, /Not saved: 1 value needs your attention\./);
    app.change((of) => setText(of, 'max_budget_per_task', 'much'));
    asked('Save');
    assert.match(now().text, /Not saved: 2 values need your attention\./);
  });

  it('shows only what a search finds, in sections that have any of it', () => {
    const { app, now, asked } = drawnForm(form());
    const sections = (words: string) => {
      app.set({ search: words });
      return [...now().html.matchAll(/<section\b[^>]*>/g)].flatMap(([tag]) =>
        tag.includes('hidden') ? [] : (/id="([^"]*)"/.exec(tag)?.[1] ?? []),
      );
    };
    const all = sections('');
    assert.ok(all.length > 5);
    for (const [words, section] of [
      ['code.example.com', 'providers'],
      ['server-filesystem', 'mcp'],
      ['condenser_max_size', 'other'],
      ['Most helpers', 'more'],
      ['git_user_email', 'git'],
    ] as const)
      assert.deepEqual(
        sections(words).map((id) => id.replace(/^section-/, '')),
        [section],
        words,
      );
    const hidden = (field: string) =>
      new RegExp(
        `<div class="field"[^>]*hidden[^>]*>\\s*<div class="title-line">\\s*<label[^>]*for="field-${field}"`,
      ).test(now().html);
    sections('git_user_email');
    assert.deepEqual([hidden('git_user_email'), hidden('git_user_name')], [false, true]);
    assert.deepEqual(sections('nowhere'), []);
    app.receive(formMessage(sampleModel({ mcpServers: [] }), { document: 'none' }));
    assert.deepEqual(sections('mcp_config'), ['section-mcp'], 'where the first is added');
    app.receive({ ...form(), document: 'again' });
    sections('nowhere');
    assert.match(now().text, /No settings match “nowhere”\./);
    asked('Clear search');
    assert.deepEqual(sections(app.state.search), all);
  });

  it('asks which value to keep of each that changed on both sides', () => {
    const { app, now, asked } = drawnForm(form());
    const conflict = { key: 'agent', label: 'Agent', previous: 'Old', mine: 'Mine', theirs: 'Theirs' };
    app.set({ conflicts: [conflict, { ...conflict, key: 'language', label: 'Language' }] });
    assert.match(
      now().text,
      /Changed on the service too[^]*Agent Before: Old Yours: Mine On the service: Theirs/,
    );
    now().dispatch(`id="${conflictId('agent', 'theirs')}"`, 'change');
    assert.deepEqual(app.state.choices, { agent: 'theirs' });
    const radio = (key: string, side: string) =>
      new RegExp(`id="${conflictId(key, side)}"\\s+name="([^"]*)"\\s+checked="(\\w+)"`)
        .exec(now().html)
        ?.slice(1);
    const group = 'conflict-agent-choice';
    assert.deepEqual(radio('agent', 'theirs'), [group, 'true']);
    assert.deepEqual(radio('agent', 'mine'), [group, 'false']);
    assert.deepEqual(radio('language', 'mine'), ['conflict-language-choice', 'false']);
    asked('Keep all of mine');
    assert.deepEqual(app.state.choices, { agent: 'mine', language: 'mine' });
    asked('Use all from the service');
    assert.deepEqual(app.state.choices, { agent: 'theirs', language: 'theirs' });
  });

  it('offers to undo a save until something is changed', () => {
    const { app, now, asked } = drawnForm(form());
    app.set({ outcome: { kind: 'saved', undo: 'possible' } });
    assert.deepEqual(asked('Undo this save'), ['undoSave']);
    for (const undo of ['impossible', 'done'] as const) {
      app.set({ outcome: { kind: 'saved', undo } });
      assert.ok(!now().buttons.includes('Undo this save'), undo);
    }
    app.set({ outcome: { kind: 'saved', undo: 'possible' } });
    app.change((of) => setText(of, 'git_user_name', 'Grace'));
    assert.ok(!now().buttons.includes('Undo this save'));
  });

  it('says how the changes stand, and leads to the first', () => {
    const { app, now, focused, asked } = drawnForm(form());
    const status = () => {
      const [, tone, words = ''] = /id="status" data-tone="(\w+)"[^>]*>([^]*?)<\/p>/.exec(now().html) ?? [];
      return [tone, words.replace(/<[^>]*>/g, '').trim()];
    };
    const edit = (name: string) => app.change((of) => setText(of, 'git_user_name', name));
    assert.deepEqual(status(), ['calm', 'No unsaved changes']);
    edit('Grace');
    assert.deepEqual(status(), ['changed', '1 unsaved change']);
    asked('1 unsaved change');
    assert.deepEqual(focused, ['field-git_user_name']);
    app.change((of) => setText(of, 'git_user_email', 'g@example.com'));
    assert.deepEqual(status(), ['changed', '2 unsaved changes']);
    const conflicts = [{ key: 'agent', label: 'Agent', previous: '', mine: 'A', theirs: 'B' }];
    app.set({ conflicts, outcome: { kind: 'notSaved', message: 'choose.' } });
    assert.deepEqual(status(), ['bad', 'Not saved: choose.']);
    asked('Not saved: choose.');
    assert.equal(focused.at(-1), conflictId('agent', 'mine'));
    app.choose('agent', 'mine');
    assert.deepEqual(status(), ['changed', 'All conflicts are settled. Save to continue.']);
    app.set({ conflicts: [], outcome: { kind: 'notUndone', message: 'no.' } });
    assert.deepEqual(status(), ['bad', 'Not undone: no.']);
    app.set({ saving: true });
    assert.deepEqual(status(), ['calm', 'Saving…']);
    app.set({ working: 'Parking…' });
    assert.deepEqual(status(), ['calm', 'Parking…']);
    const saved = drawnForm(form());
    saved.app.set({ outcome: { kind: 'notSaved', message: 'no.' } });
    saved.app.save();
    assert.match(saved.now().text, /Save No unsaved changes /, 'there’s nothing to save');
    for (const [undo, words] of [
      ['possible', 'Saved'],
      ['done', 'Last save undone'],
    ] as const) {
      saved.app.set({ outcome: { kind: 'saved', undo } });
      assert.match(saved.now().text, new RegExp(`Save ${words} `));
    }
  });

  it('lets nothing be done while something is saved, and says why there’s nothing to do', () => {
    const { app, now } = drawnForm(form());
    const titles = () => now().html.match(/title="No unsaved changes"/g)?.length ?? 0;
    assert.equal(titles(), 3);
    for (const busy of [{ saving: true }, { working: 'Parking…' }]) {
      app.set({ saving: false, working: null, ...busy });
      assert.match(now().html, /<main inert="" aria-busy="true"/);
      assert.equal(titles(), 0);
    }
    app.set({ saving: false, working: null });
    assert.match(now().html, /<main\s+aria-busy="false"/);
    app.change((of) => setText(of, 'git_user_name', 'Grace'));
    assert.equal(titles(), 0);
  });

  it('can be reverted after a failure or a notice, too', () => {
    const { app, asked } = drawnForm(form());
    for (const state of [
      { outcome: { kind: 'notSaved', message: 'No.' } },
      { outcome: { kind: 'notUndone', message: 'No.' } },
      { notices: ['Your changes may have been saved.'] },
    ] satisfies Partial<FormState>[]) {
      app.set({ outcome: { kind: 'none' }, notices: [], ...state });
      assert.deepEqual(asked('Revert'), ['revert']);
    }
    app.set({ outcome: { kind: 'saved', undo: 'done' }, notices: [] });
    assert.deepEqual(asked('Revert'), []);
  });

  it('shows in a review what a save changes, and saves from there', () => {
    const { app, now, asked } = drawnForm(form());
    const dialog = () => {
      const { html } = now();
      const words = html.slice(html.indexOf('<dialog')).replace(/<[^>]*>/g, ' ');
      return html.includes('<dialog') ? words.replace(/\s+/g, ' ').trim() : undefined;
    };
    app.change((of) => setText(of, 'git_user_name', 'Grace'));
    assert.equal(dialog(), undefined);
    assert.doesNotMatch(now().html, /data-concealed/);
    app.openReview();
    assert.equal(dialog(), 'Review changes Comparing with the service… Back');
    assert.match(now().html, /data-concealed/);
    app.receive(reviewMessage({ groups: [], notes: ['One note.'] }));
    assert.equal(dialog(), 'Review changes No changes: the form matches the service. One note. Back');
    app.openReview();
    app.receive(reviewMessage());
    assert.match(dialog() ?? '', /Variable FILES_TOKEN Set Deleted [^]* Back Save$/);
    now().dispatch('<dialog', 'close');
    assert.equal(dialog(), undefined);
    app.openReview();
    app.receive(reviewMessage());
    assert.deepEqual(asked('Save', 1), ['save']);
    assert.equal(dialog(), undefined);
  });

  it('shows notices and drafts until they’re dealt with', () => {
    const { app, now, asked, focused } = drawnForm(
      form({ notices: ['Saved by another.'], offers: [{ id: 'd', words: ['Two changes.', 'Of today.'] }] }),
    );
    assert.match(now().text, /Two changes\. Of today\. Restore draft Discard Saved by another\. Dismiss/);
    assert.doesNotMatch(now().html, /data-failed/);
    assert.match(now().html, /aria-describedby="(draft-d-title)"[^]*id="\1"/);
    assert.deepEqual(asked('Restore draft'), ['restoreDraft']);
    assert.deepEqual(asked('Discard'), ['discardDraft']);
    assert.deepEqual(focused, ['save', 'save']);
    assert.deepEqual(asked('Dismiss'), ['dismiss']);
    assert.doesNotMatch(now().text, /Saved by another/);
    app.set({ offers: [] });
    assert.doesNotMatch(now().text, /Restore draft/);
  });

  it('leads to its sections, and marks those with changes and problems', () => {
    const { app, now, focused } = drawnForm(form());
    const marks = () =>
      [...now().html.matchAll(/data-target="(\w+)"[^]*?<\/a/g)].flatMap(([tag, section]) => {
        const [, kind, words] = /data-mark="(\w+)" title="([^"]*)"/.exec(tag) ?? [];
        return kind === undefined ? [] : [`${section} ${kind}: ${words}`];
      });
    assert.deepEqual(marks(), []);
    app.change((of) => setText(setText(of, 'git_user_name', 'Grace'), 'git_user_email', 'g@example.com'));
    assert.deepEqual(marks(), ['git changed: 2 unsaved changes']);
    app.change((of) => setText(of, 'max_iterations', 'many'));
    assert.deepEqual(marks(), ['sandbox problem: 1 problem', 'git changed: 2 unsaved changes']);
    app.change((of) => setText(of, 'max_budget_per_task', 'much'));
    assert.deepEqual(marks()[0], 'sandbox problem: 2 problems');
    assert.match(now().html, /<option value="sandbox">[^<]*\(2 problems\)</);
    assert.match(now().html, /<option value="model">Model</);
    let prevented = false;
    now().dispatch('data-target="git"', 'click', { preventDefault: () => (prevented = true) });
    now().dispatch('aria-label="Go to section"', 'change', { target: { value: 'mcp' } });
    now().dispatch('aria-label="Go to section"', 'change', { target: { value: 'none' } });
    assert.deepEqual([prevented, focused], [true, ['section git', 'section mcp']]);
  });

  it('counts what a search finds, and ends it with Escape', () => {
    const { app, now, type } = drawnForm(form());
    const count = () => /visually-hidden" role="status">([^<]*)</.exec(now().html)?.[1];
    assert.equal(count(), '');
    type('search', 'author');
    assert.deepEqual([app.state.search, count()], ['author', 'Found in 1 section.']);
    type('search', 'key');
    assert.match(count() ?? '', /^Found in [2-9] sections\.$/);
    type('search', ' nowhere ');
    assert.equal(count(), 'No settings match “nowhere”.');
    now().dispatch('id="search"', 'keydown', { key: 'a' });
    assert.equal(app.state.search, ' nowhere ');
    now().dispatch('id="search"', 'keydown', { key: 'Escape' });
    assert.equal(app.state.search, '');
  });

  it('manages profiles and custom secrets where the service has these', () => {
    const { now } = drawnForm(form());
    assert.doesNotMatch(now().text, /Manage/);
    const { asked, posted, app, ...page } = drawnForm(form({ hasPickers: true }));
    for (const [name, what] of [
      ['Manage Model Profiles…', 'profiles'],
      ['Manage Custom Secrets…', 'secrets'],
    ] as const) {
      assert.deepEqual(asked(name), ['manage']);
      assert.equal(posted[0]?.type === 'manage' && posted[0].what, what);
    }
    app.set({ search: 'custom secrets' });
    assert.deepEqual(
      page.now().buttons.filter((name) => name.startsWith('Manage')),
      ['Manage Custom Secrets…'],
    );
  });

  it('shows what else the service keeps, and that nothing was saved yet', () => {
    const texts = (change: Parameters<typeof sampleModel>[0]) =>
      drawnForm(formMessage(sampleModel(change))).now();
    const { text } = texts({});
    assert.match(
      text,
      /email ada@example\.com [^]*email_verified Yes [^]*secrets_store [^]*condenser_max_size 120/,
    );
    assert.doesNotMatch(text, /haven’t saved any settings/);
    assert.match(texts({ saved: false }).text, /haven’t saved any settings yet/);
    assert.match(texts({ email: null, emailVerified: null }).text, /email None [^]*email_verified Unknown/);
    assert.match(texts({ emailVerified: false }).text, /email_verified No /);
    const without = texts({ hasProviders: false, other: [] });
    assert.doesNotMatch(without.text, /email_verified|secrets_store/);
    assert.match(without.html, /id="section-providers"[^>]*hidden/);
    assert.match(without.html, /id="section-other"[^>]*hidden/);
  });

  it('draws what fills the window first, and the rest little by little', () => {
    const { app, now } = drawnForm(form());
    const empty = () => now().html.match(/<h2[^>]*>[^<]*<\/h2>\s*<\/section>/g)?.length ?? 0;
    assert.equal(empty(), 0);
    app.set({ drawnSections: 2 });
    assert.ok(empty() > 3);
    assert.match(now().html, /<main\s+aria-busy="true"/);
    app.goTo({ at: 'field', field: 'git_user_name' });
    assert.equal(empty(), 0);
  });

  it('waits no longer for what it can’t read', () => {
    const shown = (change: Partial<ShownForm>, state: Partial<FormState> = {}) => {
      const page = drawnForm(form(change));
      page.app.set(state);
      const asked = page.asks(() => page.app.receive({ type: 'form' }));
      assert.deepEqual(asked, ['refused']);
      return page;
    };
    const busy = { name: 'github', busy: true, error: null };
    const idle = { name: 'gitlab', busy: false, error: 'No.' };
    const { app, now } = shown({ providerChanges: [idle, busy] });
    assert.deepEqual(
      app.state.providerChanges.map((one) => one.busy),
      [false, false],
    );
    assert.match(now().text, /can’t read what the extension sent\. Your changes may have been saved\./);
    assert.deepEqual(shown({ providerChanges: [idle] }).app.state.notices, []);
    const saving = shown({}, { saving: true }).app.state;
    assert.deepEqual([saving.saving, saving.notices.length], [false, 1]);
    assert.equal(shown({ working: 'Parking…' }).app.state.working, null);
    const reviewing = shown({}, { review: { groups: null, notes: [] } });
    assert.equal(reviewing.app.state.review, null);
    assert.doesNotMatch(reviewing.now().text, /may have been saved/, 'a review saves nothing');
    const read = { groups: [], notes: [] };
    assert.deepEqual(shown({}, { review: read }).app.state.review, read);
    const loading = drawnForm();
    loading.app.receive({ type: 'other' });
    assert.match(loading.now().text, /can’t read what the extension sent\. Try again/);
  });

  it('keeps what can’t be read as a number while servers are parked', () => {
    const { app, type, tag, click } = drawnForm(form());
    click('mcp-one-toggle');
    type('mcp-one-timeout', 'soon');
    type('field-max_iterations', 'many');
    app.receive(form({ working: 'Parking…' }));
    app.receive(form({ document: 'second' }));
    assert.match(tag('mcp-one-timeout') ?? '', / value="soon"/);
    assert.match(tag('field-max_iterations') ?? '', / value="many"/);
    type('mcp-one-timeout', '5');
    app.receive(form({ document: 'third' }));
    assert.match(tag('mcp-one-timeout') ?? '', / value="60"/, 'a reading of its own');
    assert.match(tag('field-max_iterations') ?? '', / value="250"/);
  });
});
