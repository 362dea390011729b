import assert from 'node:assert/strict';
import { isolated, rowLabel } from '../../../src/shared/isolated';
import { conversationLabel, conversationName, sandboxName } from '../../../src/core/lists/names';
import { aConversation } from '../../support/builders/records';

const hebrew = 'תיקון הבדיקה הרעועה של תהליך התשלום בחנות';
const arabic = 'إصلاح اختبار';

describe('names from right to left', () => {
  it('are isolated, and others aren’t', () => {
    for (const text of [hebrew, arabic, `Fix ${arabic}`, '\u{10800}', '\u{1e900}'])
      assert.equal(isolated(text), `\u2068${text}\u2069`);
    for (const text of ['', 'Fix checkout', '修复结账测试', 'Résumé 東京 🙂', 'Ünï', 'Привет'])
      assert.equal(isolated(text), text);
  });

  it('keep the count of others on their right side', () => {
    const work = [
      aConversation({ id: 'a', title: arabic, sandbox_id: 's', updated_at: '2026-01-02T00:00:00Z' }),
      aConversation({ id: 'b', title: 'Other', sandbox_id: 's', updated_at: '2026-01-01T00:00:00Z' }),
    ];
    assert.equal(sandboxName({ id: 's' }, work), `\u2068${arabic}\u2069 +1`);
    assert.equal(conversationName(work[0]!), `\u2068${arabic}\u2069`);
  });

  it('keep their beginning in a narrow row', () => {
    const label = rowLabel(conversationLabel(aConversation({ title: hebrew })));
    assert.match(label, /^\u2068.*…\u2069$/u);
    assert.ok(hebrew.startsWith(label.slice(1, -2)));
    assert.ok(Array.from(label).length <= 17, label);
    assert.equal(rowLabel(`\u2068${hebrew}\u2069 +2`), `${label} +2`);
    assert.equal(rowLabel(isolated(arabic)), isolated(arabic), 'short enough');
  });

  it('are left to the editor if they begin on the left', () => {
    const mixed = isolated(`Fix ${hebrew}`);
    assert.equal(rowLabel(mixed), mixed);
    assert.equal(rowLabel('A long title '.repeat(9)), 'A long title '.repeat(9));
  });
});
