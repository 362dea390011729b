import type { Problem } from '../../shared/messages';
import type { SettingsApp } from '../app';
import type { Form } from '../model';
import type { FoundControls } from '../search';

/** What the parts of the form are drawn from. */
export interface Drawing {
  app: SettingsApp;
  form: Form;
  problems: readonly Problem[];
  found: FoundControls;
}
