import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { makeConversation, makeSandbox } from '../service/service';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite(
  'deleting',
  (ui) => {
    const isFirst = ui.profile === 'observed';
    const keptWith = 'Compare two parsers';
    const shared = 'Fix flaky checkout test on CI';
    const dialog = () => ui.workbench.dialog();
    const named = (title: string) => {
      const found = [...ui.service.state.conversations.values()].find((one) => one.title === title);
      assert.ok(found);
      return found;
    };
    /** The title of a conversation that’s alone in its sandbox. */
    const alone = () => {
      const all = [...ui.service.state.conversations.values()];
      const found = all.find(
        ({ id, title, sandbox_id }) =>
          title !== null &&
          title !== keptWith &&
          ui.service.state.sandboxes.has(sandbox_id) &&
          all.every((other) => other.id === id || other.sandbox_id !== sandbox_id),
      );
      assert.ok(found?.title);
      return found.title;
    };
    const choose = async (title: string) => {
      await ui.workbench.runCommand(commandIds.conversationDelete);
      await ui.workbench.quickInput.waitFor('Select a conversation');
      await ui.workbench.quickInput.type(title);
      await ui.workbench.quickInput.accept();
    };
    const deletions = () => ui.service.requests.filter(({ method }) => method === 'DELETE');

    before(async () => {
      const { sandbox_id } = named(shared);
      const neighbor = makeConversation({ sandbox_id, title: 'Look at the logs, too' });
      ui.service.state.conversations.set(neighbor.id, neighbor);
      ui.service.state.sandboxes.set('kept', makeSandbox({ id: 'kept' }));
      const keeper = makeConversation({ sandbox_id: 'kept', title: keptWith });
      ui.service.state.conversations.set(keeper.id, keeper);
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it(`${isFirst ? 'refuses to delete a conversation with' : 'spares'} others in its sandbox`, async () => {
      const title = shared;
      const { id, sandbox_id } = named(title);
      await choose(title);
      if (isFirst) {
        await dialog().getByText(`“${title}” can’t be deleted on its own.`).waitFor();
        await ui.workbench.screenshot(`delete-refused-${ui.profile}`);
        await dialog()
          .getByRole('button', { name: /^Delete Sandbox and \d Conversations…$/ })
          .waitFor();
        await dialog().getByRole('button', { name: 'Cancel' }).click();
        await dialog().waitFor({ state: 'detached' });
        assert.deepEqual(deletions(), []);
        assert.ok(ui.service.state.conversations.has(id));
      } else {
        await dialog().getByText('Its sandbox stays').waitFor();
        await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
        await ui.service.waitForRequest(({ method }) => method === 'DELETE', { after: 0 });
        assert.ok(!ui.service.state.conversations.has(id));
      }
      assert.ok(ui.service.state.sandboxes.has(sandbox_id));
    });

    it('says that the sandbox will be deleted too, and deletes both', async () => {
      const title = alone();
      const { id, sandbox_id } = named(title);
      const label = sandboxLabel(ui.service, sandbox_id);
      const before = deletions().length;
      await choose(title);
      await dialog().getByText(`Delete “${title}”?`).waitFor();
      await dialog().getByText('Its sandbox is deleted too').waitFor();
      await ui.workbench.screenshot(`delete-conversation-${ui.profile}`);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      assert.equal(deletions().length, before);
      await choose(title);
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await ui.workbench.view('Conversations').row(title).waitFor({ state: 'detached' });
      // The rows below move up, so a menu could open on the wrong row.
      await ui.workbench.view('Sandboxes').row(label).waitFor({ state: 'detached' });
      assert.ok(!ui.service.state.conversations.has(id));
      assert.ok(!ui.service.state.sandboxes.has(sandbox_id));
    });

    if (isFirst) {
      it('says when the sandbox may not have been deleted', async () => {
        const { id, sandbox_id } = named(keptWith);
        ui.service.behaviour.keepsSandbox = true;
        ui.service.fail({
          method: 'DELETE',
          path: `/api/v1/sandboxes/${sandbox_id}`,
          effect: { kind: 'answer', status: 500, body: { detail: 'Busy' } },
          times: 1,
        });
        await choose(keptWith);
        await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
        await ui.workbench.notifications.waitFor('its sandbox may not have been');
        await ui.workbench.screenshot('delete-sandbox-stayed');
        assert.ok(!ui.service.state.conversations.has(id));
        assert.ok(ui.service.state.sandboxes.has(sandbox_id));
        await ui.workbench.notifications.clear();
      });
    }

    it('asks before deleting a sandbox, and names its conversations', async () => {
      const { title, sandbox_id } = named('Look at the logs, too');
      const label = sandboxLabel(ui.service, sandbox_id);
      const view = ui.workbench.view('Sandboxes');
      await view.chooseFromMenu(label, 'Delete Sandbox…');
      await dialog().getByText(`Delete the sandbox “${label}”?`).waitFor();
      await dialog().getByText(`“${title}”`).first().waitFor();
      await ui.workbench.screenshot(`delete-sandbox-${ui.profile}`);
      const late = makeConversation({ sandbox_id, title: 'Started in the meantime' });
      ui.service.state.conversations.set(late.id, late);
      const agree = dialog().getByRole('button', { name: 'Delete', exact: true });
      await agree.click();
      await dialog().getByText('“Started in the meantime”').waitFor();
      assert.ok(ui.service.state.sandboxes.has(sandbox_id));
      await agree.click();
      await ui.service.waitForRequest(
        ({ method, path }) => method === 'DELETE' && path === `/api/v1/sandboxes/${sandbox_id}`,
        { after: 0 },
      );
      await view.row(label).waitFor({ state: 'detached' });
    });

    it('asks for a sandbox from the palette, too', async () => {
      const [sandbox] = ui.service.state.sandboxes.keys();
      assert.ok(sandbox);
      await ui.workbench.runCommand(commandIds.sandboxDelete);
      await ui.workbench.quickInput.waitFor('Select a sandbox');
      await ui.workbench.quickInput.accept();
      await dialog()
        .getByText(/Delete the sandbox “.+”\?/)
        .waitFor();
      const before = deletions().length;
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      assert.equal(deletions().length, before);
    });
  },
  { profiles: ['observed', 'current'] },
);
