import { UserError } from '../lifetime';
import { findDesktop, type DesktopEditor } from './desktop';
import { installCodeServer, type EditorAge, type InstalledCodeServer } from './install';

export type Editor =
  { kind: 'desktop'; desktop: DesktopEditor } | { kind: 'code-server'; codeServer: InstalledCodeServer };

/**
 * Finds the editor for the host tests: desktop VS Code if possible, otherwise code-server. The environment variable
 * `TEST_EDITOR` (`desktop` or `code-server`) overrides this.
 */
export async function findEditor(age: EditorAge = 'newest'): Promise<Editor> {
  const wanted = process.env['TEST_EDITOR'];
  if (wanted !== undefined && wanted !== 'desktop' && wanted !== 'code-server') {
    throw new UserError(`TEST_EDITOR is "${wanted}"; it can be "desktop" or "code-server".`);
  }
  let why = 'because TEST_EDITOR says so';
  if (wanted !== 'code-server') {
    const desktop = await findDesktop(age);
    if (!('missing' in desktop)) {
      console.log(`Editor: desktop VS Code, the ${age}, downloaded by @vscode/test-electron.`);
      return { kind: 'desktop', desktop };
    }
    if (wanted === 'desktop') throw new UserError(`Can't use desktop VS Code: ${desktop.missing}.`);
    why = `because ${desktop.missing}`;
  }
  console.log(
    `Editor: code-server, the ${age} (VS Code's workbench in a browser, with a real extension host), ${why}.`,
  );
  return { kind: 'code-server', codeServer: await installCodeServer(age) };
}
