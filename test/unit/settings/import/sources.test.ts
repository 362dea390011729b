import assert from 'node:assert/strict';
import {
  candidateSources,
  userFolders,
  type SourceHost,
} from '../../../../src/features/settings/model/import/sources';

const none: SourceHost = {
  platform: 'linux',
  home: '/home/ada',
  env: {},
  workspaceFolders: [],
  editorUserFolder: null,
  profiles: [],
};
const paths = (host: Partial<SourceHost>) => candidateSources({ ...none, ...host }).map(({ path }) => path);

describe('MCP import: file locations', () => {
  it('finds the files on Linux', () => {
    assert.deepEqual(paths({}), [
      '/home/ada/.config/Code/User/mcp.json',
      '/home/ada/.config/Code - Insiders/User/mcp.json',
      '/home/ada/.config/VSCodium/User/mcp.json',
      '/home/ada/.config/Cursor/User/mcp.json',
      '/home/ada/.cursor/mcp.json',
      '/home/ada/.config/Claude/claude_desktop_config.json',
      '/home/ada/.claude.json',
      '/home/ada/.codeium/windsurf/mcp_config.json',
      '/home/ada/.gemini/settings.json',
      '/home/ada/.copilot/mcp-config.json',
      '/home/ada/.kiro/settings/mcp.json',
      '/home/ada/.aws/amazonq/mcp.json',
      '/home/ada/.lmstudio/mcp.json',
      '/home/ada/.config/opencode/opencode.json',
      '/home/ada/.config/opencode/opencode.jsonc',
      '/home/ada/.config/crush/crush.json',
      '/home/ada/.config/zed/settings.json',
      '/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      '/home/ada/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    ]);
    const labels = candidateSources(none).map(({ label }) => label.split(':')[0]);
    assert.deepEqual(labels, [
      ...['VS Code', 'VS Code Insiders', 'VSCodium', 'Cursor', 'Cursor', 'Claude Desktop', 'Claude Code'],
      ...['Windsurf', 'Gemini CLI', 'Copilot CLI', 'Kiro', 'Amazon Q', 'LM Studio', 'opencode', 'opencode'],
      ...['Crush', 'Zed', 'Cline', 'Roo Code'],
    ]);
    assert.ok(paths({ env: { XDG_CONFIG_HOME: '/cfg' } }).includes('/cfg/Claude/claude_desktop_config.json'));
    assert.ok(paths({ env: { XDG_CONFIG_HOME: '' } }).includes('/home/ada/.config/Code/User/mcp.json'));
  });

  it('finds the files on macOS', () => {
    const data = '/Users/ada/Library/Application Support';
    assert.deepEqual(paths({ platform: 'darwin', home: '/Users/ada', env: { XDG_CONFIG_HOME: '/cfg' } }), [
      `${data}/Code/User/mcp.json`,
      `${data}/Code - Insiders/User/mcp.json`,
      `${data}/VSCodium/User/mcp.json`,
      `${data}/Cursor/User/mcp.json`,
      '/Users/ada/.cursor/mcp.json',
      `${data}/Claude/claude_desktop_config.json`,
      '/Users/ada/.claude.json',
      '/Users/ada/.codeium/windsurf/mcp_config.json',
      '/Users/ada/.gemini/settings.json',
      '/Users/ada/.copilot/mcp-config.json',
      '/Users/ada/.kiro/settings/mcp.json',
      '/Users/ada/.aws/amazonq/mcp.json',
      '/Users/ada/.lmstudio/mcp.json',
      '/cfg/opencode/opencode.json',
      '/cfg/opencode/opencode.jsonc',
      '/cfg/crush/crush.json',
      '/cfg/zed/settings.json',
      `${data}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
      `${data}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ]);
  });

  it('finds the files on Windows', () => {
    const windows = { platform: 'win32', home: 'C:\\Users\\ada' } as const;
    assert.deepEqual(paths({ ...windows, env: { APPDATA: 'D:\\Roaming' } }), [
      'D:\\Roaming\\Code\\User\\mcp.json',
      'D:\\Roaming\\Code - Insiders\\User\\mcp.json',
      'D:\\Roaming\\VSCodium\\User\\mcp.json',
      'D:\\Roaming\\Cursor\\User\\mcp.json',
      'C:\\Users\\ada\\.cursor\\mcp.json',
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
      'C:\\Users\\ada\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'C:\\Users\\ada\\.claude.json',
      'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
      'C:\\Users\\ada\\.gemini\\settings.json',
      'C:\\Users\\ada\\.copilot\\mcp-config.json',
      'C:\\Users\\ada\\.kiro\\settings\\mcp.json',
      'C:\\Users\\ada\\.aws\\amazonq\\mcp.json',
      'C:\\Users\\ada\\.lmstudio\\mcp.json',
      'C:\\Users\\ada\\.config\\opencode\\opencode.json',
      'C:\\Users\\ada\\.config\\opencode\\opencode.jsonc',
      'C:\\Users\\ada\\.config\\crush\\crush.json',
      'D:\\Roaming\\zed\\settings.json',
      'D:\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
      'D:\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json',
    ]);
    assert.ok(paths(windows).includes('C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json'));
  });

  it('lists the files of workspace folders first, by folder URI', () => {
    const found = candidateSources({
      ...none,
      workspaceFolders: [
        { name: 'api', uri: 'file:///w/api' },
        { name: 'web', uri: 'vscode-vfs://github/acme/web' },
      ],
    });
    assert.deepEqual(
      found.slice(0, 20).map(({ label, folder, path }) => [label, folder, path]),
      [
        ['VS Code: folder api', 'file:///w/api', '.vscode/mcp.json'],
        ['Cursor: folder api', 'file:///w/api', '.cursor/mcp.json'],
        ['Claude Code: folder api', 'file:///w/api', '.mcp.json'],
        ['Gemini CLI: folder api', 'file:///w/api', '.gemini/settings.json'],
        ['Roo Code: folder api', 'file:///w/api', '.roo/mcp.json'],
        ['Kiro: folder api', 'file:///w/api', '.kiro/settings/mcp.json'],
        ['Amazon Q: folder api', 'file:///w/api', '.amazonq/mcp.json'],
        ['opencode: folder api', 'file:///w/api', 'opencode.json'],
        ['opencode: folder api', 'file:///w/api', 'opencode.jsonc'],
        ['Zed: folder api', 'file:///w/api', '.zed/settings.json'],
        ['VS Code: folder web', 'vscode-vfs://github/acme/web', '.vscode/mcp.json'],
        ['Cursor: folder web', 'vscode-vfs://github/acme/web', '.cursor/mcp.json'],
        ['Claude Code: folder web', 'vscode-vfs://github/acme/web', '.mcp.json'],
        ['Gemini CLI: folder web', 'vscode-vfs://github/acme/web', '.gemini/settings.json'],
        ['Roo Code: folder web', 'vscode-vfs://github/acme/web', '.roo/mcp.json'],
        ['Kiro: folder web', 'vscode-vfs://github/acme/web', '.kiro/settings/mcp.json'],
        ['Amazon Q: folder web', 'vscode-vfs://github/acme/web', '.amazonq/mcp.json'],
        ['opencode: folder web', 'vscode-vfs://github/acme/web', 'opencode.json'],
        ['opencode: folder web', 'vscode-vfs://github/acme/web', 'opencode.jsonc'],
        ['Zed: folder web', 'vscode-vfs://github/acme/web', '.zed/settings.json'],
      ],
    );
    assert.ok(found.slice(20).every(({ folder }) => folder === null));
  });

  it('lists the running editor’s file once', () => {
    const other = candidateSources({ ...none, editorUserFolder: '/srv/code-server/User' });
    assert.deepEqual(other[0], {
      label: 'This editor: user configuration',
      folder: null,
      path: '/srv/code-server/User/mcp.json',
    });
    assert.equal(other.length, candidateSources(none).length + 3);
    assert.ok(
      other.some(({ path }) => path.startsWith('/srv/code-server/User/globalStorage/rooveterinaryinc')),
    );
    const same = candidateSources({ ...none, editorUserFolder: '/home/ada/.config/Code/User' });
    assert.equal(same.length, candidateSources(none).length);
    assert.equal(same[0]?.label, 'This editor: user configuration');
    const windows = {
      platform: 'win32',
      home: 'C:\\Users\\ada',
      editorUserFolder: 'c:\\Users\\ada\\AppData\\Roaming\\Cursor\\User',
    } as const;
    assert.equal(paths(windows).filter((path) => /cursor\\user\\mcp\.json$/i.test(path)).length, 1);
  });

  it('lists the profiles of each editor after its own file', () => {
    const folder = '/home/ada/.config/VSCodium/User';
    const work = { userFolder: folder, folder: `${folder}/profiles/-3a7b`, name: 'Work' };
    const found = candidateSources({ ...none, profiles: [work] });
    const at = found.findIndex(({ path }) => path === `${folder}/mcp.json`);
    assert.deepEqual(found[at + 1], {
      label: 'VSCodium: profile Work',
      folder: null,
      path: `${folder}/profiles/-3a7b/mcp.json`,
    });
    assert.equal(found.length, candidateSources(none).length + 1);
  });

  it('lists the profile in use first, and once', () => {
    const userFolder = '/srv/code-server/User';
    const work = { userFolder, folder: `${userFolder}/profiles/-3a7b`, name: 'Work' };
    const home = { userFolder, folder: `${userFolder}/profiles/5c`, name: 'Home' };
    const found = candidateSources({ ...none, editorUserFolder: work.folder, profiles: [work, home] });
    assert.deepEqual(
      found.slice(0, 3).map(({ label, path }) => [label, path]),
      [
        ['This editor: user configuration', `${work.folder}/mcp.json`],
        ['This editor: user configuration', `${userFolder}/mcp.json`],
        ['This editor: profile Home', `${home.folder}/mcp.json`],
      ],
    );
    const windows = 'D:\\Data\\User';
    const own = { platform: 'win32', editorUserFolder: `${windows}\\profiles\\-3a7b` } as const;
    assert.equal(userFolders({ ...none, ...own })[0]?.folder, windows);
  });
});
