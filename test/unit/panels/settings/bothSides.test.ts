import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FormEdits } from '../../../../src/shared/form';
import type { SecretField, SecretIntention } from '../../../../src/shared/settings';
import { App } from '../../../../src/webview/settings/app';
import { editsOf, setText, type Form } from '../../../../src/webview/settings/model';
import type { Kept } from '../../../../src/webview/settings/page';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits } from './support';

const fields = ['agent', 'git_user_name'] as const;
const secrets: SecretField[] = ['llm_api_key', 'search_api_key'];

/** What can happen, in any order: the two directions of messages are each in order, but not to one another. */
const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('type' as const),
    field: fc.constantFrom(...fields),
    text: fc.constantFrom('A', 'B', 'C'),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    field: fc.constantFrom(...secrets),
    intention: fc.constantFrom<SecretIntention>('clear', 'keep'),
  }),
  fc.record({ do: fc.constantFrom('report', 'toHost', 'toPage', 'say', 'hide') }),
);

/** The page and the extension host of a form, with messages that arrive when the test says so. */
class BothSides {
  private readonly toHost: unknown[] = [];
  private received = 0;
  private kept: Kept | null = null;
  private app: App;

  constructor(private readonly form: Harness) {
    this.app = this.newPage();
  }

  private newPage(): App {
    const nothing = () => undefined;
    const app = new App(
      {
        post: (message) => this.toHost.push(message),
        keep: (kept) => (this.kept = kept),
        draw: nothing,
        later: nothing,
        focus: nothing,
        reveal: nothing,
      },
      this.kept,
    );
    app.start();
    return app;
  }

  type(field: (typeof fields)[number], text: string): void {
    this.app.change((form) => setText(form, field, text));
  }

  report(): void {
    this.app.report();
  }

  async deliverToHost(): Promise<void> {
    if (this.toHost.length > 0) await this.form.forge(this.toHost.shift());
  }

  deliverToPage(): void {
    const message = this.form.posted[this.received];
    if (message === undefined) return;
    this.received += 1;
    this.app.receive(message);
  }

  /** Closes the page: what is on its way there is lost. Opened again, it has only what it kept. */
  async hide(): Promise<void> {
    this.app.report();
    while (this.toHost.length > 0) await this.deliverToHost();
    this.form.host.hidden();
    this.received = this.form.posted.length;
    this.app = this.newPage();
    await this.settle();
  }

  async settle(): Promise<void> {
    while (this.toHost.length > 0 || this.received < this.form.posted.length) {
      await this.deliverToHost();
      this.deliverToPage();
      this.report();
    }
  }

  get shown(): Form {
    const { phase } = this.app.state;
    assert.ok(phase.at === 'form');
    return phase.form;
  }

  get notices(): readonly string[] {
    return this.app.state.notices;
  }
}

describe('page and extension host of the form', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
  });
  after(() => service.close());

  it('end with the same edits, and lose none, however their messages cross', async function () {
    this.timeout(60_000);
    const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
      const form = new Harness(clientOf(service));
      const sides = new BothSides(form);
      await sides.settle();
      const expected: FormEdits = structuredClone(noEdits);
      for (const step of steps) {
        if ('text' in step) {
          sides.type(step.field, step.text);
          expected.values[step.field] = step.text;
        } else if ('intention' in step) {
          form.host.decide({ at: 'field', field: step.field }, step.intention);
          const { [step.field]: _before, ...rest } = expected.secrets;
          expected.secrets = step.intention === 'clear' ? { ...rest, [step.field]: 'clear' } : rest;
        } else if (step.do === 'report') sides.report();
        else if (step.do === 'toHost') await sides.deliverToHost();
        else if (step.do === 'toPage') sides.deliverToPage();
        else if (step.do === 'say') form.host.say('News.');
        else await sides.hide();
      }
      sides.report();
      await sides.settle();
      assert.deepEqual(editsOf(sides.shown), expected);
      assert.deepEqual(form.host.open?.edits, expected);
      assert.equal(
        sides.notices.includes('News.'),
        steps.some((step) => step.do === 'say'),
      );
      form.host.dispose();
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
