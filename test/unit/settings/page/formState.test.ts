import assert from 'node:assert/strict';
import {
  addServerId,
  conflictId,
  parkedId,
  saveId,
  serverId,
} from '../../../../src/features/settings/page/ids';
import { setMore, setMoreText, setRow, setText } from '../../../../src/features/settings/page/model';
import type { SaveResult, ShownForm } from '../../../../src/features/settings/shared/messages';
import { formMessage, noEdits, reviewMessage, sampleModel, sleeping } from '../../../ui/form/samples';
import { drawnForm } from './drawnForm';

/** A form in which somebody has typed. */
function edited(change: Partial<ShownForm> = {}) {
  const page = drawnForm(formMessage(undefined, change));
  page.app.change((form) => setText(form, 'git_user_name', 'Grace'));
  return page;
}
type Page = ReturnType<typeof drawnForm>;

const tell = ({ app }: Page, change: Partial<ShownForm>) => app.receive(formMessage(undefined, change));
/** The extension shows the form again, with the page’s own edits. */
const shownAgain = (page: Page, change: Partial<ShownForm> = {}) => {
  const { values, secrets } = page.form();
  const edits = { ...noEdits, values, secrets };
  tell(page, { edits, revision: 1, ...change });
};
const saved: SaveResult = { kind: 'saved', undo: 'possible' };

