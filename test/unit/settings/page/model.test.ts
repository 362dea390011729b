import assert from 'node:assert/strict';
import type { FormEdits, FormModel } from '../../../../src/features/settings/shared/form';
import type { McpServer } from '../../../../src/shared/mcp';
import { plainDefaults, type PlainValues } from '../../../../src/shared/settings';
import {
  changeCount,
  changesOf,
  editsOf,
  firstPlace,
  openForm,
  problemsOf,
  setMore,
  setRow,
  setRows,
  setText,
  setValue,
  shownProblems,
  inputText,
  valueOf,
  withEdits,
  type Form,
} from '../../../../src/features/settings/page/model';
import { saveOutcome } from '../../../../src/features/settings/page/opening';
import { deleteRow, newServer } from '../../../../src/features/settings/page/rows';
import { formMessage, sampleModel } from '../../../ui/form/samples';

const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

function formWith(values: Partial<PlainValues> = {}, edits: Partial<FormEdits> = {}): Form {
  const model: FormModel = {
    saved: true,
    values: { ...plainDefaults, ...values },
    secrets: { llm_api_key: 'set', search_api_key: 'notSet', sandbox_api_key: 'unknown' },
    email: null,
    emailVerified: null,
    mcpServers: [{ ...newServer('a', 'sse'), url: 'https://a.example' }],
    providers: [],
    providersTold: true,
    lacks: [],
    testsServers: false,
    hasProviders: true,
    hidesServerSecrets: false,
    hiddenSecrets: [],
    other: [],
    more: { fields: [], elsewhere: [] },
  };
  return openForm(formMessage(model, { edits: { ...noEdits, ...edits } }));
}

