import assert from 'node:assert/strict';
import type { ListName } from '../../../../src/core/lists/serviceModel';
import type { Session } from '../../../../src/core/session/session';
import { listMessage } from '../../../../src/core/rows/trouble';
import { aClient, anError } from '../../../support/builders/client';
import { aList } from '../../../support/builders/records';

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
function messages(values: Partial<World>, now = 2 * minute) {
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
    shows: (view: ListName) => visible.includes(view),
    outOfDate: (view: ListName) => {
      const found = 'error' in session ? session.error : errors[view];
      return found && { error: found, since: loaded ? 0 : undefined };
    },
  };
  return visible.map((view) =>
    listMessage(session, model as unknown as Parameters<typeof listMessage>[1], view, now),
  );
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

  it('says why there are no rows, unless the welcome text says so', () => {
    assert.deepEqual(messages({ session: away, loaded: false }), [undefined, undefined]);
    assert.deepEqual(messages({ errors: { sandboxes: anError('invalid', 400) }, loaded: false }), [
      undefined,
      'Couldn’t load: Team returned an error (HTTP 400)',
    ]);
  });

  it('leaves it to the welcome text that a service fails until its first settings are saved', () => {
    const session: Session = { ...ready, neverSaved: true };
    const errors = { sandboxes: anError('serverError', 500) };
    assert.equal(messages({ session, errors, loaded: false })[1], undefined);
    const other = { sandboxes: anError('serverError', 503) };
    const words = 'Couldn’t load: Team returned an error (HTTP 503)';
    assert.equal(messages({ session, errors: other, loaded: false })[1], words);
  });
});
