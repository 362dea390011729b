import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findSources, readSource, sourceHost } from '../../src/editor/mcpSources';
import { candidateSources, userFolders } from '../../src/features/settings/model/import/sources';

/** Where applications store data in the home folder. */
const dataFolders: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Library/Application Support',
  win32: 'AppData/Roaming',
};
const data = dataFolders[process.platform] ?? '.config';

const text = '{ "servers": {} }';

describe('MCP configuration files', () => {
  const previous = { ...process.env };
  let home: string;
  let globalStorage: vscode.Uri;

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'aw-home-'));
    process.env['HOME'] = home;
    process.env['USERPROFILE'] = home;
    process.env['APPDATA'] = path.join(home, data);
    delete process.env['XDG_CONFIG_HOME'];
    globalStorage = vscode.Uri.file(path.join(home, 'editor', 'User', 'globalStorage', 'publisher.name'));
  });

  afterEach(async () => {
    for (const name of ['HOME', 'USERPROFILE', 'APPDATA', 'XDG_CONFIG_HOME']) {
      if (previous[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = previous[name];
    }
    await rm(home, { recursive: true, force: true });
  });

  const write = async (file: string, content = text) => {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), content);
  };
  const found = async () =>
    (await findSources(candidateSources(await sourceHost(globalStorage, userFolders)))).map(
      ({ label, uri }) => [label, uri.fsPath],
    );

  it('are found for every tool on this platform, the editor’s own first', async () => {
    const files: [label: string, file: string][] = [
      ['This editor: user configuration', 'editor/User/mcp.json'],
      ['VS Code: user configuration', `${data}/Code/User/mcp.json`],
      ['VS Code Insiders: user configuration', `${data}/Code - Insiders/User/mcp.json`],
      ['VSCodium: user configuration', `${data}/VSCodium/User/mcp.json`],
      ['Cursor: user configuration', `${data}/Cursor/User/mcp.json`],
      ['Cursor: user configuration', '.cursor/mcp.json'],
      ['Claude Desktop: user configuration', `${data}/Claude/claude_desktop_config.json`],
      ['Windsurf: user configuration', '.codeium/windsurf/mcp_config.json'],
    ];
    for (const [, file] of files) await write(file);
    assert.deepEqual(
      await found(),
      files.map(([label, file]) => [label, path.join(home, file)]),
    );
  });

  it('are found in the editors’ profiles, by the names that people gave them', async () => {
    await write(`${data}/Code/User/profiles/-3a7b/mcp.json`);
    await write('editor/User/profiles/5c/mcp.json');
    assert.deepEqual(await found(), [
      ['This editor: profile 5c', path.join(home, 'editor/User/profiles/5c/mcp.json')],
      ['VS Code: profile -3a7b', path.join(home, data, 'Code/User/profiles/-3a7b/mcp.json')],
    ]);
    const named = { userDataProfiles: [null, { location: 7 }, { location: '-3a7b', name: 'Work' }] };
    await write(`${data}/Code/User/globalStorage/storage.json`, JSON.stringify(named));
    await write('editor/User/globalStorage/storage.json', 'not JSON');
    assert.deepEqual(
      (await found()).map(([label]) => label),
      ['This editor: profile 5c', 'VS Code: profile Work'],
    );
  });

  it('are ignored if missing or folders', async () => {
    await mkdir(path.join(home, '.cursor', 'mcp.json'), { recursive: true });
    assert.deepEqual(await found(), []);
  });

  it('list the workspace’s before the user’s', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const names = ['.vscode/mcp.json', '.cursor/mcp.json', '.mcp.json'];
    const uris = names.map((name) => vscode.Uri.joinPath(folder.uri, name));
    await write('.cursor/mcp.json');
    try {
      for (const uri of uris) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      assert.deepEqual(await found(), [
        [`VS Code: folder ${folder.name}`, uris[0]?.fsPath],
        [`Cursor: folder ${folder.name}`, uris[1]?.fsPath],
        [`Claude Code: folder ${folder.name}`, uris[2]?.fsPath],
        ['Cursor: user configuration', path.join(home, '.cursor', 'mcp.json')],
      ]);
    } finally {
      for (const uri of uris) await vscode.workspace.fs.delete(uri);
    }
  });

  if (process.platform === 'linux')
    it('are found in XDG_CONFIG_HOME', async () => {
      process.env['XDG_CONFIG_HOME'] = path.join(home, 'moved');
      await write('moved/Claude/claude_desktop_config.json');
      await write(`${data}/Claude/claude_desktop_config.json`);
      assert.deepEqual(await found(), [
        [
          'Claude Desktop: user configuration',
          path.join(home, 'moved', 'Claude', 'claude_desktop_config.json'),
        ],
      ]);
    });

  it('are read up to a limit, and unreadable files are reported', async () => {
    await write('.cursor/mcp.json', 'x'.repeat(2_048));
    const uri = vscode.Uri.file(path.join(home, '.cursor', 'mcp.json'));
    assert.deepEqual(await readSource(uri, 2_048), { ok: true, text: 'x'.repeat(2_048) });
    assert.deepEqual(await readSource(uri, 2_047), { ok: false, reason: 'The file is larger than 1 KiB.' });
    assert.deepEqual(await readSource(vscode.Uri.file(home), 10), {
      ok: false,
      reason: 'This isn’t a file.',
    });
    await writeFile(uri.fsPath, Buffer.from('Zo\u00eb', 'latin1'));
    assert.deepEqual(await readSource(uri, 10), {
      ok: false,
      reason: 'The file isn’t UTF-8 or UTF-16 text. Save it in UTF-8, and try again.',
    });
    await rm(uri.fsPath);
    assert.deepEqual(await readSource(uri, 10), { ok: false, reason: 'The file no longer exists.' });
  });
});
