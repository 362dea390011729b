import { posix, win32, type PlatformPath } from 'node:path';
import * as l10n from '@vscode/l10n';

/** What determines where configuration files are. */
export interface SourceHost {
  platform: NodeJS.Platform;
  /** The user's home folder. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `uri` is text, because a folder may not be on disk. */
  workspaceFolders: readonly { name: string; uri: string }[];
  /** The `User` folder of the running editor; null if unknown. With a profile, it’s the profile’s folder. */
  editorUserFolder: string | null;
  /** The profiles of all editors: each has settings and servers of its own. */
  profiles: readonly EditorProfile[];
}

/** A profile of an editor, with the `User` folder that has it, and the profile’s own. */
interface EditorProfile {
  userFolder: string;
  folder: string;
  /** What its user calls it. */
  name: string;
}

/** A file that may exist. */
export interface CandidateSource {
  label: string;
  /** URI of the workspace folder that `path` is relative to; null if `path` is absolute. */
  folder: string | null;
  path: string;
}

/** Where the editors keep what their user set: `User` folders, some of which may not exist. */
export function userFolders(host: Omit<SourceHost, 'profiles'>): { tool: string; folder: string }[] {
  const files = host.platform === 'win32' ? win32 : posix;
  const data = dataFolder(host, files);
  const own = host.editorUserFolder;
  // With a profile, the editor's own folder is among the others' profiles.
  const above = own === null ? null : files.dirname(own);
  const ownRoot = above !== null && files.basename(above) === 'profiles' ? files.dirname(above) : own;
  return [
    ...(ownRoot === null ? [] : [{ tool: l10n.t('This editor'), folder: ownRoot }]),
    ...[
      ['VS Code', 'Code'],
      ['VS Code Insiders', 'Code - Insiders'],
      ['VSCodium', 'VSCodium'],
      ['Cursor', 'Cursor'],
    ].map(([tool = '', name = '']) => ({ tool, folder: files.join(data, name, 'User') })),
  ];
}

/** Every place where known tools keep MCP servers: the workspace's files, then the user's. */
export function candidateSources(host: SourceHost): CandidateSource[] {
  const { platform, home } = host;
  const files = platform === 'win32' ? win32 : posix;
  const data = dataFolder(host, files);
  // Some tools have it on every system.
  const settings = dataFolder({ ...host, platform: 'linux' }, files);
  const user = (tool: string, ...parts: string[]): CandidateSource => ({
    label: l10n.t('{0}: user configuration', tool),
    folder: null,
    path: files.join(...parts),
  });
  const workspace = host.workspaceFolders.flatMap(({ name, uri }) =>
    [
      ['VS Code', '.vscode/mcp.json'],
      ['Cursor', '.cursor/mcp.json'],
      ['Claude Code', '.mcp.json'],
      ['Gemini CLI', '.gemini/settings.json'],
      ['Roo Code', '.roo/mcp.json'],
      ['Kiro', '.kiro/settings/mcp.json'],
      ['Amazon Q', '.amazonq/mcp.json'],
      ['opencode', 'opencode.json'],
      ['opencode', 'opencode.jsonc'],
      ['Zed', '.zed/settings.json'],
    ].map(([tool = '', path = '']) => ({ label: l10n.t('{0}: folder {1}', tool, name), folder: uri, path })),
  );
  const own =
    host.editorUserFolder === null ? [] : [user(l10n.t('This editor'), host.editorUserFolder, 'mcp.json')];
  const all = [
    ...workspace,
    ...own,
    ...userFolders(host).flatMap(({ tool, folder }) => [
      user(tool, folder, 'mcp.json'),
      ...host.profiles
        .filter(({ userFolder }) => userFolder === folder)
        .map((profile) => ({
          label: l10n.t('{0}: profile {1}', tool, profile.name),
          folder: null,
          path: files.join(profile.folder, 'mcp.json'),
        })),
    ]),
    user('Cursor', home, '.cursor', 'mcp.json'),
    user('Claude Desktop', data, 'Claude', 'claude_desktop_config.json'),
    ...(platform === 'win32' ? [user('Claude Desktop', packagedClaude(host, files))] : []),
    user('Claude Code', home, '.claude.json'),
    user('Windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
    user('Gemini CLI', home, '.gemini', 'settings.json'),
    user('Copilot CLI', home, '.copilot', 'mcp-config.json'),
    user('Kiro', home, '.kiro', 'settings', 'mcp.json'),
    user('Amazon Q', home, '.aws', 'amazonq', 'mcp.json'),
    user('LM Studio', home, '.lmstudio', 'mcp.json'),
    user('opencode', settings, 'opencode', 'opencode.json'),
    user('opencode', settings, 'opencode', 'opencode.jsonc'),
    user('Crush', settings, 'crush', 'crush.json'),
    user('Zed', platform === 'win32' ? data : settings, 'zed', 'settings.json'),
    ...[host.editorUserFolder ?? [], files.join(data, 'Code', 'User')]
      .flat()
      .flatMap((folder) => [
        user(
          'Cline',
          folder,
          'globalStorage',
          'saoudrizwan.claude-dev',
          'settings',
          'cline_mcp_settings.json',
        ),
        user(
          'Roo Code',
          folder,
          'globalStorage',
          'rooveterinaryinc.roo-cline',
          'settings',
          'mcp_settings.json',
        ),
      ]),
  ];
  // The running editor is usually one of those listed.
  const key = ({ folder, path }: CandidateSource) =>
    JSON.stringify([folder, platform === 'win32' && folder === null ? path.toLowerCase() : path]);
  const unique = new Map(all.toReversed().map((source) => [key(source), source]));
  return all.filter((source) => unique.get(key(source)) === source);
}

/** Where Windows keeps what Claude Desktop from the store writes to its usual place. */
function packagedClaude({ home, env }: SourceHost, files: PlatformPath): string {
  const moved = env['LOCALAPPDATA'];
  const local = moved === undefined || moved === '' ? files.join(home, 'AppData', 'Local') : moved;
  const packaged = ['Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude'];
  return files.join(local, ...packaged, 'claude_desktop_config.json');
}

/** The folder in which applications keep their data. */
function dataFolder(
  { platform, home, env }: Pick<SourceHost, 'platform' | 'home' | 'env'>,
  files: PlatformPath,
): string {
  const moved = (name: string) => (env[name] === '' ? undefined : env[name]);
  if (platform === 'win32') return moved('APPDATA') ?? files.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return files.join(home, 'Library', 'Application Support');
  return moved('XDG_CONFIG_HOME') ?? files.join(home, '.config');
}
