import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { outFolder, projectFolder } from './paths';

const load = createRequire(__filename);
const copied = [
  'src',
  'test/service',
  'test/support/builders',
  'test/unit/settings',
  'test/unit/core/settings',
  'tsconfig.json',
];

/** A copy of the source in which to add something, as a developer would, and then compile and run it. */
export class TrialTree {
  private readonly folder: string;
  private program: ts.Program | undefined;

  constructor(name: string) {
    this.folder = path.join(outFolder, `trial-${name}-${process.pid}`);
    rmSync(this.folder, { recursive: true, force: true });
    for (const part of copied)
      cpSync(path.join(projectFolder, part), path.join(this.folder, part), { recursive: true });
  }

  /** Adds lines after the only occurrence of `anchor` in a file. Throws if there isn't exactly one. */
  add(file: string, anchor: string, lines: string): void {
    const text = readFileSync(this.pathOf(file), 'utf8');
    const parts = text.split(anchor);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} occurrences of ${anchor}`);
    this.write(file, parts.join(anchor + lines));
  }

  /** Creates a file. */
  create(file: string, text: string): void {
    mkdirSync(path.dirname(this.pathOf(file)), { recursive: true });
    this.write(file, text);
  }

  /** Also unloads the copy's modules, which were made from the old text. */
  private write(file: string, text: string): void {
    writeFileSync(this.pathOf(file), text);
    for (const loaded of Object.keys(load.cache))
      if (loaded.startsWith(this.folder)) Reflect.deleteProperty(load.cache, loaded);
  }

  /** The compiler's errors in these files, such as `src/ids.ts: Type 'string' …`. */
  errors(...files: string[]): string[] {
    const { config } = ts.readConfigFile(this.pathOf('tsconfig.json'), (name) => ts.sys.readFile(name)) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, this.folder);
    const program = ts.createProgram(
      files.map((file) => this.pathOf(file)),
      { ...options, incremental: false },
      undefined,
      this.program,
    );
    this.program = program;
    return files.flatMap((file) => {
      const source = program.getSourceFile(this.pathOf(file));
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
  }

  /** Loads a module of the copy and returns its exports. */
  load(file: string): unknown {
    return load(this.pathOf(file));
  }

  pathOf(file: string): string {
    return path.join(this.folder, file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
