import assert from 'node:assert/strict';
import { developmentTarget, withDevelopment } from '../../../src/editor/developmentTarget';
import type { Connection } from '../../../src/shared/connection';

const environment = {
  AGENT_WORKSPACE_URL: 'http://127.0.0.1:3100/',
  AGENT_WORKSPACE_SESSION_KEY: 'debug',
};
const connection = { name: 'Development', baseUrl: 'http://127.0.0.1:3100', origin: 'http://127.0.0.1:3100' };
const team: Connection = {
  name: 'Team',
  baseUrl: 'https://team.example.com',
  origin: 'https://team.example.com',
};

describe('connection from the environment', () => {
  it('is available to an extension under development', () => {
    assert.deepEqual(developmentTarget(false, environment), { connection, sessionKey: 'debug' });
  });

  it('is not available to an installed extension', () => {
    assert.equal(developmentTarget(true, environment), undefined);
  });

  it('needs both an address and a key', () => {
    for (const name of Object.keys(environment)) {
      assert.equal(developmentTarget(false, { ...environment, [name]: '' }), undefined, name);
    }
    assert.equal(developmentTarget(false, { ...environment, AGENT_WORKSPACE_URL: 'ftp://a' }), undefined);
  });

  it('comes first and leaves the others selectable', () => {
    const development = developmentTarget(false, environment);
    const configured = { connections: [team], problems: ['One is unusable.'] };
    assert.deepEqual(withDevelopment(configured, development), {
      connections: [connection, team],
      problems: ['One is unusable.'],
    });
    assert.equal(withDevelopment(configured, undefined), configured);
  });

  it('is replaced by a connection in the settings with the same address', () => {
    const named = { ...connection, name: 'Mine', network: { noProxy: '*' } };
    const { connections } = withDevelopment(
      { connections: [team, named], problems: [] },
      developmentTarget(false, environment),
    );
    assert.deepEqual(connections, [named, team]);
  });
});
