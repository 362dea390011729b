import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { seededRandom } from '../../service/random';
import { projectFolder } from '../paths';

/** The rooms of src that unit tests guard. What needs an editor is tested in one. */
const room = /^(?:shared|(?:api|core|features)\/\w+)\//;

/** Code that StrykerJS changes, unlike imports, types, and comments. */
const changeable = /[=!<>&|?+(]/;
const unchangeable = /^\s*(?:import|export (?:type|interface|\*|\{)|\/?\*|\/\/)/;

/**
 * `count` random lines of each room, as StrykerJS names them: `src/api/http/ids.ts:10-10`.
 * @param folders those to take them of instead, if any are named
 */
export function sampleOf(count: number, seed: number, folders: readonly string[] = []): string[] {
  const random = seededRandom(seed);
  return [...linesByPart(folders).values()].flatMap((lines) =>
    Array.from({ length: Math.min(count, lines.length) }, () =>
      lines.splice(random.int(lines.length), 1),
    ).flat(),
  );
}

function linesByPart(folders: readonly string[]): Map<string, string[]> {
  const src = path.join(projectFolder, 'src');
  const parts = new Map<string, string[]>();
  const named = folders.map((folder) => path.posix.join(folder, '/'));
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
    const inRoom = room.exec(file)?.[0];
    if (inRoom === undefined || !file.endsWith('.ts')) continue;
    const name = named.length === 0 ? inRoom : named.find((folder) => `src/${file}`.startsWith(folder));
    if (name === undefined) continue;
    const code = readFileSync(path.join(src, file), 'utf8');
    if (code.includes("from 'vscode'")) continue;
    const lines = parts.get(name) ?? [];
    parts.set(name, lines);
    for (const [index, line] of code.split('\n').entries()) {
      if (changeable.test(line) && !unchangeable.test(line))
        lines.push(`src/${file}:${index + 1}-${index + 1}`);
    }
  }
  return parts;
}
