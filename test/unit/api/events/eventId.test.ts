import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readId, sentId } from '../../../../src/api/events/eventId';
import { eventSchema } from '../../../../src/api/events/schema';

describe('an ID of an event', () => {
  it('is held so that two are one only if the server says so, and sent as it was told', () => {
    const told = fc.oneof(fc.maxSafeInteger(), fc.constantFrom('7', '"7"', '-1', 'e1'), fc.string());
    fc.assert(
      fc.property(told, told, (one, other) => {
        const [held, otherHeld] = [readId(one), readId(other)];
        assert.equal(held === undefined, one === '');
        if (held === undefined) return;
        assert.equal(sentId(held), one === 0 ? 0 : one);
        assert.equal(held === otherHeld, one === other || (one === 0 && other === 0));
      }),
    );
  });

  it('is none if it’s no ID, or can’t be told from the next number', () => {
    for (const id of [null, undefined, '', true, {}, [], 2 ** 53, 1.5, NaN])
      assert.equal(readId(id), undefined);
  });

  it('has the risk that an analyzer names for it, as a number or as a text', () => {
    const risks = eventSchema.parse({
      ...{ kind: 'SecurityAnalysisEvent', id: 'a', timestamp: '2026-01-01T00:00:00' },
      risks: { 7: 'HIGH' },
    });
    assert.ok(risks.kind === 'risks');
    for (const id of [7, '7']) assert.equal(risks.risks[readId(id) ?? ''], 'HIGH');
  });
});
