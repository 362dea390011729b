import assert from 'node:assert/strict';
import { takePicture } from '../../support/picture';
import { themes } from '../support/themes';
import { FormPage, type Built } from './formPage';
import { openForm } from './formSuite';
import { formMessage, noEdits, sampleModel } from './samples';

const at = (name: string) => `agent_settings.${name}`;

describe('the settings that the service describes', function () {
  this.timeout(60_000);
  let form: FormPage;
  let built: Built;

  openForm((opened, builtPage) => {
    form = opened;
    built = builtPage;
  });

  const section = () => form.section('more');
  const unfold = () => section().locator('summary').click();

  it('appear in the service’s groups, with rarely needed ones folded', async () => {
    assert.deepEqual(await section().locator('h3').allTextContents(), ['General', 'Language models']);
    assert.equal(await form.field(at('sub_agents')).isVisible(), true);
    assert.equal(await form.field(at('llm.effort')).count(), 0);
    await unfold();
    await form.field(at('llm.effort')).waitFor();
    assert.match(
      (await section().textContent()) ?? '',
      /own page: Cloud password and Tools\.|Cloud password, Tools/,
    );
  });

  it('are edited with a control for each kind of value', async () => {
    await unfold();
    await form.field(at('sub_agents')).check();
    await form.field(at('llm.warmth')).fill('0.5');
    await form.field(at('llm.place')).fill('here');
    await form.field(at('llm.folding')).selectOption({ label: 'Off' });
    await form.field(at('llm.effort')).selectOption({ label: 'low' });
    assert.deepEqual(await form.edits(), {
      ...noEdits,
      more: {
        [at('sub_agents')]: true,
        [at('llm.warmth')]: 0.5,
        [at('llm.place')]: 'here',
        [at('llm.folding')]: false,
        [at('llm.effort')]: 'low',
      },
    });
    assert.equal(await form.status.textContent(), '5 unsaved changes');
  });

  it('count as unchanged once they’re back to their previous value', async () => {
    await form.field(at('sub_agents')).check();
    await form.field(at('sub_agents')).uncheck();
    assert.deepEqual(await form.edits(), noEdits);
  });

  it('use their default when emptied, shown as a placeholder', async () => {
    await unfold();
    await form.field(at('llm.place')).fill('');
    assert.deepEqual((await form.edits()).more, { [at('llm.place')]: 'near' });
    assert.equal(await form.field(at('llm.place')).inputValue(), '');
    assert.equal(await form.field(at('llm.place')).getAttribute('placeholder'), 'near');
  });

  it('can be edited once the setting they need is on, and say so', async () => {
    const limit = form.field(at('helper_limit'));
    assert.equal(await limit.isDisabled(), true);
    assert.match((await section().textContent()) ?? '', /Takes effect only with: Enable helpers\./);
    await form.field(at('sub_agents')).check();
    assert.equal(await limit.isDisabled(), false);
    await limit.fill('1.5');
    await form.button('Save').click();
    assert.match((await form.status.textContent()) ?? '', /1 value needs your attention/);
    assert.match((await section().textContent()) ?? '', /Enter a whole number\./);
    await limit.fill('x');
    assert.match((await section().textContent()) ?? '', /Enter a number/);
  });

  it('unfold to show a problem that the service reports', async () => {
    const target = { at: 'more', path: at('llm.warmth') } as const;
    const result = { kind: 'invalid', problems: [{ target, message: 'Too warm.' }] } as const;
    await form.tell({ result: { ...result, problems: [...result.problems] } });
    assert.equal(await form.field(at('llm.warmth')).getAttribute('aria-invalid'), 'true');
    assert.match((await section().textContent()) ?? '', /Too warm\./);
  });

  it('are found by search', async () => {
    await form.page.locator('#search').fill('effort');
    assert.equal(await form.field(at('llm.effort')).isVisible(), true);
    assert.equal(await form.field(at('sub_agents')).count(), 0);
  });

  it('have no section if the service describes nothing', async () => {
    await form.send(formMessage(sampleModel({ more: { fields: [], elsewhere: [] } })));
    assert.equal(await section().isVisible(), false);
    assert.equal(await form.page.locator('nav a[data-target="more"]').count(), 0);
  });

  for (const [name, theme, width] of [
    ['light', 1, 1000],
    ['dark', 0, 1000],
    ['narrow', 1, 380],
  ] as const) {
    it(`look like the other fields (${name}), and axe finds nothing serious`, async () => {
      const other = await FormPage.open(built, { theme: themes[theme]! });
      await other.page.setViewportSize({ width, height: 900 });
      await other.send(formMessage());
      await other.section('more').locator('summary').click();
      await other.field(at('llm.effort')).selectOption({ label: 'low' });
      assert.deepEqual(await other.axe(), []);
      await takePicture(other.section('more'), `form-more-${name}`);
    });
  }
});
