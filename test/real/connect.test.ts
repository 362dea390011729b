import assert from 'node:assert/strict';
import { ownMemory } from '../../src/api/service/generation';
import type { RequestEvent } from '../../src/api/http/transport';
import { diagnose } from '../../src/features/connection/commands/diagnosis/diagnose';
import { reportOf } from '../../src/features/connection/commands/diagnosis/report';
import { assertRequestsToFirstRows, connectToFirstRows } from '../support/firstRows';
import { withSandboxes } from './support/releases';
import { holdSettings, secrets } from './support/settings';
import { real, realClient, realSuite } from './support/suite';

realSuite('Connect', withSandboxes, () => {
  it('makes as few requests as possible until the first rows', async () => {
    await holdSettings();
    const { service, release } = real();
    const asked: string[] = [];
    const generations = ownMemory();
    const log = ({ method, route }: RequestEvent) => asked.push(`${method} ${route}`);
    const model = await connectToFirstRows(service.url, service.sessionKey, (sessionKey) =>
      realClient({ sessionKey, generations, log }),
    );
    assert.ok(model.conversations.state.loaded && model.sandboxes.state.loaded);
    assert.ok(release.generation !== 'agentServer');
    assertRequestsToFirstRows(asked, release.generation);
    model.dispose();
  });
});

realSuite('Diagnose Connection', ['first', 'current', 'agentServer'], function () {
  this.timeout(60_000);
  const { version, generation, quirks } = real().release;
  let report: string;

  before(async () => {
    if (generation !== 'agentServer') await holdSettings();
    const { url: baseUrl, sessionKey } = real().service;
    const connection = { name: 'Team', baseUrl, origin: baseUrl };
    const network = { fetch, proxyFor: () => undefined };
    const found = await diagnose({ connection, sessionKey, network }, 'A test', new AbortController().signal);
    report = reportOf(found);
  });

  it('names generation and release', () => {
    const words = {
      first: /Settings at \/api\/settings, replaced as a whole by each save\./,
      current: /Settings at \/api\/v1\/settings; a save sends only what changed\./,
      agentServer: /agent server/i,
    };
    assert.match(report, words[generation]);
    const release = generation === 'agentServer' ? /Release: \d+\.\d+\.\d+/ : `Release: ${version}`;
    assert.match(report, new RegExp(release));
  });

  it('says what requires the key', () => {
    assert.match(report, /Required by the service: without a key, the settings were refused\./);
    assert.equal(
      report.includes('Not required for sandboxes and conversations'),
      quirks.includes('openLists'),
    );
  });

  it('says what isn’t available', () => {
    const lacking = {
      first: 'Model profiles, Custom secrets, List of repositories, More settings.',
      current: 'Solvability analysis, Sandbox API key.',
      agentServer: undefined,
    }[generation];
    assert.equal(/Not available on this service: (.*)/.exec(report)?.[1], lacking);
  });

  it('contains no secret', () => {
    for (const secret of [real().service.sessionKey, ...Object.values(secrets)])
      assert.ok(!report.includes(secret));
  });
});
