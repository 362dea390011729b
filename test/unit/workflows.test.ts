import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { projectFolder } from '../support/paths';

const folder = path.join(projectFolder, '.github', 'workflows');
const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
  engines: { vscode: string };
  scripts: Record<string, string>;
};

const text = z.string().check(z.minLength(1));
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const condition = z.optional(text);

const usingStep = z.strictObject({ name: condition, if: condition, uses: text, with: z.optional(variables) });
const runningStep = z.strictObject({ name: condition, if: condition, run: text, env: z.optional(variables) });

const needs = z.optional(z.union([text, z.array(text)]));
const runningJob = z.strictObject({
  needs,
  strategy: z.optional(
    z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(text)) }),
  ),
  'runs-on': text,
  'timeout-minutes': z.number(),
  environment: z.optional(text),
  env: z.optional(variables),
  steps: z.array(z.union([usingStep, runningStep])),
});
const callingJob = z.strictObject({ needs, uses: text });

/** The part of the form of workflows that is used here. */
const workflowSchema = z.strictObject({
  name: text,
  on: z.partialRecord(z.enum(['push', 'pull_request', 'workflow_call']), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: text, 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string(), z.union([runningJob, callingJob])),
});
type Workflow = z.infer<typeof workflowSchema>;

/** What is wrong with a workflow, each in a sentence. */
function problemsOf(source: string): string[] {
  const parsed = workflowSchema.safeParse(parse(source));
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return Object.entries(parsed.data.jobs).flatMap(([name, job]) => problemsOfJob(name, job, parsed.data));
}

function problemsOfJob(name: string, job: Workflow['jobs'][string], { jobs }: Workflow): string[] {
  const problems: string[] = [];
  for (const needed of [job.needs ?? []].flat()) {
    if (!(needed in jobs)) problems.push(`${name} needs ${needed}, which there is not`);
  }
  if (!('steps' in job)) {
    if (!existsSync(path.join(projectFolder, job.uses)))
      problems.push(`${name} calls ${job.uses}, which there is not`);
    return problems;
  }
  const isKnown = (expression: string) => {
    const [context, member = ''] = expression.split('.');
    if (context === 'matrix') return member in (job.strategy?.matrix ?? {});
    if (context === 'secrets') return ['VSCE_PAT', 'OVSX_PAT'].includes(member);
    return false;
  };
  const whole = JSON.stringify({ ...job });
  for (const [, expression = ''] of whole.matchAll(/\$\{\{\s*([^}]+?)\s*\}\}/g)) {
    if (!isKnown(expression)) problems.push(`${name} uses ${expression}, which there is not`);
  }
  for (const step of job.steps) {
    if ('uses' in step) {
      if (!/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/.test(step.uses))
        problems.push(`${name}: ${step.uses} is not pinned`);
      continue;
    }
    // What comes from outside could be a command; it goes through the environment.
    if (step.run.includes('${{')) problems.push(`${name}: an expression in “${step.run}”`);
    const [, script] = /^npm run ([\w:]+)/.exec(step.run) ?? [];
    if (script !== undefined && !(script in manifest.scripts)) problems.push(`${name}: no script ${script}`);
  }
  return problems;
}

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

describe('the workflows', () => {
  it('are well-formed, may only read, and pin what they use', () => {
    const names = readdirSync(folder);
    assert.deepEqual(names.sort(), ['ci.yml', 'publish.yml']);
    for (const name of names) assert.deepEqual(problemsOf(read(name)), [], name);
  });

  it('test on three systems with the oldest and the newest editor', () => {
    const { jobs } = workflowSchema.parse(parse(read('ci.yml')));
    const host = jobs['host'];
    assert.ok(host && 'strategy' in host);
    assert.deepEqual(host.strategy?.matrix, {
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      vscode: [manifest.engines.vscode.replace('^', ''), 'stable'],
    });
  });

  it('publish to both marketplaces only what was tested', () => {
    const { jobs } = workflowSchema.parse(parse(read('publish.yml')));
    assert.deepEqual(
      Object.entries(jobs).map(([name, job]) => [name, job.needs]),
      [
        ['test', undefined],
        ['package', 'test'],
        ['marketplace', 'package'],
        ['open-vsx', 'package'],
      ],
    );
  });

  it('are found wanting where they are', () => {
    const good = read('ci.yml');
    const damages: [from: string, to: string, problem: RegExp][] = [
      ['contents: read', 'contents: write', /^permissions\.contents/],
      ['runs-on: ubuntu-latest', 'run-on: ubuntu-latest', /^jobs\.check/],
      ['actions/checkout@v4', 'actions/checkout@main', /not pinned/],
      ['actions/checkout@v4', 'somebody/checkout@v4', /not pinned/],
      ['npm run check', 'npm run chekc', /no script chekc/],
      ['${{ matrix.vscode }}', '${{ matrix.editor }}', /uses matrix\.editor/],
      ['- run: npm ci', '- run: echo ${{ matrix.os }}', /an expression in/],
      ['  unit:\n', '  unit:\n    needs: nobody\n', /needs nobody/],
    ];
    for (const [from, to, problem] of damages) {
      const problems = problemsOf(good.replace(from, to));
      assert.ok(
        problems.some((each) => problem.test(each)),
        `${to}: ${problems.join('; ')}`,
      );
    }
  });
});
