import assert from 'node:assert/strict';
import { Homes } from '../../../../src/core/session/homes';

const service = 'https://hosted.example.com';
const [one, two] = [
  { id: 'a', name: 'One' },
  { id: 'b', name: 'Two' },
];

describe('the organizations of conversations in tabs', () => {
  /** What is kept stays through a reload of the window. */
  const make = (kept: unknown) => {
    const store = { read: () => kept, write: (value: unknown) => void (kept = value) };
    return { homes: () => new Homes(store), kept: () => kept };
  };

  it('are those that were worked for when a tab was first shown', () => {
    const { homes } = make(undefined);
    assert.equal(homes().elsewhere(service, 'c1', one), undefined);
    assert.equal(homes().elsewhere(service, 'c1', one), undefined);
    assert.deepEqual(homes().elsewhere(service, 'c1', two), one);
    assert.deepEqual(homes().elsewhere(service, 'c1', undefined), one);
    assert.equal(homes().elsewhere('https://other.example.com', 'c1', two), undefined);
  });

  it('aren’t known where none is selected', () => {
    const { homes, kept } = make(undefined);
    assert.equal(homes().elsewhere(service, 'c1', undefined), undefined);
    assert.equal(homes().elsewhere(service, 'c1', two), undefined);
    assert.deepEqual(kept(), [{ key: `${service} c1`, ...two }]);
  });

  it('are kept for the latest tabs only, whatever was kept before', () => {
    for (const odd of [null, [], 'x', [{ key: `${service} c1`, id: 'no\nheader', name: 'One' }]]) {
      const { homes, kept } = make(odd);
      for (let tab = 0; tab < 300; tab += 1) homes().elsewhere(service, `c${tab}`, one);
      const own = (kept() as unknown[]).filter((entry) => !(odd as unknown[] | null)?.includes(entry));
      assert.equal(own.length, 200);
      assert.deepEqual(homes().elsewhere(service, 'c299', two), one);
    }
  });
});
