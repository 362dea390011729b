import assert from 'node:assert/strict';
import { childrenAtMost } from '../../../../src/core/rows/moreRow';
import { aConversation, aSandbox } from '../../../support/builders/records';
import { rowsOf } from '../../../support/builders/rows';

const many = Array.from({ length: 10_000 }, (_, index) => index);

describe('long lists of child rows', () => {
  it('show waiting conversations first, and the number of hidden ones', () => {
    const conversations = [
      aConversation({ id: 'parent' }),
      ...many.map((index) =>
        aConversation({
          id: `c-${index}`,
          parent_conversation_id: 'parent',
          execution_status: index === 9_999 ? 'waiting_for_confirmation' : 'finished',
        }),
      ),
    ];
    const [{ children = [] } = {}] = rowsOf({ conversations });
    assert.equal(children.length, childrenAtMost + 1);
    assert.equal(children[0]?.id, 'conversation/c-9999');
    assert.equal(children.at(-1)?.label, `and ${many.length - childrenAtMost} more`);
    assert.equal(new Set(children.map(({ id }) => id)).size, children.length);
  });

  it('show the first exposed URLs and the number of hidden ones', () => {
    const exposed_urls = many.map((index) => ({ name: `W${index}`, url: `https://example.com/${index}` }));
    const [{ children = [] } = {}] = rowsOf({ sandboxes: [aSandbox({ exposed_urls })] });
    assert.equal(children.length, childrenAtMost + 1);
    assert.equal(children.at(-1)?.label, `and ${many.length - childrenAtMost} more`);
  });
});