describe('the state of the settings page', () => {
  it('is empty again while other settings are read', () => {
    const page = edited();
    page.app.receive({ type: 'loading' });
    assert.equal(page.app.state.phase.at, 'loading');
  });

  it('forgets how a server was tested once that’s no longer so', () => {
    const { app } = drawnForm(formMessage());
    for (const id of ['one', 'two'])
      app.receive({ type: 'test', id, about: [], result: null, signsIn: false });
    app.receive({ type: 'untested', id: 'one' });
    assert.deepEqual(Object.keys(app.state.tests), ['two']);
  });

  it('keeps what is half typed and open while it’s hidden', () => {
    const { app, kept } = edited();
    app.setOpen('one', true);
    app.setHost('gitlab', 'git.example');
    app.addProvider('gitea');
    const { edits, ...rest } = kept.at(-1) ?? assert.fail();
    assert.deepEqual([edits.document, edits.edits.values], ['first', { git_user_name: 'Grace' }]);
    assert.deepEqual(rest, {
      ...{ texts: {}, open: ['one'], reviewed: false, addedProviders: ['gitea'] },
      hosts: { gitlab: 'git.example' },
    });
  });

  it('closes a review once the service is changed in another way', () => {
    const page = edited();
    page.app.openReview();
    shownAgain(page);
    assert.ok(page.app.state.review);
    shownAgain(page, { working: 'Parking…' });
    assert.equal(page.app.state.review, null);
  });

  it('shows no review that nobody waits for', () => {
    const page = edited();
    page.app.receive(reviewMessage());
    assert.equal(page.app.state.review, null);
  });

  it('tells the extension of what was typed before it changes the service', () => {
    const page = edited();
    assert.deepEqual(
      page.asks(() => shownAgain(page, { working: 'Parking…' })),
      ['edits'],
    );
    const other = edited();
    assert.deepEqual(
      other.asks(() => shownAgain(other)),
      [],
    );
    assert.deepEqual(
      other.asks(() => tell(other, { document: 'second' })),
      ['edits'],
      'before it’s gone',
    );
  });

  it('takes edits of the extension, unless others were made here meanwhile', () => {
    const page = edited();
    const name = () => page.form().values.git_user_name;
    tell(page, { edits: { ...noEdits, values: { git_user_name: 'Old' } }, revision: 0 });
    assert.equal(name(), 'Grace', 'it’s older');
    tell(page, { edits: { ...noEdits, values: { git_user_name: 'New' } }, revision: 1 });
    assert.equal(name(), 'New');
  });

  it('says no more how the last save ended once the extension edits a server or a setting', () => {
    const change = (edits: Partial<ShownForm['edits']>) => {
      const page = drawnForm(formMessage(undefined, { result: saved }));
      tell(page, { edits: { ...noEdits, ...edits } });
      return page.app.state.outcome.kind;
    };
    const servers = sampleModel().mcpServers.map((server) => ({ ...server, timeout: 9 }));
    assert.deepEqual(
      [change({}), change({ values: { git_user_name: 'New' } }), change({ mcpServers: servers })],
      ['saved', 'none', 'none'],
    );
  });

  it('keeps the text of a described setting only while it’s not edited elsewhere', () => {
    const page = drawnForm(formMessage());
    const [, most] = sampleModel().more.fields;
    page.app.change((form) => setMoreText(form, most!, '3'));
    const { path } = most!;
    const texts = (value: number, name: string) => {
      tell(page, {
        edits: { ...noEdits, values: { git_user_name: name }, more: { [path]: value } },
        revision: 1,
      });
      return page.form().texts[path];
    };
    assert.deepEqual([texts(3, 'Ada'), texts(5, 'Grace')], ['3', undefined]);
  });

  it('says how the last save ended until something is edited', () => {
    const page = edited();
    page.app.set({ saving: true });
    shownAgain(page, { result: saved });
    const outcome = () => page.app.state.outcome.kind;
    assert.deepEqual([outcome(), page.app.state.saving], ['saved', false]);
    shownAgain(page);
    assert.equal(outcome(), 'saved');
    tell(page, { edits: { ...noEdits, values: { git_user_name: 'New' } }, revision: 1 });
    assert.equal(outcome(), 'none');
    shownAgain(page, { result: saved });
    page.app.change((form) => setText(form, 'git_user_name', 'Ada'));
    assert.equal(outcome(), 'none');
  });

  it('says in which way a save ended', () => {
    const after = (result: SaveResult) => {
      const page = edited();
      const { choices } = page.app.state;
      shownAgain(page, { result });
      const { outcome, conflicts } = page.app.state;
      return { outcome, conflicts: conflicts.length, refused: page.form().refused.length, page, choices };
    };
    assert.deepEqual(after({ kind: 'canceled' }).outcome, { kind: 'none' });
    const failed = after({ kind: 'failed', message: 'No answer.' });
    assert.deepEqual(failed.outcome, { kind: 'notSaved', message: 'No answer.' });
    const notUndone = after({ kind: 'notUndone', message: 'Changed since.' });
    assert.deepEqual(notUndone.outcome, { kind: 'notUndone', message: 'Changed since.' });
    const target = { at: 'field', field: 'agent' } as const;
    const invalid = after({ kind: 'invalid', problems: [{ target, message: 'Unknown.' }] });
    assert.deepEqual([invalid.outcome.kind, invalid.refused], ['notSaved', 1]);
    assert.equal(invalid.page.focused.at(-1), 'field-agent');
  });

  it('asks about conflicts, and remembers the answers to others', () => {
    const page = edited();
    const conflict = (key: string) => ({ key, label: key, previous: '', mine: 'a', theirs: 'b' });
    page.app.choose('agent', 'mine');
    page.app.choose('language', 'theirs');
    shownAgain(page, { result: { kind: 'conflict', conflicts: [conflict('agent'), conflict('model')] } });
    const { choices, outcome, conflicts } = page.app.state;
    assert.deepEqual([choices, conflicts.length, outcome.kind], [{ language: 'theirs' }, 2, 'notSaved']);
    assert.equal(page.focused.at(-1), conflictId('agent', 'mine'));
    const nowhere = page.focused.length;
    shownAgain(page, { result: { kind: 'conflict', conflicts: [] } });
    assert.equal(page.focused.length, nowhere, 'there’s none to go to');
  });

  it('goes to a server that came back or was parked, and shows it', () => {
    const page = drawnForm(formMessage(undefined, { parked: [sleeping] }));
    const goTo = (list: 'servers' | 'parked', id: string) => {
      page.app.set({ search: 'nothing', filter: 'nothing' });
      tell(page, { goTo: { list, id } });
      return [page.focused.at(-1), page.app.state.search];
    };
    assert.deepEqual(goTo('servers', 'one'), [`${serverId('one', 'toggle')} or ${addServerId}`, '']);
    assert.deepEqual(goTo('parked', 'p1'), [`${parkedId('p1', 'restore')} or ${addServerId}`, 'nothing']);
  });

  it('goes to what a problem is about, and opens its server', () => {
    const page = drawnForm(formMessage());
    const goesTo = (...args: Parameters<typeof page.app.goTo>) => {
      page.app.goTo(...args);
      return page.focused.at(-1);
    };
    assert.equal(
      goesTo({ at: 'mcp', id: 'two', member: 'url' }),
      `${serverId('two', 'url')} or ${serverId('two', 'toggle')}`,
    );
    assert.deepEqual([...page.app.state.open], ['two']);
    assert.equal(goesTo({ at: 'form' }), saveId);
    assert.match(
      goesTo({ at: 'more', path: 'agent_settings.llm.place' }) ?? '',
      /agent_settings\.llm\.place/,
    );
    assert.deepEqual([...page.app.state.open], ['two']);
  });

  it('saves, reviews, and asks for nothing while the service is changed', () => {
    const page = edited();
    page.app.set({ working: 'Parking…' });
    for (const act of ['save', 'openReview'] as const)
      assert.deepEqual(
        page.asks(() => page.app[act]()),
        [],
      );
    assert.deepEqual(
      page.asks(() => page.app.ask({ type: 'clearAllProviders' })),
      [],
    );
    assert.equal(page.app.state.review, null);
  });

  it('saves once, after the first review', () => {
    const page = edited();
    assert.deepEqual(
      page.asks(() => page.app.save()),
      ['edits', 'review'],
    );
    assert.deepEqual(
      page.asks(() => page.app.save()),
      [],
      'nothing is shown yet',
    );
    page.app.receive(reviewMessage());
    assert.deepEqual(
      page.asks(() => page.app.save()),
      ['save'],
    );
    assert.equal(page.kept.at(-1)?.reviewed, true);
    assert.deepEqual(
      page.asks(() => page.app.save()),
      [],
      'it’s saved',
    );
    shownAgain(page, { result: { kind: 'canceled' } });
    assert.deepEqual(
      page.asks(() => page.app.save()),
      ['save'],
    );
  });

  it('saves nothing without a change, and says no more how the last save ended', () => {
    const page = drawnForm(formMessage(undefined, { result: saved }));
    assert.deepEqual(
      page.asks(() => page.app.save()),
      [],
    );
    assert.equal(page.app.state.outcome.kind, 'none');
  });

  it('dismisses notices here and in the extension', () => {
    const page = drawnForm(formMessage(undefined, { notices: ['One.'] }));
    page.app.set({ serverNotices: { words: ['Two.'], failed: true } });
    const posted = (act: () => void) => (page.asks(act), page.posted.slice());
    const [notices] = posted(() => page.app.dismissNotices());
    const [servers] = posted(() => page.app.dismissServerNotices());
    assert.deepEqual(notices, { type: 'dismiss', list: 'notices', document: 'first' });
    assert.deepEqual(servers, { type: 'dismiss', list: 'serverNotices', document: 'first' });
    const { state } = page.app;
    assert.deepEqual([state.notices, state.serverNotices], [[], { words: [], failed: false }]);
  });

  it('keeps the host that was typed until its provider has it', () => {
    const page = drawnForm(formMessage());
    page.app.setHost('gitlab', 'git.example');
    page.app.setHost('gitea', 'tea.example');
    const hosts = () => [...page.app.state.hosts.keys()];
    const change = (name: string, busy: boolean, error: string | null = null) => ({ name, busy, error });
    tell(page, { providerChanges: [change('gitlab', true), change('gitea', true)] });
    assert.deepEqual(hosts(), ['gitlab', 'gitea']);
    tell(page, { providerChanges: [change('gitea', false, 'No.')] });
    assert.deepEqual(hosts(), ['gitea']);
    tell(page, {});
    assert.deepEqual(hosts(), ['gitea'], 'it failed');
  });

  it('keeps what can’t be read as a number while a server is parked, and nothing else', () => {
    const page = drawnForm(formMessage());
    page.app.change((form) => setText(form, 'max_iterations', 'many'));
    page.app.change((form) => setText(form, 'git_user_name', 'Grace'));
    page.app.change((form) => setRow(form, 'one', () => ({ timeoutText: 'long' })));
    page.app.change((form) => setRow(form, 'two', () => ({ timeoutText: '9' })));
    shownAgain(page, { working: 'Parking…' });
    tell(page, { document: 'second' });
    assert.deepEqual(page.form().texts, { max_iterations: 'many' });
    const typed = page.form().rows.map(({ timeoutText }) => timeoutText);
    assert.deepEqual(typed, ['long', undefined, undefined]);
  });
});

