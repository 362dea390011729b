import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { seededRandom } from '../../service/random';
import { projectFolder } from '../paths';

/** The rooms of src, by the tests that guard them. What needs an editor is tested in one; panels, in its windows. */
const rooms = {
  unit: /^src\/(?:shared|(?:api|core|features)\/\w+)\//,
  host: /^src\/(?:(?:compose|editor|features\/\w+)\/)?(?!.*panel\/)/,
};

type Guard = keyof typeof rooms;

/** Code that StrykerJS changes, unlike imports, types, and comments. */
const changeable = /[=!<>&|?+(]/;
const unchangeable = /^\s*(?:import|export (?:type|interface|\*|\{)|\/?\*|\/\/)/;

/**
 * `count` random lines of each room that these tests guard, as StrykerJS names them: `src/api/http/ids.ts:10-10`.
 * @param folders those to take them of instead, if any are named
 */
export async function sampleOf(
  guard: Guard,
  count: number,
  seed: number,
  folders: readonly string[] = [],
): Promise<string[]> {
  const random = seededRandom(seed);
  return [...(await linesByPart(guard, folders)).values()].flatMap((lines) =>
    Array.from({ length: Math.min(count, lines.length) }, () =>
      lines.splice(random.int(lines.length), 1),
    ).flat(),
  );
}

async function linesByPart(guard: Guard, folders: readonly string[]): Promise<Map<string, string[]>> {
  const parts = new Map<string, string[]>();
  const named = folders.map((folder) => path.posix.join(folder, '/'));
  for (const file of await filesGuarded(guard)) {
    const inRoom = rooms[guard].exec(file)?.[0];
    const name = named.length === 0 ? inRoom : named.find((folder) => file.startsWith(folder));
    if (inRoom === undefined || name === undefined) continue;
    const lines = parts.get(name) ?? [];
    parts.set(name, lines);
    for (const [index, line] of readFileSync(path.join(projectFolder, file), 'utf8').split('\n').entries())
      if (changeable.test(line) && !unchangeable.test(line)) lines.push(`${file}:${index + 1}-${index + 1}`);
  }
  return parts;
}

/** The files of src that can be loaded without the editor, or can't, in order. */
async function filesGuarded(guard: Guard): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: readdirSync(path.join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `src/${file}`),
    ...{ bundle: true, packages: 'external', write: false, outdir: 'out', metafile: true, logLevel: 'error' },
    loader: { '.css': 'empty' },
  });
  const needs = new Map<string, boolean>();
  const needsEditor = (file: string): boolean => {
    const known = needs.get(file);
    if (known !== undefined) return known;
    const imports = metafile.inputs[file]?.imports ?? [];
    const needed = imports.some(({ path: to }) => to === 'vscode' || needsEditor(to));
    needs.set(file, needed);
    return needed;
  };
  return Object.keys(metafile.inputs)
    .filter((file) => file.endsWith('.ts') && needsEditor(file) === (guard === 'host'))
    .sort();
}
