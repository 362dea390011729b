import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/http/errors';
import type { ListName } from '../../../../src/core/lists/serviceModel';
import type { Session } from '../../../../src/core/session/session';
import {
  listMessage,
  listTroubles,
  needsFirstSave,
  noKeyWords,
  troubleWords,
} from '../../../../src/core/rows/trouble';
import { contextKeys, viewIds } from '../../../../src/ids';
import { holds } from '../../../support/conditions';
import { projectFolder } from '../../../support/paths';
import { aClient, anError } from '../../../support/builders/client';
import { aList } from '../../../support/builders/records';

const { contributes } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  contributes: { viewsWelcome: { view: string; contents: string; when: string }[] };
};
/** The kinds that have a text in every view. */
const explained = [
  ...new Set(contributes.viewsWelcome.flatMap(({ when }) => /=(\w+)\\b/.exec(when)?.[1] ?? [])),
].filter((kind) =>
  (['conversations', 'sandboxes', 'specs', 'workspaces'] as const).every((name) =>
    contributes.viewsWelcome.some(
      ({ view, when }) =>
        view === viewIds[name] &&
        holds(when, { [contextKeys.listTroubles]: `specs=x,${name}=${kind},workspaces=y` }),
    ),
  ),
);

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };
const ready: Session = { kind: 'ready', connection, client: aClient() };
const error = anError('refused');
const away: Session = { ...ready, kind: 'unreachable', error };
const minute = 60_000;

interface World {
  session: Session;
  errors: Partial<Record<ListName, Error>>;
  visible: readonly ListName[];
  loaded: boolean;
}

/** The messages above the visible views. */
const messages = (values: Partial<World>, now = 2 * minute) =>
  inWorld(values, (session, model, visible) => visible.map((view) => listMessage(session, model, view, now)));

/** The views that explain why there are no rows. */
const troubles = (values: Partial<World>) =>
  inWorld({ loaded: false, ...values }, (session, model) => listTroubles(session, model));

function inWorld<T>(
  values: Partial<World>,
  say: (session: Session, model: Parameters<typeof listMessage>[1], visible: readonly ListName[]) => T,
): T {
  const { session, errors, visible, loaded } = {
    session: ready,
    errors: {},
    visible: ['conversations', 'sandboxes'] as const,
    loaded: true,
    ...values,
  };
  const list = { state: aList([], { loaded }) };
  const model = {
    sandboxes: list,
    conversations: list,
    specs: list,
    workspaces: list,
    shows: (view: ListName) => visible.includes(view),
    outOfDate: (view: ListName) => {
      const found = 'error' in session ? session.error : errors[view];
      return found && { error: found, since: loaded ? 0 : undefined };
    },
  };
  return say(session, model as unknown as Parameters<typeof listMessage>[1], visible);
}

describe('message above a list', () => {
  it('is hidden without errors', () => {
    assert.deepEqual(messages({}), [undefined, undefined]);
  });

  it('is short, shows the duration, and appears once', () => {
    assert.deepEqual(messages({ session: away }), ['Out of date: can’t reach Team, 2 min', undefined]);
    assert.deepEqual(messages({ session: away, visible: ['sandboxes', 'specs'] }), [
      'Out of date: can’t reach Team, 2 min',
      undefined,
    ]);
    assert.deepEqual(messages({ session: away }, 59_000)[0], 'Out of date: can’t reach Team');
  });

  it('appears above each list with its own error', () => {
    const errors = { sandboxes: anError('serverError', 500), conversations: anError('rateLimited', 429) };
    assert.deepEqual(messages({ errors }), [
      'Out of date: Team is limiting requests, 2 min',
      'Out of date: Team returned an error (HTTP 500), 2 min',
    ]);
    assert.deepEqual(messages({ errors: { sandboxes: anError('badShape', 200) } }), [
      undefined,
      'Out of date: can’t read the answer from Team, 2 min',
    ]);
  });

  it('says that a request was rejected', () => {
    assert.deepEqual(messages({ errors: { sandboxes: anError('invalid', 422) } }), [
      undefined,
      'Out of date: Team rejected the request (HTTP 422), 2 min',
    ]);
  });

  it('says nothing of a key to those who signed in', () => {
    const error = new ApiError('unauthorized', 'GET', '/', { status: 401, signIn: true });
    assert.equal(
      messages({ session: { ...ready, kind: 'refused', error } })[0],
      'Out of date: not signed in to Team, 2 min',
    );
  });

  it('leaves it to the welcome text why there were never any rows', () => {
    assert.deepEqual(messages({ session: away, loaded: false }), [undefined, undefined]);
    assert.deepEqual(messages({ errors: { sandboxes: anError('invalid', 400) }, loaded: false }), [
      undefined,
      undefined,
    ]);
  });
});

