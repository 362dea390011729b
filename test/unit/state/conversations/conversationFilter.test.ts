import assert from 'node:assert/strict';
import { createClient } from '../../../../src/api/service/client';
import { createLimiter } from '../../../../src/api/http/limiter';
import { passes, queryOf } from '../../../../src/state/conversations/conversationFilter';
import { makeConversation, startService } from '../../../service/service';

describe('conversation title filter', () => {
  const asked = (title: string) => queryOf({ title }, 0)?.titleContains;

  it('sends the service the part of the text whose case can be ignored', () => {
    assert.equal(asked('Login test'), 'Login test');
    assert.equal(asked('Ärger mit Login'), 'rger mit Login');
    assert.equal(asked('Café crème'), 'Caf');
    assert.equal(asked('東京'), '東京', 'letters without case');
    assert.equal(asked('Ä'), undefined);
  });

  it('ignores case on a service that folds only ASCII letters', async () => {
    const service = await startService({ profile: 'observed' });
    try {
      for (const title of ['ÄRGER MIT LOGIN', 'Ärger mit Login', 'Finger mit Login'])
        service.state.conversations.set(title, makeConversation({ title }));
      const client = createClient({
        baseUrl: service.url,
        sessionKey: service.sessionKey,
        limiter: createLimiter(),
      });
      const filter = { title: 'ärger mit login' };
      const { items } = await client.listConversations(queryOf(filter, 0));
      assert.deepEqual(
        items
          .filter((item) => passes(filter, item, 0))
          .map(({ title }) => title)
          .toSorted(),
        ['ÄRGER MIT LOGIN', 'Ärger mit Login'],
      );
    } finally {
      await service.close();
    }
  });
});
