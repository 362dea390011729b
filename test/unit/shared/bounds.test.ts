import assert from 'node:assert/strict';
import type * as z from 'zod/mini';
import { longestText } from '../../../src/shared/bounded';
import { fromPageSchema, parseFromPage } from '../../../src/shared/conversationFromPage';
import { parseWebviewMessage, webviewMessageSchema } from '../../../src/features/settings/shared/messages';
import { startService, type ReferenceService } from '../../service/service';
import { everyCase } from '../../support/everyCase';
import { action } from '../../support/conversation/entries';
import { Harness as ConversationSide } from '../conversation/panel/support';
import { clientOf, Harness } from '../settings/panel/support';

interface Def {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  options?: z.ZodMiniType[];
  innerType?: z.ZodMiniType;
  out?: z.ZodMiniType;
  element?: z.ZodMiniType;
  values?: unknown[];
  entries?: Record<string, unknown>;
  checks?: unknown[];
}

/** A message, and where in it something is longer than its bound. */
interface Overlong {
  name: string;
  message: unknown;
}

const picture = 'data:image/png;base64,AQID';

/** One value that fits a schema, and one for each of its bounds that is just too long. */
class Samples {
  constructor(private readonly fits: (message: unknown) => boolean) {}

  of(schema: z.ZodMiniType): unknown {
    const def = schema._zod.def as unknown as Def;
    switch (def.type) {
      case 'string':
        return schema.safeParse('a').success ? 'a' : picture;
      case 'number':
        return 1;
      case 'boolean':
        return true;
      case 'literal':
        return def.values?.[0];
      case 'enum':
        return Object.values(def.entries ?? {})[0];
      case 'array':
        return [this.of(def.element!)];
      case 'object':
        return Object.fromEntries(Object.entries(def.shape!).map(([name, one]) => [name, this.of(one)]));
      case 'transform':
        return {};
      case 'union':
        return this.of(def.options![0]!);
      case 'pipe':
        return this.of(def.out!);
      case 'nullable':
      case 'optional':
        return this.of(def.innerType!);
      default:
        throw new Error(`no sample for ${def.type}`);
    }
  }

  /** @param place puts a value into a whole message */
  tooLong(schema: z.ZodMiniType, path: string, place: (value: unknown) => unknown): Overlong[] {
    const def = schema._zod.def as unknown as Def;
    const isBounded = (def.checks ?? []).length > 0;
    switch (def.type) {
      case 'string': {
        const prefix = schema.safeParse('a').success ? '' : picture;
        return isBounded ? [{ name: path, message: place(prefix + 'x'.repeat(longestText + 1)) }] : [];
      }
      case 'array': {
        const one = this.of(def.element!);
        const lengths = isBounded ? [5_001, 1_000_001] : [];
        const lists = lengths.map((length) => place(Array.from({ length }, () => one)));
        const message = lists.find((list) => !this.fits(list)) ?? lists.at(-1);
        const inside = this.tooLong(def.element!, `${path}.0`, (value) => place([value]));
        return [...(message === undefined ? [] : [{ name: path, message }]), ...inside];
      }
      case 'object':
        return Object.entries(def.shape!).flatMap(([name, one]) =>
          this.tooLong(one, `${path}.${name}`, (value) =>
            place({ ...(this.of(schema) as object), [name]: value }),
          ),
        );
      // Members of any names, whose values only the transform knows.
      case 'transform': {
        const value = ['a', 'mine'].find((one) => this.fits(place({ a: one })));
        assert.ok(value, `${path}: no value fits`);
        const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`k${index}`, value]));
        const long = 'x'.repeat(longestText + 1);
        return [
          { name: path, message: place(many) },
          { name: `${path}.key`, message: place({ [long]: value }) },
          { name: `${path}.value`, message: place({ a: long }) },
        ];
      }
      case 'union':
        return def.options!.flatMap((option, index) => this.tooLong(option, `${path}|${index}`, place));
      case 'pipe':
        return this.tooLong(def.out!, path, place);
      case 'nullable':
      case 'optional':
        return this.tooLong(def.innerType!, path, place);
      default:
        return [];
    }
  }
}

