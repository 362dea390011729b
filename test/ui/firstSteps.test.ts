import { uiSuite } from '../support/ui';
import { links } from './links';
import { walkthrough } from './walkthrough';

// One window for both, since starting an editor takes longer than these tests.
uiSuite('first steps', (ui) => {
  describe('links to connect', () => links(ui));
  describe('the walkthrough', () => walkthrough(ui));
});
