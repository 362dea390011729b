import assert from 'node:assert/strict';
import { SettingsApp } from '../../../../src/features/settings/page/app';
import { conflictId } from '../../../../src/features/settings/page/ids';
import { setText } from '../../../../src/features/settings/page/model';
import { settingsPage } from '../../../../src/features/settings/page/view/page';
import type {
  HostMessage,
  ShownForm,
  WebviewMessage,
} from '../../../../src/features/settings/shared/messages';
import { drawn } from '../../../support/drawn';
import { files, formMessage, reviewMessage, sampleModel } from '../../../ui/form/samples';

/** A page that was told this. */
function page(...messages: HostMessage[]) {
  const posted: WebviewMessage[] = [];
  const nothing = () => undefined;
  const app = new SettingsApp(
    {
      post: (message) => posted.push(message),
      ...{ keep: nothing, draw: nothing, later: (act) => act(), focus: nothing, reveal: nothing },
    },
    null,
  );
  for (const message of messages) app.receive(message);
  const asked = (name: string, index?: number) => {
    posted.length = 0;
    drawn(() => settingsPage(app)).press(name, index);
    return posted.map(({ type }) => type);
  };
  return { app, asked, now: () => drawn(() => settingsPage(app)) };
}
const form = (change: Partial<ShownForm> = {}) => formMessage(undefined, change);

describe('the settings page', () => {
  const bar = ({ buttons }: { buttons: string[] }) => buttons.slice(0, 3);

  it('waits for the settings, and can try again where they can’t be read', () => {
    const { app, asked, now } = page();
    assert.match(now().text, /Loading settings from the service…/);
    app.receive({ type: 'failed', message: 'No answer.', nextStep: 'Start it.' });
    assert.match(now().text, /No answer\. Start it\. Try Again$/);
    assert.deepEqual(asked('Try Again'), ['retry']);
  });

  it('reviews, reverts, and saves once something is changed', () => {
    const { app, asked, now } = page(form());
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
    const { now } = page(form());
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
    const several = page(formMessage(sampleModel({ mcpServers: [two, { ...files, id: 'four', env: [] }] })));
    assert.match(several.now().text, /\/workspace · 2 variables/);
    assert.doesNotMatch(text + several.now().text, /[01] variables/);
  });

  it('marks what can’t be saved, and says why', () => {
    const { app, now } = page(form());
    app.change((of) => setText(of, 'max_iterations', 'many'));
    const target = { at: 'field', field: 'llm_model' } as const;
    app.change((of) => ({ ...of, refused: [{ target, message: 'No such model.' }] }));
    const { html, text } = now();
    assert.match(html, /data-field="max_iterations"[^>]*aria-invalid="true"/);
    assert.match(html, /<aw-combobox[^>]*field="llm_model"[^>]*invalid="true"/);
    assert.match(text, /No such model\. [^]*Enter a number, using digits/);
  });

  it('shows only what a search finds, in sections that have any of it', () => {
    const { app, now, asked } = page(form());
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
    assert.deepEqual(sections('nowhere'), []);
    assert.match(now().text, /No settings match “nowhere”\./);
    asked('Clear search');
    assert.deepEqual(sections(app.state.search), all);
  });

  it('asks which value to keep of each that changed on both sides', () => {
    const { app, now, asked } = page(form());
    const conflict = { key: 'agent', label: 'Agent', previous: 'Old', mine: 'Mine', theirs: 'Theirs' };
    app.set({ conflicts: [conflict, { ...conflict, key: 'language', label: 'Language' }] });
    assert.match(
      now().text,
      /Changed on the service too[^]*Agent Before: Old Yours: Mine On the service: Theirs/,
    );
    now().dispatch(`id="${conflictId('agent', 'theirs')}"`, 'change');
    assert.deepEqual(app.state.choices, { agent: 'theirs' });
    assert.match(now().html, new RegExp(`id="${conflictId('agent', 'theirs')}"[^>]*checked="true"`));
    asked('Keep all of mine');
    assert.deepEqual(app.state.choices, { agent: 'mine', language: 'mine' });
    asked('Use all from the service');
    assert.deepEqual(app.state.choices, { agent: 'theirs', language: 'theirs' });
  });

  it('offers to undo a save until something is changed', () => {
    const { app, now, asked } = page(form());
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
});
