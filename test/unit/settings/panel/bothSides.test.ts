import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FormEdits } from '../../../../src/features/settings/shared/form';
import type { Choice } from '../../../../src/features/settings/shared/messages';
import type { SecretField, SecretIntention } from '../../../../src/shared/settings';
import { SettingsApp } from '../../../../src/features/settings/page/app';
import { editsOf, setText, type Form } from '../../../../src/features/settings/page/model';
import type { Kept } from '../../../../src/features/settings/page/state';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, settingsIn } from './support';

const fields = ['agent', 'git_user_name'] as const;
type Field = Parameters<typeof setText>[1];
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
  private app: SettingsApp;

  constructor(private readonly form: Harness) {
    this.app = this.newPage();
  }

  private newPage(): SettingsApp {
    const nothing = () => undefined;
    const app = new SettingsApp(
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

  type(field: Field, text: string): void {
    this.app.change((form) => setText(form, field, text));
  }

  report(): void {
    this.app.report();
  }

  /** Saves and waits for the outcome; the review of the first save is confirmed. */
  async save(): Promise<void> {
    this.app.save();
    await this.settle();
    if (this.app.state.review === null) return;
    this.app.save();
    await this.settle();
  }

  choose(key: string, choice: Choice): void {
    this.app.choose(key, choice);
  }

  chooseAll(choice: Choice): void {
    this.app.chooseAll(choice);
  }

  /** The keys of the conflicts on screen. */
  get asked(): string[] {
    return this.app.state.conflicts.map(({ key }) => key);
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
    this.timeout(120_000);
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

  describe('when another client changes one more of the same values before each save', () => {
    const contested = [
      'agent',
      'git_user_name',
      'git_user_email',
      'language',
      'llm_model',
      'llm_base_url',
      'sandbox_base_container_image',
      'sandbox_runtime_container_image',
    ] as const;
    let form: Harness;
    let sides: BothSides;
    const valueOf = (who: string, field: Field) => {
      if (field === 'llm_base_url') return `https://${who}.example`;
      return field === 'git_user_email' ? `${who}@example.com` : `${who}-${field}`;
    };
    const mine = (field: Field) => valueOf('mine', field);
    const theirs = (field: Field) => valueOf('theirs', field);
    const choiceAt = (index: number): Choice => (index % 2 === 0 ? 'theirs' : 'mine');

    beforeEach(async () => {
      service.reset();
      form = new Harness(clientOf(service));
      sides = new BothSides(form);
      await sides.settle();
      for (const field of contested) sides.type(field, mine(field));
    });
    afterEach(() => form.host.dispose());

    for (const way of ['one by one', 'with the buttons for all'] as const)
      it(`ask about each conflict once, settled ${way}`, async () => {
        for (const [index, field] of contested.entries()) {
          Object.assign(settingsIn(service), { [field]: theirs(field) });
          await sides.save();
          assert.deepEqual(sides.asked, [`field:${field}`]);
          if (way === 'one by one') sides.choose(`field:${field}`, choiceAt(index));
          else sides.chooseAll(choiceAt(index));
        }
        await sides.save();
        assert.equal(form.result.kind, 'saved');
        const stored = contested.map((field) => settingsIn(service)[field]);
        assert.deepEqual(
          stored,
          contested.map((field, index) => (choiceAt(index) === 'mine' ? mine(field) : theirs(field))),
        );
      });

    it('ask again about a value that changed on the service after it was chosen', async () => {
      Object.assign(settingsIn(service), { agent: 'first', language: 'first' });
      await sides.save();
      assert.deepEqual(sides.asked, ['field:language', 'field:agent'].sort());
      sides.chooseAll('theirs');
      Object.assign(settingsIn(service), { agent: 'second' });
      await sides.save();
      assert.deepEqual(sides.asked, ['field:agent']);
    });

    it('don’t let an earlier choice for the service’s value drop what is entered after it', async () => {
      Object.assign(settingsIn(service), { agent: 'theirs' });
      await sides.save();
      sides.chooseAll('theirs');
      Object.assign(settingsIn(service), { language: 'theirs' });
      await sides.save();
      sides.type('agent', 'newer');
      sides.chooseAll('mine');
      await sides.save();
      assert.deepEqual(sides.asked, ['field:agent']);
      sides.chooseAll('mine');
      await sides.save();
      assert.equal(settingsIn(service).agent, 'newer');
    });
  });
});
