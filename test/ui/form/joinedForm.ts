import type { Locator } from 'playwright-core';
import type { ReferenceService } from '../../service/service';
import { openServerRow } from '../../support/workbench/settingsForm';
import { clientOf, Harness } from '../../unit/settings/panel/support';
import { openPage, type Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { deliver, FormControls } from './formPage';

/** The form in a browser page with its extension side, on a reference service; the test is the editor between them. */
export class JoinedForm extends FormControls {
  private constructor(
    page: ConstructorParameters<typeof FormControls>[0],
    complaints: string[],
    /** What the extension side asks of the editor, and gets as an answer. */
    readonly editor: Harness,
  ) {
    super(page, complaints);
  }

  /** @param editor the side of the extension, such as that of a form that was closed, with its draft */
  static async open(
    built: Built,
    service: ReferenceService,
    editor = new Harness(clientOf(service)),
  ): Promise<JoinedForm> {
    const early: unknown[] = [];
    let receive = (message: unknown) => void early.push(message);
    const options = { theme: themes[0]!, title: 'Service Settings' };
    const { page, complaints } = await openPage(built, {
      ...options,
      receive: (message) => receive(message),
    });
    const form = new JoinedForm(page, complaints, editor);
    // Each way, messages stay in order.
    let delivered = Promise.resolve();
    editor.onPosted = (message) => {
      delivered = delivered.then(() => deliver(page, [message]));
    };
    receive = (message) => void editor.forge(message);
    early.forEach(receive);
    await form.section('model').waitFor();
    return form;
  }

  /** A value with conflicting changes, by the field's label. */
  conflict(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true });
  }

  provider(name: string): Locator {
    return this.page.locator(`[data-provider="${name}"]`);
  }

  /** Opens a server's row for editing. */
  openServer(label: string): Promise<Locator> {
    return openServerRow(this.server(label));
  }

  /** Saves, also through the review. Resolves when the save has succeeded or failed. */
  async save(): Promise<void> {
    await this.button('Save').click();
    const fromReview = this.review.getByRole('button', { name: 'Save', exact: true });
    const ended = this.page.locator('.status[data-tone="good"], .status[data-tone="bad"]');
    await fromReview.or(ended).first().waitFor();
    if (!(await fromReview.isVisible())) return;
    await fromReview.click();
    await ended.waitFor();
  }

  /** Saves and waits for success. */
  async saved(): Promise<void> {
    await this.save();
    await this.page.locator('.status[data-tone="good"]').waitFor();
  }

  /** Replaces a secret by what the user enters in the editor. */
  async replaceSecret(place: Locator, value: string): Promise<void> {
    this.editor.secret = value;
    await place.getByRole('button', { name: 'Replace' }).first().click();
    await place.getByText(/^will be (set|replaced)$/).waitFor();
  }
}
