import { uiSuite, type UiSuite } from '../support/ui';
import { connect } from './support/connect';

/** Conversations in the same sandbox, of which one waits for approval, and one that sleeps. */
const title = 'Move order history to the new pagination API';

/** The changes of several files in the active editor. */
const changesOf = ({ workbench: { page } }: UiSuite) => {
  const files = page.locator('.multiDiffEntry');
  return {
    file: (name: string) => files.filter({ hasText: name }).first(),
    line: (text: string) => page.locator('.multiDiffEntry .view-line').filter({ hasText: text }).first(),
  };
};

uiSuite(
  'changes of an agent',
  (ui) => {
    before(async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it('open from the conversation’s row, with what commands changed, too', async () => {
      await ui.workbench.view('Conversations').openContextMenu(title);
      await ui.workbench.chooseFromMenu('Show Changes');
      await ui.workbench.tab(`Changes: ${title}`).waitFor();
      const changes = changesOf(ui);
      await changes.file('slug.py').waitFor();
      await changes.line('[^a-z0-9]+').waitFor();
      await ui.workbench.screenshot('changes');
    });
  },
  { profiles: ['observed'], service: { agents: '1.58.0' } },
);
