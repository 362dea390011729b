import type { Problem } from '../../shared/messages';
import type { App } from '../app';
import type { Form } from '../model';
import type { Found } from '../search';

/** What the parts of the form are drawn from. */
export interface Drawing {
  app: App;
  form: Form;
  problems: readonly Problem[];
  found: Found;
}
