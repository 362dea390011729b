import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxShell } from './support';

/** What each program of another system refuses, as a pattern of one of its arguments. */
const refused: Readonly<Record<string, string>> = {
  awk: '--*|-b|-E',
  base64: '-d|-w*|--*',
  cp: '-a|-t|--*',
  date: '-d|-I*|--*',
  find: '-printf|-executable|-readable|-regextype|-quit|-daystart|--*',
  grep: '-P*|-z|--*',
  head: '-n-*|-z|--*',
  ls: '--*',
  mktemp: '-p|--*',
  readlink: '-[fem]|--*',
  sed: '-z|-s|-i|--*',
  sort: '-z|-V|-h|--*',
  shasum: '--*',
  stat: '-c|--*',
  tail: '-z|--*',
  xargs: '-r|-d*|-a|--*',
};

const found = (name: string) =>
  execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

/** Programs as on macOS: each refuses what only GNU’s has, and `xargs` doesn’t run anything for nothing. */
function strangePrograms(folder: string): SandboxShell {
  const names = [
    'cat',
    'cksum',
    'git',
    'ln',
    'mkdir',
    'mv',
    'rm',
    'rmdir',
    'sh',
    'touch',
    'tr',
    'uniq',
    'cut',
    'env',
    'test',
    'printf',
    'echo',
  ];
  for (const name of names) symlinkSync(found(name), path.join(folder, name));
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(path.join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  };
  for (const [name, options] of Object.entries(refused)) {
    // What comes after the program of awk and sed, or a command of xargs, isn’t an option.
    const rest =
      { awk: `[ "$#" -lt 9 ]`, xargs: '[ "$option" != sh ] && [ "$option" != git ]' }[name] ?? 'true';
    if (name === 'shasum') {
      write(name, [`[ "$*" = '-a 256' ] && exec ${found('sha256sum')}`]);
      continue;
    }
    const last =
      {
        stat: `[ "$1" = -L ] && follow=-L && shift
[ "$1" = -f ] && format=$(printf %s "$2" | ${found('sed')} 's/%Xp/%f/; s/%Lp/%a/; s/%z/%s/; s/%m/%Y/; s/%N/%n/') && shift 2 && set -- $follow -c "$format" "$@"`,
        base64: '[ "$1" = -D ] && set -- -d',
        find: '[ -n "$1" ] || exit 1',
      }[name] ?? ':';
    write(name, [
      `for option; do ${rest} || break; case $option in ${options}) echo "${name}: illegal option $option" >&2; exit 1 ;; esac; done`,
      last,
      `exec ${found(name)} ${name === 'xargs' ? '-r ' : ''}"$@"`,
    ]);
  }
  write('wc', [`${found('wc')} "$@" | ${found('sed')} 's/^/     /'`]);
  return { path: folder };
}

/** Shells of systems other than this one, by their names; without BusyBox where it isn’t installed. */
export function otherShells(): { shells: Map<string, SandboxShell>; dispose: () => void } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-shells-')));
  const shells = new Map([['macOS', strangePrograms(made(folder, 'macos'))]]);
  const busybox = ['/usr/bin/busybox', '/bin/busybox'].find((one) => existsSync(one));
  if (busybox !== undefined) {
    const place = made(folder, 'busybox');
    for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n'))
      symlinkSync(busybox, path.join(place, name));
    symlinkSync(found('git'), path.join(place, 'git'));
    shells.set('BusyBox', { command: [busybox, 'sh'], path: place });
  }
  return { shells, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

function made(...parts: string[]): string {
  const place = path.join(...parts);
  mkdirSync(place);
  return place;
}
