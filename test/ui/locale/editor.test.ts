import { commands } from './commands';
import { connecting } from './connecting';
import { form } from './form';
import { lists } from './lists';
import { abroadSuite } from './support';
import { troubles } from './troubles';

// One window for everything, since starting an editor takes longer than all these checks.
abroadSuite((ui) => {
  connecting(ui);
  lists(ui);
  commands(ui);
  if (!ui.isThorough) return;
  form(ui);
  troubles(ui);
});
