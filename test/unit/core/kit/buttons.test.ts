import assert from 'node:assert/strict';
import { button, iconButton, type ButtonOptions } from '../../../../src/core/kit/buttons';
import { drawn } from '../../../support/drawn';

describe('a button', () => {
  const done: string[] = [];
  beforeEach(() => (done.length = 0));
  const made = (more: Partial<ButtonOptions> = {}) =>
    drawn(() => button({ label: 'Save', click: () => done.push('click'), ...more }));

  it('does what it says, and has only the attributes that it’s given', () => {
    const { html, text, press } = made();
    assert.equal(text, 'Save');
    assert.doesNotMatch(html, /aria-label|aria-pressed|aria-describedby|title|id=/);
    assert.match(html, /class="secondary"[^]*tabindex="0"[^]*aria-disabled="false"/);
    press('Save');
    assert.deepEqual(done, ['click']);
    const more = made({
      look: 'primary',
      id: 'a',
      title: 'Why',
      describedBy: 'b',
      pressed: false,
      tab: false,
    });
    assert.match(
      more.html,
      /class="primary"\s+id="a"\s+title="Why"\s+tabindex="-1"\s+aria-describedby="b"\s+aria-pressed="false"/,
    );
  });

  it('does nothing while it’s disabled, or explains why', () => {
    made({ disabled: true }).press('Save');
    assert.equal(done.length, 0);
    const { html, press } = made({ disabled: true, explain: () => done.push('why') });
    assert.match(html, /aria-disabled="true"/);
    press('Save');
    assert.deepEqual(done, ['why']);
  });

  it('has a name if there’s only a picture on it, or another one than what is written', () => {
    const icon = drawn(() => iconButton({ label: 'Close', icon: 'x', click: () => undefined }));
    assert.match(icon.html, /class="quiet icon-button"\s+title="Close"\s+aria-label="Close"/);
    assert.equal(icon.text, 'x');
    assert.deepEqual(made({ name: 'Save all' }).buttons, ['Save all']);
  });
});
