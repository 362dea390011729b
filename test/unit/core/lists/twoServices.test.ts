import assert from 'node:assert/strict';
import { createClient } from '../../../../src/api/service/client';
import { ServiceModel } from '../../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../../src/core/session/session';
import { startService, type ReferenceService } from '../../../service/service';
import { profiles } from '../../../support/profiles';
import { quiet } from '../../../support/builders/quiet';

for (const profile of profiles) {
  describe(`two services (${profile})`, () => {
    let one: ReferenceService;
    let two: ReferenceService;
    beforeEach(async () => {
      [one, two] = await Promise.all([
        startService({ profile, sandboxes: 3, conversations: 4 }),
        startService({ profile, seed: 'lifelike' }),
      ]);
    });
    afterEach(() => Promise.all([one.close(), two.close()]));

    function aWindow(at: ReferenceService, keyOf = ({ sessionKey }: ReferenceService) => sessionKey) {
      let present = at;
      const session = new SessionStore({
        readTarget: () =>
          Promise.resolve({
            connection: { name: 'Team', baseUrl: present.url, origin: present.url },
            sessionKey: keyOf(present),
          }),
        createClient: ({ baseUrl }, sessionKey) => createClient({ baseUrl, sessionKey, fetch }),
      });
      const model = new ServiceModel({ session, ...quiet });
      const shown = new Set<string>();
      model.onDidChange(() => {
        for (const list of [model.sandboxes, model.conversations]) {
          for (const { id } of list.state.items) shown.add(id);
        }
      });
      return {
        session,
        model,
        /** All ids shown since the last call. */
        shown: () => {
          const ids = [...shown];
          shown.clear();
          return ids;
        },
        switchTo: (next: ReferenceService) => {
          present = next;
          return session.reload();
        },
      };
    }
    const idsAt = ({ state }: ReferenceService) =>
      new Set<string>([...state.sandboxes.keys(), ...state.conversations.keys()]);
    const onlyFrom = (service: ReferenceService, ids: readonly string[]) => {
      assert.ok(ids.length > 0, 'nothing was shown');
      const own = idsAt(service);
      for (const id of ids) assert.ok(own.has(id), `${id} is of another service`);
    };
    const onlyOwnKeys = () => {
      for (const service of [one, two]) {
        assert.ok(service.requests.length > 0);
        for (const { headers } of service.requests) {
          assert.equal(headers['x-session-api-key'], service.sessionKey);
        }
      }
    };

    it('never shows or sends one service’s data under the other', async () => {
      const window = aWindow(one);
      await window.session.reload();
      await window.model.refresh('sandboxes', 'conversations');
      onlyFrom(one, window.shown());
      await window.switchTo(two);
      assert.equal(window.model.sandboxes.state.loaded, false);
      window.shown();
      await window.model.refresh('sandboxes', 'conversations');
      onlyFrom(two, window.shown());
      onlyOwnKeys();
      window.model.dispose();
    });

    it('ignores an answer that arrives after the switch', async () => {
      const window = aWindow(one);
      await window.session.reload();
      const held = one.fail({ path: '/api/v1/sandboxes/search', effect: { kind: 'stallBeforeHeaders' } });
      const arrived = one.waitForRequest(({ path }) => path === '/api/v1/sandboxes/search', {
        phase: 'arrived',
      });
      const late = window.model.refresh('sandboxes', 'conversations');
      await arrived;
      await window.switchTo(two);
      window.shown();
      held.release();
      await Promise.all([late, window.model.refresh('sandboxes', 'conversations')]);
      onlyFrom(two, window.shown());
      assert.equal(window.session.current.kind, 'ready');
      assert.equal(
        'connection' in window.session.current && window.session.current.connection.baseUrl,
        two.url,
      );
      onlyOwnKeys();
      window.model.dispose();
    });

    it('cancels a running check at the switch, so it can’t cause a refusal', async () => {
      const window = aWindow(one, (service) => (service === one ? 'wrong' : service.sessionKey));
      await window.session.reload();
      const held = one.fail({ path: '/api/settings', effect: { kind: 'stallBeforeHeaders' } });
      const arrived = one.waitForRequest(({ path }) => path === '/api/settings', { phase: 'arrived' });
      const late = window.session.verify();
      await arrived;
      await window.switchTo(two);
      await late;
      await window.model.refresh('sandboxes');
      held.release();
      assert.equal(one.requests.at(-1)?.status, null);
      assert.equal(window.session.current.kind, 'ready');
      assert.ok(window.model.sandboxes.state.loaded);
      window.model.dispose();
    });

    it('keeps two windows on different services apart', async () => {
      const [first, second] = [aWindow(one), aWindow(two)];
      await Promise.all([first.session.reload(), second.session.reload()]);
      await Promise.all([first, second].map(({ model }) => model.refresh('sandboxes', 'conversations')));
      onlyFrom(one, first.shown());
      onlyFrom(two, second.shown());
      onlyOwnKeys();
      first.model.dispose();
      second.model.dispose();
    });
  });
}
