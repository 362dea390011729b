import assert from 'node:assert/strict';
import { providerId } from '../../../../src/features/settings/page/ids';
import { moreValueOf } from '../../../../src/features/settings/page/more';
import { valueOf } from '../../../../src/features/settings/page/model';
import { secretFields } from '../../../../src/shared/settings';
import { formMessage, sampleModel } from '../../../ui/form/samples';
import { drawnForm } from './drawnForm';

type Page = ReturnType<typeof drawnForm>;
const opened = (...change: Parameters<typeof sampleModel>) => drawnForm(formMessage(sampleModel(...change)));
/** The first tag with this mark, and what follows it up to the end of its field. */
const from = ({ now }: Page, mark: string) => {
  const { html } = now();
  return html.slice(html.lastIndexOf('<', html.indexOf(mark))).split('class="errors"', 1)[0]!;
};
const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the controls of a setting', () => {
  it('take what is typed, turned on, or selected', () => {
    const page = opened();
    const changed = (field: string) => before(field).includes('<div class="field" data-changed');
    const before = (field: string) => {
      const { html } = page.now();
      const at = html.indexOf(`id="field-${field}-title"`);
      return html.slice(html.lastIndexOf('<div class="field"', at), at);
    };
    assert.ok(!changed('git_user_name'));
    page.type('field-git_user_name', 'Grace');
    assert.equal(valueOf(page.form(), 'git_user_name'), 'Grace');
    assert.ok(changed('git_user_name'));
    assert.match(from(page, 'id="field-git_user_name-title"'), /^[^]*?changed-mark" >changed/);
    assert.match(from(page, 'id="field-git_user_email-title"'), /^[^]*?changed-mark" hidden="">changed/);
    page.now().dispatch('field="llm_model"', 'input', { target: { value: 'openai/swift' } });
    assert.equal(valueOf(page.form(), 'llm_model'), 'openai/swift');
    page.now().dispatch('id="field-enable_sound_notifications"', 'change', { target: { checked: true } });
    assert.equal(valueOf(page.form(), 'enable_sound_notifications'), true);
    const select = (selectedIndex: number) =>
      page.now().dispatch('id="field-confirmation_mode"', 'change', { target: { selectedIndex } });
    for (const [index, value] of [null, true, false].entries()) {
      select(index);
      assert.equal(valueOf(page.form(), 'confirmation_mode'), value);
      const options = from(page, 'id="field-confirmation_mode"').split('</select>', 1)[0] ?? '';
      assert.deepEqual(
        [...options.matchAll(/selected="(\w+)"/g)].map(([, is]) => is === 'true'),
        [0, 1, 2].map((at) => at === index),
      );
    }
  });

  it('have help beside a checkbox, and above anything else', () => {
    const page = opened();
    assert.match(from(page, 'id="field-enable_sound_notifications-title"'), /^[^]{0,300}class="check-line"/);
    assert.doesNotMatch(from(page, 'id="field-git_user_name-title"').slice(0, 600), /check-line/);
    assert.match(page.tag('field-git_user_name') ?? '', /maxlength|placeholder="Service default"/);
  });

  it('suggest what the service knows, and languages by name', () => {
    const page = drawnForm(formMessage(undefined, { suggestions: { llm_model: ['a/b'] } }));
    const options = (field: string) =>
      page.now().property(`field="${field}"`, 'options') as { value: string; detail?: string }[];
    assert.deepEqual(options('llm_model'), [{ value: 'a/b' }]);
    assert.deepEqual(options('agent'), []);
    const languages = options('language');
    Object.assign(globalThis, { document: { documentElement: { lang: 'de' } } });
    try {
      assert.equal(languages.find(({ value }) => value === 'fr')?.detail, 'Französisch');
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  it('leave out what the service lacks, and say so', () => {
    const page = opened({ lacks: ['git_user_name', 'search_api_key'] });
    assert.equal(page.tag('field-git_user_name'), undefined);
    assert.equal(page.tag('field-search_api_key'), undefined);
    assert.match(page.now().text, /Not available on this service: Name\./);
    assert.equal(page.now().text.match(/Not available/g)?.length, 2);
    assert.doesNotMatch(opened().now().text, /Not available/);
    assert.doesNotMatch(opened().now().text, /hides the secrets of MCP servers/);
    assert.match(opened({ hidesServerSecrets: true }).now().text, /hides the secrets of MCP servers/);
  });
});

describe('the controls of a secret', () => {
  it('say what the service has, and what a save will do', () => {
    const said = (page: Page, field: string) =>
      wordsOf(
        from(page, `id="field-${field}-state"`)
          .split('class="buttons"', 1)[0]!
          .replace(/<span\s*$/, ''),
      );
    const page = opened();
    assert.deepEqual(
      secretFields.map((field) => said(page, field)),
      ['Set', 'Not set. Use Replace to enter one.', 'Unknown'],
    );
    assert.match(from(page, 'id="field-llm_api_key-state"'), /^[^]{0,200}data-presence="set"[^<]*><svg/);
    const intend = (field: (typeof secretFields)[number], intention: 'replace' | 'clear') =>
      page.app.change((form) => ({ ...form, secrets: { ...form.secrets, [field]: intention } }));
    for (const field of secretFields) intend(field, 'replace');
    assert.deepEqual(
      secretFields.map((field) => said(page, field)),
      ['Set will be replaced', 'Not set will be set', 'Unknown will be replaced'],
    );
    intend('llm_api_key', 'clear');
    assert.equal(said(page, 'llm_api_key'), 'Set will be cleared');
  });

  it('ask for a value, clear it, or keep what there is', () => {
    const page = opened();
    const buttons = (field: string) => {
      const part = from(page, `id="field-${field}-state"`).split('class="errors"', 1)[0]!;
      return [...part.matchAll(/<button\b([^>]*)>([^<]*)/g)].map(
        ([, tag = '', words = '']) =>
          words.trim() + (tag.includes('aria-disabled="true"') ? ' (disabled)' : ''),
      );
    };
    assert.deepEqual(buttons('llm_api_key'), ['Replace', 'Clear']);
    assert.deepEqual(buttons('search_api_key'), ['Replace', 'Clear (disabled)'], 'nothing to clear');
    assert.deepEqual(buttons('sandbox_api_key'), ['Replace', 'Clear']);
    assert.deepEqual(page.asked('Replace'), ['replaceSecret']);
    assert.deepEqual(page.asked('Clear'), ['clearSecret']);
    page.app.change((form) => ({ ...form, secrets: { llm_api_key: 'clear' } }));
    assert.deepEqual(buttons('llm_api_key'), ['Replace', 'Clear (disabled)', 'Keep']);
    page.focused.length = 0;
    assert.ok(page.asked('Keep').includes('keepSecret'));
    const kept = page.posted.find((one) => one.type === 'keepSecret');
    assert.deepEqual(kept?.type === 'keepSecret' && kept.target, { at: 'field', field: 'llm_api_key' });
    assert.deepEqual(page.focused, ['field-llm_api_key']);
  });
});

describe('settings that the service describes itself', () => {
  const id = (path: string) => `more-agent_settings.${path}`;
  const valueAt = ({ form }: Page, path: string) => {
    const field = form().model.more.fields.find((one) => one.path === `agent_settings.${path}`);
    return field && moreValueOf(form(), field);
  };
  /** The page with the rarely needed ones unfolded. */
  const unfolded = (...change: Parameters<typeof sampleModel>) => {
    const page = opened(...change);
    page.now().dispatch('<details', 'toggle', { target: { open: true } });
    return page;
  };

  it('are numbers, unless what is typed isn’t one', () => {
    for (const path of ['helper_limit', 'llm.warmth']) {
      const page = unfolded();
      page.type(id(path), 'many');
      assert.match(page.tag(id(path)) ?? '', /aria-invalid="true"/, path);
      page.type(id(path), '3');
      assert.equal(valueAt(page, path), 3);
    }
  });

  it('fold what is rarely needed, until it’s opened, changed, or searched for', () => {
    const page = opened();
    assert.match(page.now().text, /General Enable helpers [^]*Language models Rarely needed \(4\)/);
    assert.equal(page.tag(id('llm.warmth')), undefined);
    const toggle = (open: boolean) => page.now().dispatch('<details', 'toggle', { target: { open } });
    toggle(true);
    assert.ok(page.tag(id('llm.warmth')));
    page.type(id('llm.warmth'), '2');
    toggle(false);
    assert.ok(page.tag(id('llm.warmth')), 'it’s changed');
    page.type(id('llm.warmth'), '');
    assert.equal(page.tag(id('llm.warmth')), undefined);
    page.app.set({ search: 'warmth' });
    assert.ok(page.tag(id('llm.warmth')));
    assert.doesNotMatch(page.now().text, /Enable helpers/);
    page.app.set({ search: ' ' });
    assert.equal(page.tag(id('llm.warmth')), undefined);
    const target = { at: 'more', path: 'agent_settings.llm.warmth' } as const;
    page.app.change((form) => ({ ...form, refused: [{ target, message: 'Too warm.' }] }));
    assert.ok(page.tag(id('llm.warmth')), 'the service refused it');
  });

  it('take a number, a text, a choice, or on and off', () => {
    const page = unfolded();
    page.type(id('llm.warmth'), '0.5');
    page.type(id('llm.place'), 'here');
    assert.deepEqual([valueAt(page, 'llm.warmth'), valueAt(page, 'llm.place')], [0.5, 'here']);
    assert.match(page.tag(id('llm.warmth')) ?? '', /inputmode="decimal"[^]*placeholder="Service default"/);
    assert.match(
      page.tag(id('llm.place')) ?? '',
      /inputmode="text"[^]*maxlength="1000"\s+placeholder="near"/,
    );
    const select = (path: string, selectedIndex: number) =>
      page.now().dispatch(`id="${id(path)}"`, 'change', { target: { selectedIndex } });
    select('llm.effort', 0);
    assert.equal(valueAt(page, 'llm.effort'), 'low', 'there’s no default to choose');
    select('llm.folding', 2);
    assert.equal(valueAt(page, 'llm.folding'), false);
    select('llm.folding', 0);
    assert.equal(valueAt(page, 'llm.folding'), null, 'the default of the service');
    page.now().dispatch(`id="${id('sub_agents')}"`, 'change', { target: { checked: true } });
    assert.equal(valueAt(page, 'sub_agents'), true);
  });

  it('offer the value that the service has, though it isn’t a choice', () => {
    const base = sampleModel().more;
    const more = {
      ...base,
      fields: base.fields.map((field) =>
        field.control === 'choice' ? { ...field, default: null, value: 'odd' } : field,
      ),
    };
    const options = (page: Page) =>
      [
        ...from(page, `id="${id('llm.effort')}"`)
          .split('</select>', 1)[0]!
          .matchAll(/<option[^>]*>([^<]*)/g),
      ].map(([, words]) => words);
    assert.deepEqual(options(unfolded({ more })), ['odd', 'Service default', 'low', 'high']);
    assert.deepEqual(options(unfolded()), ['low', 'high']);
  });

  it('can’t be changed while something else would make that useless, and say what', () => {
    const page = opened();
    const isDisabled = () => /\bdisabled\b/.test(page.tag(id('helper_limit')) ?? '');
    assert.ok(isDisabled());
    assert.match(page.now().text, /Takes effect only with: Enable helpers\./);
    page.now().dispatch(`id="${id('sub_agents')}"`, 'change', { target: { checked: true } });
    assert.ok(!isDisabled());
    assert.match(page.now().text, /Most helpers changed agent_settings\.helper_limit/);
    page.type(id('helper_limit'), '3');
    page.now().dispatch(`id="${id('sub_agents')}"`, 'change', { target: { checked: false } });
    assert.ok(!isDisabled(), 'an edit can be taken back');
    const needing = (dependsOn: string[], value = 'far') => {
      const base = sampleModel().more;
      const fields = base.fields.map((field) => {
        if (field.path === 'agent_settings.helper_limit') return { ...field, dependsOn };
        return field.path === 'agent_settings.llm.place' ? { ...field, value } : field;
      });
      return /Takes effect only with: ([^.]*)\./.exec(opened({ more: { ...base, fields } }).now().text)?.[1];
    };
    const at = 'agent_settings.llm.place=near';
    assert.deepEqual([needing([at]), needing([at], 'near')], ['Place: near', undefined]);
    assert.equal(needing(['unknown']), undefined);
    assert.equal(needing(['enable_sound_notifications', 'confirmation_mode']), 'Sound notifications');
  });

  it('mark what is wrong, and name what can only be changed elsewhere', () => {
    const page = unfolded();
    page.type(id('llm.warmth'), 'warm');
    assert.match(page.tag(id('llm.warmth')) ?? '', /aria-invalid="true"/);
    assert.match(page.tag(id('llm.place')) ?? '', /aria-invalid="false"/);
    assert.match(page.now().text, /on the service’s own page: Cloud password, Tools\./);
    const { more } = sampleModel();
    assert.doesNotMatch(opened({ more: { ...more, elsewhere: [] } }).now().text, /own page/);
  });
});

describe('git providers on the settings page', () => {
  const at = (name: string, part: string) => providerId(name, part);
  const row = (page: Page, name: string) => {
    const { html } = page.now();
    return (
      html.split('<li class="row provider"').find((one) => one.includes(`data-provider="${name}"`)) ?? ''
    );
  };
  const buttons = (page: Page, name: string) =>
    [
      ...row(page, name)
        .split('</li>', 1)[0]!
        .matchAll(/<button\b([^>]*)>([^<]*)/g),
    ].map(
      ([, tag = '', words = '']) =>
        words.trim() + (tag.includes('aria-disabled="true"') ? ' (disabled)' : ''),
    );
  const press = (page: Page, name: string, words: string) =>
    page.asks(() => {
      const { html, press } = page.now();
      const before = html.slice(0, html.indexOf(`data-provider="${name}"`));
      const all = [...before.matchAll(/<button\b[^>]*>([^]*?)<\/button>/g)];
      press(words, all.filter(([, one = '']) => wordsOf(one) === words).length);
    });

  it('have a token or none, which can be replaced and cleared', () => {
    const page = opened();
    assert.match(wordsOf(row(page, 'github')), /GitHub Token set Replace Clear Host/);
    assert.match(
      wordsOf(row(page, 'gitlab')),
      /GitLab No token\. Use Replace to enter one\. Replace Clear Host/,
    );
    assert.deepEqual(buttons(page, 'github'), ['Replace', 'Clear']);
    assert.deepEqual(buttons(page, 'gitlab'), ['Replace', 'Clear (disabled)']);
    assert.deepEqual(press(page, 'gitlab', 'Replace'), ['replaceProviderToken']);
    assert.deepEqual(press(page, 'github', 'Clear'), ['clearProvider']);
    assert.deepEqual(page.asked('Disconnect all'), ['clearAllProviders']);
    const none = opened({ providers: [] });
    assert.ok(!none.now().buttons.includes('Disconnect all'));
    assert.doesNotMatch(page.now().text, /doesn’t say which/);
    const untold = opened({ providers: [], providersTold: false });
    assert.match(untold.now().text, /doesn’t say which git provider tokens it has/);
    assert.match(wordsOf(row(untold, 'gitlab')), /GitLab Unknown Replace/);
  });

  it('apply another host when asked', () => {
    const page = opened();
    const value = (name: string) => / value="([^"]*)"/.exec(page.tag(at(name, 'host')) ?? '')?.[1];
    assert.deepEqual([value('forgejo'), value('github')], ['code.example.com', '']);
    const placeholder = (name: string) => /placeholder="([^"]*)"/.exec(page.tag(at(name, 'host')) ?? '')?.[1];
    assert.equal(placeholder('github'), 'github.com');
    assert.deepEqual(buttons(page, 'forgejo'), ['Replace', 'Clear']);
    page.type(at('forgejo', 'host'), ' other.example ');
    assert.equal(value('forgejo'), ' other.example ');
    assert.deepEqual(buttons(page, 'forgejo'), ['Replace', 'Clear', 'Apply host']);
    assert.deepEqual(press(page, 'forgejo', 'Apply host'), ['setProviderHost']);
    const [set] = page.posted;
    assert.deepEqual(set?.type === 'setProviderHost' && [set.name, set.host], ['forgejo', 'other.example']);
    assert.equal(page.focused.at(-1), at('forgejo', 'host'));
    page.type(at('forgejo', 'host'), ' ');
    press(page, 'forgejo', 'Apply host');
    assert.equal(page.posted[0]?.type === 'setProviderHost' && page.posted[0].host, null);
    page.type(at('gitlab', 'host'), 'git.example');
    assert.deepEqual(buttons(page, 'gitlab'), ['Replace', 'Clear (disabled)'], 'it’s stored with a token');
    press(page, 'gitlab', 'Replace');
    const [asked] = page.posted;
    assert.equal(asked?.type === 'replaceProviderToken' && asked.host, 'git.example');
  });

  it('wait while one is changed, and say why that failed', () => {
    const page = drawnForm(
      formMessage(undefined, {
        providerChanges: [
          { name: 'github', busy: true, error: null },
          { name: 'forgejo', busy: true, error: null },
          { name: 'gitlab', busy: false, error: 'No such token.' },
        ],
      }),
    );
    assert.deepEqual(buttons(page, 'github'), ['Replace (disabled)', 'Clear (disabled)']);
    assert.match(row(page, 'github'), /aria-busy="true"/);
    assert.doesNotMatch(row(page, 'github').split('</li>', 1)[0]!, /class="error"/);
    assert.match(wordsOf(row(page, 'github')), /Token set Saving…/);
    assert.match(row(page, 'gitlab'), /aria-busy="false"[^]*class="error"[^]*No such token\./);
    assert.doesNotMatch(wordsOf(row(page, 'gitlab')), /Saving/);
    assert.ok(page.now().buttons.includes('Disconnect all (disabled)'));
    assert.match(page.now().html, /data-target="providers"[^]*?data-mark="problem"\s+title="1 problem"/);
    const adding = drawnForm(
      formMessage(undefined, { providerChanges: [{ name: 'gitlab', busy: true, error: null }] }),
    );
    assert.doesNotMatch(wordsOf(row(adding, 'gitlab')), /Use Replace/);
    assert.match(row(adding, 'bitbucket'), /Use Replace/);
  });

  it('can be others than those known here', () => {
    const page = opened();
    const add = (input: { value: string }, how: 'click' | 'Enter' | 'x') => {
      const shown = page.now();
      Object.assign(globalThis, { document: { getElementById: () => input } });
      try {
        if (how === 'click') shown.press('Add provider');
        else shown.dispatch('id="new-provider"', 'keydown', { key: how });
      } finally {
        Reflect.deleteProperty(globalThis, 'document');
      }
      return page.app.state.addedProviders.join();
    };
    const typed = (value: string) => ({ value });
    assert.equal(add(typed(' '), 'click'), '');
    assert.equal(page.focused.at(-1), 'new-provider');
    const input = typed(' gitea ');
    assert.equal(add(input, 'x'), '');
    assert.equal(add(input, 'click'), 'gitea');
    assert.equal(input.value, '');
    assert.equal(page.focused.at(-1), at('gitea', 'host'));
    assert.match(page.tag(at('gitea', 'host')) ?? '', /placeholder=""/);
    assert.equal(add(typed('other'), 'Enter'), 'gitea,other');
    assert.deepEqual(buttons(page, 'gitea'), ['Replace', 'Clear (disabled)']);
  });
});