describe('the welcome text of a list that was never read', () => {
  for (const [reason, status, kind] of [
    ['invalid', 400, 'rejected'],
    ['unauthorized', 401, 'refused'],
    ['forbidden', 403, 'refused'],
    ['notFound', 404, 'missing'],
    ['methodNotAllowed', 405, 'missing'],
    ['conflict', 409, 'rejected'],
    ['payloadTooLarge', 413, 'rejected'],
    ['unexpectedStatus', 418, 'rejected'],
    ['invalid', 422, 'rejected'],
    ['rateLimited', 429, 'rateLimited'],
    ['serverError', 500, 'serverError'],
    ['serverError', 503, 'serverError'],
    ['redirected', 302, 'redirected'],
    ['badShape', 200, 'unreadable'],
    ['notService', 200, 'unreadable'],
    ['timeout', undefined, 'unreachable'],
  ] as const)
    it(`says what ${status ?? 'no answer'} (${reason}) means`, () => {
      const errors = { conversations: anError(reason, status) };
      assert.equal(troubles({ errors }), `conversations=${kind}`);
      assert.ok(explained.includes(kind), kind);
    });

  it('is of the first visible view with this trouble, and only where nothing else says it', () => {
    const errors = {
      conversations: anError('invalid', 400),
      sandboxes: anError('conflict', 409),
      specs: new TypeError('x is undefined'),
    };
    assert.equal(troubles({ errors, visible: ['conversations', 'sandboxes'] }), 'conversations=rejected');
    assert.equal(
      troubles({ errors, visible: ['sandboxes', 'specs'] }),
      'sandboxes=rejected,specs=unreadable',
    );
    assert.equal(troubles({ errors, loaded: true }), undefined);
    assert.equal(troubles({ session: away }), undefined);
  });

  for (const kind of explained)
    it(`is the same for automations (${kind})`, () => {
      const textsOf = (id: string, keys: Record<string, string>) =>
        contributes.viewsWelcome.flatMap(({ view, contents, when }) =>
          view === id && holds(when, keys) ? [contents] : [],
        );
      const texts = textsOf(viewIds.automations, { [contextKeys.automationsInstead]: kind });
      assert.equal(texts.length, 1);
      assert.deepEqual(
        texts,
        textsOf(viewIds.workspaces, { [contextKeys.listTroubles]: `workspaces=${kind}` }),
      );
    });

  it('is that of the first save where a service fails until then', () => {
    const session: Session = { ...ready, neverSaved: true };
    assert.equal(troubles({ session, errors: { sandboxes: anError('serverError', 500) } }), undefined);
    const errors = { sandboxes: anError('serverError', 503) };
    assert.equal(troubles({ session, errors }), 'sandboxes=serverError');
  });

  it('is that only for lists that were never read and fail like this', () => {
    const session: Session = { ...ready, neverSaved: true };
    const needs = (values: Partial<World>, ...lists: ListName[]) =>
      inWorld({ session, loaded: false, ...values }, (own, model) => needsFirstSave(own, model, ...lists));
    const errors = { sandboxes: anError('serverError', 500), specs: new TypeError('x is undefined') };
    assert.equal(needs({ errors }, 'conversations', 'sandboxes'), true);
    assert.equal(needs({ errors }, 'conversations', 'specs'), false);
    assert.equal(needs({ errors, loaded: true }, 'sandboxes'), false);
    assert.equal(needs({ errors, session: ready }, 'sandboxes'), false);
    assert.equal(needs({}, 'conversations'), false);
  });
});

describe('a connection without a key', () => {
  it('says nothing of a key to those who sign in', () => {
    assert.equal(noKeyWords({ ...connection, authentication: 'signIn' }), 'Not signed in');
    assert.equal(noKeyWords({ ...connection, authentication: 'apiKey' }), 'No session key on this computer');
    assert.equal(noKeyWords(connection), 'No session key on this computer');
  });
});

describe('the trouble of a service without settings', () => {
  it('is told with what mends it, but only for what a save mends', () => {
    const fresh: Session = { ...ready, neverSaved: true };
    const failed = anError('serverError', 500);
    const usual = 'Team returned an error (HTTP 500)';
    assert.match(troubleWords(fresh, failed), /^Team fails until you save its settings once\./);
    assert.equal(troubleWords(ready, failed), usual);
    assert.equal(troubleWords({ ...away, neverSaved: true } as Session, failed), usual);
    assert.equal(troubleWords(fresh, anError('serverError', 503)), 'Team returned an error (HTTP 503)');
  });
});

describe('how long a list has been out of date', () => {
  it('is the time since then, if that’s known', () => {
    const told = (since: number | undefined) =>
      inWorld({}, (session, model, [view]) => {
        const outOfDate = () => ({ error, since });
        return listMessage(session, { ...model, outOfDate }, view!, 10 * minute);
      });
    assert.equal(told(3 * minute), 'Out of date: can’t reach Team, 7 min');
    assert.equal(told(undefined), 'Out of date: can’t reach Team');
  });
});
