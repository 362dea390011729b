import assert from 'node:assert/strict';
import { SettingsApp } from '../../../../src/features/settings/page/app';
import { setText } from '../../../../src/features/settings/page/model';
import { settingsPage } from '../../../../src/features/settings/page/view/page';
import type {
  HostMessage,
  ShownForm,
  WebviewMessage,
} from '../../../../src/features/settings/shared/messages';
import { drawn } from '../../../support/drawn';
import { formMessage, reviewMessage } from '../../../ui/form/samples';

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
});
