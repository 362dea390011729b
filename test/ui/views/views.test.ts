import { uiSuite } from '../../support/ui';
import { connect } from '../support/connect';
import { conversations } from './conversations';
import { lists } from './lists';
import { sandboxes } from './sandboxes';

// One window for all, since starting an editor takes longer than most of these tests.
uiSuite('the views', (ui) => {
  const drawn = async () => {
    await ui.workbench.openAgentWorkspace();
    await ui.workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
    await ui.workbench.view('Sandboxes').pane.getByRole('treeitem').first().waitFor();
  };
  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await drawn();
    await ui.workbench.notifications.clear();
  });

  describe('lists', () => lists(ui));

  describe('rows and their commands', () => {
    before(async () => {
      ui.service.reset();
      await ui.workbench.reload();
      await drawn();
    });
    conversations(ui);
    sandboxes(ui);
  });
});