describe('settings that the service describes, in the form', () => {
  const { fields } = sampleModel().more;
  const held = (label: string) => fields.find((one) => one.label === label)!;
  const opened = () => {
    const page = drawnForm(formMessage());
    const text = (label: string, typed: string) => {
      page.app.change((form) => setMoreText(form, held(label), typed));
      const { path } = held(label);
      return [page.form().more[path], page.form().texts[path]];
    };
    return { ...page, text };
  };

  it('take a text, or their default without one', () => {
    const { text } = opened();
    assert.deepEqual(text('Place', 'here'), ['here', undefined]);
    assert.deepEqual(text('Place', ''), ['near', '']);
    assert.deepEqual(text('Place', 'far'), [undefined, undefined], 'the service has it');
  });

  it('take a number, and keep what isn’t one as it was typed', () => {
    const { text } = opened();
    assert.deepEqual(text('Most helpers', '3'), [3, '3']);
    assert.deepEqual(text('Most helpers', 'x'), [undefined, 'x']);
    assert.deepEqual(text('Most helpers', ''), [4, '']);
  });

  it('are no longer refused once they’re changed, unlike others', () => {
    const page = drawnForm(formMessage());
    const target = (path: string) => ({ at: 'more', path }) as const;
    const [place, warmth] = [held('Place'), held('Warmth')];
    const problems = [place, warmth].map(({ path }) => ({ target: target(path), message: 'No.' }));
    tell(page, { result: { kind: 'invalid', problems } });
    assert.equal(page.form().refused.length, 2);
    page.app.change((form) => setMore(form, place, 'here'));
    assert.deepEqual(page.form().refused, problems.slice(1));
  });
});
