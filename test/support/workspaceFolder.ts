import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tempFolder, type TempFolder } from './lifetime';
import { run } from './processes';

/** The branch and remote of the git repository in a test's folder. */
export const workspaceRepository = {
  branch: 'feature/greeting',
  remote: 'https://github.com/example-org/example-repo.git',
};

/** A folder to open in the editor: a small git repository with a remote, one commit and two files. */
export async function createWorkspaceFolder(): Promise<TempFolder> {
  const folder = await tempFolder();
  await mkdir(path.join(folder.path, 'src'));
  await writeFile(path.join(folder.path, 'README.md'), '# Example\n');
  await writeFile(
    path.join(folder.path, 'src', 'greet.ts'),
    'export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n',
  );
  const git = (...args: string[]): Promise<string> => run('git', args, { cwd: folder.path });
  await git('init', '-q', '-b', workspaceRepository.branch);
  await git('remote', 'add', 'origin', workspaceRepository.remote);
  await git('add', '.');
  await git(
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '-q',
    '-m',
    'First',
  );
  return folder;
}