function samplesOf(
  schema: typeof fromPageSchema | typeof webviewMessageSchema,
  fits: (data: unknown) => boolean,
) {
  const samples = new Samples(fits);
  return schema.def.options.map((option) => {
    const type = String(option.def.shape.type.def.values[0]);
    return { type, sample: samples.of(option), tooLong: samples.tooLong(option, type, (value) => value) };
  });
}

describe('bounds of messages', () => {
  it('are known to the extension host of a conversation, which answers whatever is longer', async function () {
    this.timeout(120_000);
    const fits = (data: unknown) => parseFromPage(data).ok;
    const messages = samplesOf(fromPageSchema, fits);
    await everyCase(
      messages,
      ({ type }) => type,
      ({ sample }) => assert.ok(fits(sample)),
    );
    const tooLong = messages.filter(({ type }) => type !== 'refused').flatMap((one) => one.tooLong);
    assert.ok(tooLong.length > 20, String(tooLong.length));
    const side = await new ConversationSide().open();
    await everyCase(
      tooLong,
      ({ name }) => name,
      async ({ message }) => {
        assert.ok(!fits(message), 'is too long');
        side.posted = [];
        await side.forge(message);
        const answer = side.posted.find(({ type }) => ['begin', 'outcome', 'notice'].includes(type));
        assert.ok(answer, 'is answered');
        assert.deepEqual(side.model.calls, []);
      },
    );
  });

  it('are known to the extension host of the form, which answers whatever is longer', async function () {
    this.timeout(120_000);
    const fits = (data: unknown) => parseWebviewMessage(data).ok;
    const messages = samplesOf(webviewMessageSchema, fits);
    await everyCase(
      messages,
      ({ type }) => type,
      ({ sample }) => assert.ok(fits(sample)),
    );
    const tooLong = messages.filter(({ type }) => type !== 'refused').flatMap((one) => one.tooLong);
    assert.ok(tooLong.length > 30, String(tooLong.length));
    const service: ReferenceService = await startService({ profile: 'observed', seed: 'lifelike' });
    const form = new Harness(clientOf(service));
    await form.open();
    await everyCase(
      tooLong,
      ({ name }) => name,
      async ({ message }) => {
        assert.ok(!fits(message), 'is too long');
        await form.send({ type: 'dismiss', list: 'notices' });
        const before = form.posted.length;
        await form.forge(message);
        const answers = form.posted.slice(before);
        assert.ok(
          answers.some(
            (answer) =>
              answer.type === 'review' ||
              (answer.type === 'form' && (answer.notices.length > 0 || answer.result !== null)) ||
              (message as { type: string }).type === 'ready',
          ),
          'is answered',
        );
      },
    );
    form.host.dispose();
    await service.close();
  });

  it('are kept by the extension host of a conversation, however long the words of others are', async () => {
    const words = 'x'.repeat(longestText + 1);
    const side = await new ConversationSide().open();
    side.posted = [];
    side.host.say(words);
    side.model.outcome = { kind: 'refused', problem: words };
    await side.forge({ type: 'pause' });
    side.model.failing = new Error(words);
    await side.forge({ type: 'loadOlder' });
    assert.deepEqual(
      side.posted.map(({ type }) => type),
      ['notice', 'outcome', 'olderLoaded'],
    );
  });

  it('let whatever waits be answered: thousands of actions, with ids of any length', async () => {
    const side = await new ConversationSide().open();
    const ids = Array.from({ length: 1_500 }, (_, index) => `${index}-${'x'.repeat(2_500)}`);
    side.model.set({ head: { pending: ids.map((id) => action(id, 'ls')) } });
    await side.forge({ type: 'reject', ids, reason: 'No.' });
    assert.equal(side.model.calls.length, 1);
    assert.equal(side.posted.filter(({ type }) => type === 'outcome').length, 1);
  });
});
