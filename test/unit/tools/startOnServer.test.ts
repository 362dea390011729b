import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiClient } from '../../../src/api/service/client';
import { ToolError } from '../../../src/features/tools/errors';
import { isOnServer, serverChoice, serverQuestion } from '../../../src/features/tools/startOnServer';
import type { ToolContext } from '../../../src/features/tools/tool';
import { aClient } from '../../support/builders/client';

type Input = Parameters<typeof serverQuestion>[0];
type Server = NonNullable<ApiClient['agents']>;

const never = new AbortController().signal;
const profile = (id: string) => ({ id, name: `Agent ${id}` });

describe('starting on an agent server by a tool', () => {
  let open: string;
  beforeEach(() => (open = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-tool-')))));
  afterEach(() => rmSync(open, { recursive: true, force: true }));

  /** A window on a server of this computer, unless `server` says otherwise. */
  function windowOn(server: Partial<Server> = {}, baseUrl = 'http://127.0.0.1:8000'): ToolContext {
    const agents: Partial<Server> = {
      about: () => Promise.resolve({ release: '1.58.0', runtime: undefined } as never),
      listAgentProfiles: () =>
        Promise.resolve({ profiles: ['a', 'b'].map(profile), active_agent_profile_id: 'b' } as never),
      listFolders: () => Promise.resolve([]),
      writeFile: (file, content) => writeFile(file, content),
      removeFile: () => Promise.resolve(),
      ...server,
    };
    return {
      connection: { name: 'Lab', baseUrl, origin: baseUrl },
      client: { ...aClient(), baseUrl, agents },
      openFolder: () => open,
    } as unknown as ToolContext;
  }
  const input = (more: Partial<Input> = {}): Input => ({ message: 'Mend it', ...more });
  const refusal = async (context: ToolContext, more: Partial<Input> = {}) => {
    const [outcome] = await Promise.allSettled([serverChoice(input(more), context, never)]);
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ToolError, 'refused');
    return outcome.reason.message;
  };

  it('is what a connection to one does, and no other', () => {
    const { client } = windowOn();
    assert.equal(isOnServer({ client }), true);
    assert.equal(isOnServer({ client: { ...client, agents: undefined } }), false);
  });

  it('asks with the folder and the whole message', () => {
    const { title, lines, quoted } = serverQuestion(input({ title: 'Slugs' }), windowOn()) ?? assert.fail();
    assert.equal(title, 'Start a conversation with an agent?');
    assert.deepEqual(lines, [
      'Title: Slugs',
      `Folder on the server: ${open} – becomes a Git repository if it isn’t in one`,
      'Agent: the active one. The server’s settings decide when it asks before it acts',
      'Connection: Lab, http://127.0.0.1:8000',
      'Message to the agent:',
    ]);
    assert.equal(quoted, 'Mend it');
    const named = serverQuestion(input({ folder: '/w/shop' }), windowOn());
    assert.ok(named?.lines[0]?.startsWith('Folder on the server: /w/shop –'));
  });

  it('has the active agent work in the folder that is open, where the server has that very one', async () => {
    const choice = { folder: open, isWorktree: false, profile: profile('b') };
    assert.deepEqual(await serverChoice(input(), windowOn(), never), choice);
    assert.deepEqual(readdirSync(open), [], 'nothing stays in it');
    const others: Partial<Server>[] = [
      { writeFile: () => Promise.resolve() },
      { about: () => Promise.resolve({ release: '1.58.0', runtime: 'docker' } as never) },
    ];
    for (const other of others) assert.match(await refusal(windowOn(other)), /isn’t one of its computer/);
    assert.match(await refusal(windowOn({}, 'https://lab.example')), /isn’t one of its computer/);
    assert.match(await refusal({ ...windowOn(), openFolder: () => undefined }), /call again with folder\.$/);
  });

  it('takes any folder that is named, on Windows too', async () => {
    const far = windowOn({ listFolders: () => assert.fail('not asked') }, 'https://lab.example');
    for (const folder of ['/w/shop', 'C:\\work\\shop'])
      assert.equal((await serverChoice(input({ folder }), far, never)).folder, folder);
    for (const folder of ['shop', './shop', '~/shop']) {
      assert.match(await refusal(far, { folder }), /must be an absolute path/);
      assert.equal(serverQuestion(input({ folder }), far), undefined);
    }
  });

  it('has the first agent where none is active, and says so where there is none', async () => {
    const listed = (profiles: object[]) =>
      windowOn({
        listAgentProfiles: () => Promise.resolve({ profiles, active_agent_profile_id: null } as never),
      });
    const { profile: chosen } = await serverChoice(input(), listed(['a', 'b'].map(profile)), never);
    assert.deepEqual(chosen, profile('a'));
    assert.match(await refusal(listed([])), /has no agent profile, so nothing was started\./);
  });

  it('refuses what only services with sandboxes have, by name, before it asks', async () => {
    for (const name of ['repository', 'branch', 'gitProvider', 'sandboxId', 'model'] as const) {
      const given = { [name]: 'x' } as Partial<Input>;
      assert.equal(serverQuestion(input(given), windowOn()), undefined);
      assert.ok((await refusal(windowOn(), given)).includes(`it has no ${name}. Nothing was started.`));
    }
    assert.match(await refusal(windowOn(), { repository: 'a/b', branch: 'x' }), /no repository, branch\./);
  });

  it('refuses a server that is too old for it', async () => {
    const old = windowOn({ about: () => Promise.resolve({ release: '1.33.0' } as never) });
    assert.match(await refusal(old), /release 1\.33\.0\) is too old .* Nothing was started\.$/);
  });
});