describe('form model', () => {
  it('opens without edits, or with those of a draft', () => {
    assert.deepEqual(editsOf(formWith()), noEdits);
    const draft = { values: { agent: 'B' }, secrets: { llm_api_key: 'clear' } } as const;
    const form = formWith({}, draft);
    assert.deepEqual(editsOf(form), { ...noEdits, ...draft });
    assert.equal(valueOf(form, 'agent'), 'B');
    assert.equal(changeCount(form), 2);
  });

  it('leads from refused values to the first value, and from a general refusal to the form', () => {
    const general = { target: { at: 'form' }, message: 'Nothing was saved.' } as const;
    const row = { target: { at: 'mcp', id: 'a', member: 'url' }, message: 'Enter the secrets.' } as const;
    const field = { target: { at: 'field', field: 'agent' }, message: 'Unknown.' } as const;
    assert.deepEqual(firstPlace([general, row, field]), row.target);
    assert.deepEqual(firstPlace([field, general]), field.target);
    assert.deepEqual(firstPlace([general]), general.target);
    assert.equal(firstPlace([]), undefined);
    const refused = { ...formWith(), refused: [general, row] };
    assert.deepEqual(
      saveOutcome(refused, { kind: 'invalid', problems: [general, row] }, {}).goTo,
      row.target,
    );
    const messageOf = (...problems: (typeof general | typeof row)[]) => {
      const { outcome } = saveOutcome(refused, { kind: 'invalid', problems }, {}).change;
      return outcome?.kind === 'notSaved' ? outcome.message : undefined;
    };
    assert.equal(messageOf(general, row), 'Nothing was saved.');
    assert.equal(messageOf(row), 'the service refused some values.');
  });

  it('drops an edit that matches the stored value', () => {
    const form = formWith({ agent: 'A', enable_sound_notifications: true });
    const changed = setValue(setText(form, 'agent', 'B'), 'enable_sound_notifications', false);
    assert.equal(changeCount(changed), 2);
    const back = setValue(setText(changed, 'agent', 'A'), 'enable_sound_notifications', true);
    assert.deepEqual(editsOf(back), noEdits);
  });

  it('treats null and an empty string as equal', () => {
    assert.deepEqual(editsOf(setText(formWith({ agent: '' }), 'agent', '')), noEdits);
    assert.deepEqual(editsOf(setText(formWith({ agent: null }), 'agent', '')), noEdits);
  });

  it('distinguishes false from the default', () => {
    const form = setValue(formWith({ confirmation_mode: null }), 'confirmation_mode', false);
    assert.deepEqual(editsOf(form).values, { confirmation_mode: false });
  });

  const numbers: [text: string, value: number | null | undefined][] = [
    ['12', 12],
    [' 12 ', 12],
    ['12.', 12],
    ['.5', 0.5],
    ['-3', -3],
    ['', null],
    ['  ', null],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1,5', undefined],
    ['Infinity', undefined],
  ];
  for (const [text, value] of numbers) {
    it(`reads "${text}" as ${value}`, () => {
      const form = setText(formWith({ max_budget_per_task: 7 }), 'max_budget_per_task', text);
      assert.equal(inputText(form, 'max_budget_per_task'), text);
      assert.equal(changeCount(form), 1);
      if (value === undefined) {
        assert.deepEqual(editsOf(form), noEdits);
        assert.equal(problemsOf(form).length, 1);
      } else assert.deepEqual(editsOf(form).values, { max_budget_per_task: value });
    });
  }

  it('reports no problems in untouched fields', () => {
    const form = formWith({ llm_base_url: 'nonsense', max_iterations: -1 });
    assert.deepEqual(problemsOf(form), []);
    assert.equal(problemsOf(setText(form, 'llm_base_url', 'other nonsense')).length, 1);
  });

  it('keeps changes to secrets apart from values', () => {
    const edits: FormEdits = { ...noEdits, secrets: { llm_api_key: 'replace' } };
    const replaced = withEdits(formWith(), { steps: 1, edits });
    assert.deepEqual(editsOf(replaced), edits);
    assert.deepEqual(editsOf(withEdits(replaced, { steps: 2, edits: noEdits })), noEdits);
  });

  it('keeps what is half typed and what was refused, where edits from elsewhere change something else', () => {
    const server = { ...newServer('a', 'shttp'), url: 'https://a.example' };
    const typed: Form = {
      ...formWith({}, { values: { agent: 'B' }, mcpServers: [server] }),
      texts: { max_iterations: 'many' },
      refused: [
        { target: { at: 'field', field: 'agent' }, message: 'no such agent' },
        { target: { at: 'field', field: 'llm_api_key' }, message: 'no such key' },
        { target: { at: 'mcp', id: 'a', member: 'url' }, message: 'no such server' },
      ],
    };
    const form = { ...typed, rows: typed.rows.map((row) => ({ ...row, timeoutText: 'soon' })) };
    const edits: FormEdits = { ...editsOf(form), secrets: { llm_api_key: 'clear' } };
    const changed = withEdits(form, { steps: 1, edits });
    assert.deepEqual(editsOf(changed), edits);
    assert.deepEqual([changed.texts, changed.rows[0]?.timeoutText], [{ max_iterations: 'many' }, 'soon']);
    assert.deepEqual(
      changed.refused.map(({ message }) => message),
      ['no such agent', 'no such server'],
    );

    const apiKey = { presence: 'notSet', intention: 'replace' } as const;
    const keyed = withEdits(form, { steps: 1, edits: { ...edits, mcpServers: [{ ...server, apiKey }] } });
    assert.equal(keyed.rows[0]?.timeoutText, 'soon');
    assert.deepEqual(
      keyed.refused.map(({ message }) => message),
      ['no such agent'],
    );
    const other = withEdits(form, { steps: 1, edits: { ...edits, values: { max_iterations: 7 } } });
    assert.deepEqual(other.texts, {});
  });

  it('keeps a half typed timeout only while the timeout stays the same, and adds none to other servers', () => {
    const opened = formWith();
    const form = { ...opened, rows: opened.rows.map((row) => ({ ...row, timeoutText: 'soon' })) };
    const [server] = form.rows.map((row) => row.server);
    const after = (before: Form, ...servers: McpServer[]) =>
      withEdits(before, { steps: 1, edits: { ...noEdits, mcpServers: servers } }).rows;
    const [changed, added] = after(form, { ...server!, timeout: 30 }, newServer('b', 'shttp'));
    assert.deepEqual([changed?.timeoutText, added?.timeoutText], [undefined, undefined]);
    const [kept] = after(form, { ...server!, url: 'https://b.example' });
    assert.equal(kept?.timeoutText, 'soon');
    const [untyped] = after(opened, { ...server!, url: 'https://b.example' });
    assert.ok(untyped && !('timeoutText' in untyped));
  });

  it('clears a field’s refusal when it changes, and a general refusal on any change', () => {
    const refused: Form = {
      ...formWith({ agent: 'A', language: 'en' }),
      refused: [
        { target: { at: 'field', field: 'agent' }, message: 'no such agent' },
        { target: { at: 'field', field: 'language' }, message: 'no such language' },
        { target: { at: 'mcp', id: 'a', member: 'url' }, message: 'no such server' },
        { target: { at: 'form' }, message: 'no' },
      ],
    };
    const messages = (form: Form) => shownProblems(form, true).map(({ message }) => message);
    assert.deepEqual(messages(setText(refused, 'agent', 'B')), ['no such language', 'no such server']);
    assert.deepEqual(messages(setRows(refused, refused.rows, 'a')), ['no such agent', 'no such language']);
    const others = ['no such agent', 'no such language', 'no such server'];
    assert.deepEqual(messages(setRows(refused, refused.rows, 'b')), others);
  });

  it('counts each added, changed and deleted server once', () => {
    const form = formWith();
    const added = { server: { ...newServer('new-1', 'stdio'), name: 'x', command: 'y' }, deleted: false };
    const rows = [...deleteRow(form.model.mcpServers, form.rows, 'a'), added];
    assert.equal(changeCount(setRows(form, rows, 'a')), 2);
    assert.deepEqual(editsOf(setRows(form, rows, 'a')).mcpServers, [added.server]);
  });

  it('lists changes in the order of the form', () => {
    const [first, second] = [newServer('a', 'sse'), newServer('b', 'sse')];
    const model = sampleModel({ mcpServers: [first, second] });
    let form = openForm(formMessage(model));
    form = setValue(form, 'enable_sound_notifications', true);
    form = setText(form, 'llm_model', 'other');
    form = { ...form, secrets: { llm_api_key: 'clear' }, rows: [...form.rows].reverse() };
    form = setText(form, 'agent', 'Other');
    form = setRow(form, 'a', () => ({ deleted: true }));
    const named = (one: Form) =>
      changesOf(one).map((target) =>
        target.at === 'field'
          ? target.field
          : target.at === 'mcp'
            ? `${target.id} ${target.member}`
            : target.at,
      );
    assert.deepEqual(named(form), [
      'llm_model',
      'llm_api_key',
      'agent',
      'a keep',
      'enable_sound_notifications',
    ]);
    const moved = setRow(form, 'a', () => ({ deleted: false }));
    assert.deepEqual(named(moved), [
      'llm_model',
      'llm_api_key',
      'agent',
      'b toggle',
      'enable_sound_notifications',
    ]);
    const [place] = sampleModel().more.fields.filter(({ label }) => label === 'Place');
    assert.ok(place);
    assert.deepEqual(named(setMore(openForm(formMessage(model)), place, 'here')), ['more']);
    assert.deepEqual(named(openForm(formMessage(sampleModel({ mcpServers: [] })))), []);
  });

  it('empties a text to what the service calls empty', () => {
    const form = formWith({ agent: 'A', llm_base_url: 'https://a.example' });
    const emptied = (field: 'agent' | 'llm_base_url') => setText(form, field, '').values[field];
    assert.deepEqual([emptied('agent'), emptied('llm_base_url')], [null, '']);
    assert.equal(inputText(formWith({ agent: null }), 'agent'), '');
  });
});
