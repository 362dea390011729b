import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../src/api/service/client';
import { ownMemory } from '../../src/api/service/generation';
import { inEveryRun, releases } from '../real/support/releases';
import { projectFolder } from '../support/paths';

const guide = readFileSync(path.join(projectFolder, 'README.md'), 'utf8');
const rows = guide
  .split('\n## ')
  .find((section) => section.startsWith('Supported releases'))
  ?.split('\n')
  .filter((line) => /^\| (?!releases|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The route of the settings that the guide names for each generation. */
const routes = { first: '/api/settings', current: '/api/v1/settings', agentServer: '/api/settings' };

describe('table of supported releases', () => {
  it('has each release that is tested, with its settings', () => {
    assert.ok(rows);
    for (const { version, generation } of releases) {
      const row: string[] | undefined = rows.find(([, , tested = '']) =>
        tested.split(', ').includes(version),
      );
      assert.ok(row, version);
      assert.equal(row[3]?.replaceAll('`', ''), routes[generation], version);
    }
  });

  it('names no other release as tested', () => {
    const tested = rows?.flatMap(([, , cell = '']) => cell.split(', ')).filter((cell) => cell !== '');
    assert.deepEqual(tested?.toSorted(), releases.map(({ version }) => version).toSorted());
  });
});

describe('tests with real servers', () => {
  /** Calls that the tests make by way of what a command or the form does. */
  const through: Readonly<Record<string, string>> = {
    addGitProviders: 'connectProvider(',
    deleteConversation: 'deleteAsPlanned(',
    describeFields: 'openDocument()).model.more',
  };

  it('make every call of the client', () => {
    const folder = path.join(projectFolder, 'test', 'real');
    const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .join('\n');
    const generations = { ...ownMemory(), get: () => 'current' as const };
    const client = createClient({ baseUrl: 'http://service.invalid', sessionKey: 'key', generations });
    const { sandboxes, events, profiles, secrets, repositories } = client;
    const asksNothing = ['abilities', 'conversationPageUrl'];
    // No public release has them.
    const hostedOnly = ['listOrganizations'];
    const methods = [client, sandboxes, events, profiles, secrets, repositories]
      .flatMap((group) => Object.entries(group as object))
      .filter(
        ([name, member]) => typeof member === 'function' && ![...asksNothing, ...hostedOnly].includes(name),
      )
      .map(([name]) => name);
    assert.ok(methods.length > 30);
    assert.deepEqual(
      methods.filter((name) => !tests.includes(through[name] ?? `.${name}(`)),
      [],
    );
  });

  it('have a release of each generation of the service in every run', () => {
    assert.deepEqual(
      inEveryRun.map(({ generation }) => generation),
      ['first', 'current', 'agentServer', 'agentServer'],
    );
    const [oldest, newest] = inEveryRun.map(({ version }) => version);
    assert.ok(
      guide.includes(
        `the public releases ${oldest} and ${newest} of the service, an agent server, and Agent Canvas`,
      ),
    );
  });
});
