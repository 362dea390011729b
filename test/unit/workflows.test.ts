import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { inEveryRun } from '../real/support/releases';
import { projectFolder } from '../support/paths';

const folder = path.join(projectFolder, '.github', 'workflows');
const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const text = z.string().check(z.minLength(1));
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const condition = z.optional(text);

const usingStep = z.strictObject({ name: condition, if: condition, uses: text, with: z.optional(variables) });
const runningStep = z.strictObject({
  name: condition,
  if: condition,
  run: text,
  /** Windows has another one by default. */
  shell: z.optional(z.literal('bash')),
  env: z.optional(variables),
});

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

/** The parts of a workflow used here. */
const workflowSchema = z.strictObject({
  name: text,
  on: z.partialRecord(z.enum(['push', 'pull_request', 'workflow_call']), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: text, 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string(), z.union([runningJob, callingJob])),
});
type Workflow = z.infer<typeof workflowSchema>;

/** The problems of a workflow, each as a sentence. */
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
  const holdsSecret = whole.includes('secrets.');
  if (holdsSecret && whole.includes('actions/checkout@')) problems.push(`${name}: sources where a secret is`);
  for (const [, expression = ''] of whole.matchAll(/\$\{\{\s*([^}]+?)\s*\}\}/g)) {
    if (!isKnown(expression)) problems.push(`${name} uses ${expression}, which there is not`);
  }
  for (const step of job.steps) {
    if ('uses' in step) {
      if (!/^actions\/[\w-]+@[0-9a-f]{40}$/.test(step.uses))
        problems.push(`${name}: ${step.uses} is not pinned`);
      continue;
    }
    // External values could contain commands, so they go through the environment.
    if (step.run.includes('${{')) problems.push(`${name}: an expression in “${step.run}”`);
    const installs = /^(?:npm (?:install|ci)|npx(?! --no-install ))/.test(step.run);
    const isPinned = /^npm install --no-save --ignore-scripts (?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/.test(
      step.run,
    );
    if (holdsSecret && installs && !isPinned) problems.push(`${name}: “${step.run}” where a secret is`);
    if (installs && JSON.stringify(step.env ?? {}).includes('secrets.'))
      problems.push(`${name}: “${step.run}” installs with a secret at hand`);
    const [, script] = /^npm run ([\w:]+)/.exec(step.run) ?? [];
    if (script !== undefined && !(script in manifest.scripts)) problems.push(`${name}: no script ${script}`);
  }
  return problems;
}

const atTop = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const names = () => readdirSync(folder).sort();

describe('workflows', () => {
  it('are well-formed, read-only by default, and pin their actions', () => {
    assert.deepEqual(names(), ['ci.yml', 'publish.yml']);
    for (const name of names()) assert.deepEqual(problemsOf(read(name)), [], name);
  });

  it('test on three systems with the oldest and the newest editor', () => {
    const { jobs } = workflowSchema.parse(parse(read('ci.yml')));
    const host = jobs['host'];
    assert.ok(host && 'strategy' in host);
    assert.deepEqual(host.strategy?.matrix, {
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      editor: ['oldest', 'newest'],
    });
  });

  it('test with the real servers of every full run, on a Python that they run on', () => {
    const real = workflowSchema.parse(parse(read('ci.yml'))).jobs['real'];
    assert.ok(real && 'strategy' in real);
    const versions = inEveryRun.map(({ version }) => version);
    assert.deepEqual(real.strategy?.matrix, { version: versions });
    assert.match(JSON.stringify(real.steps), /"python-version":"3\.1[23]"/);
  });

  it('run unit tests on the lowest Node that the README promises', () => {
    const [, lowest] = /Node (\d+\.\d+) or later/.exec(atTop('README.md')) ?? [];
    const unit = workflowSchema.parse(parse(read('ci.yml'))).jobs['unit'];
    assert.ok(unit && 'strategy' in unit);
    assert.deepEqual(unit.strategy?.matrix['node'], [lowest, '22']);
    assert.match(JSON.stringify(unit.steps), /"node-version":"\$\{\{ matrix\.node \}\}"/);
  });

  it('publish only tested packages to both marketplaces', () => {
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

  it('name the same release for each pinned action everywhere', () => {
    const pins = names().flatMap((name) => [
      ...read(name).matchAll(/uses: (actions\/[\w-]+)@(\S+) # (v\d+\.\d+\.\d+)$/gm),
    ]);
    const used = names().flatMap((name) => [...read(name).matchAll(/uses: actions\//g)]);
    assert.equal(pins.length, used.length);
    assert.equal(new Set(pins.map(([, action]) => action)).size, new Set(pins.map(([line]) => line)).size);
  });

  it('publish with the locked tool, without install scripts', () => {
    const lock = JSON.parse(readFileSync(path.join(projectFolder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const { version } = lock.packages['node_modules/@vscode/vsce']!;
    assert.ok(
      read('publish.yml').includes(`npm install --no-save --ignore-scripts @vscode/vsce@${version}\n`),
    );
  });

  it('are reported when a job with a secret does more than publish', () => {
    const good = read('publish.yml');
    const vsce = 'npx --no-install vsce publish --packagePath agent-workspace.vsix';
    const install = /npm install --no-save --ignore-scripts @vscode\/vsce@\S+/;
    for (const [from, to] of [
      [install, 'npm ci'],
      [install, 'npm ci --ignore-scripts'],
      [install, 'npm install --no-save @vscode/vsce@3.9.2'],
      [install, 'npm install --no-save --ignore-scripts @vscode/vsce'],
      [vsce, 'npx --yes @vscode/vsce publish'],
      [
        /- uses: actions\/download-artifact@(\S+) # \S+\n\s+with:\n\s+name: vsix/,
        '- uses: actions/checkout@$1',
      ],
    ] as const) {
      const problems = problemsOf(good.replace(from, to));
      assert.ok(
        problems.some((each) => /where a secret is|secret at hand/.test(each)),
        `${to}: ${problems.join('; ')}`,
      );
    }
  });

  it('publish only the package from npm run package, with the links from publish.json', () => {
    const { jobs } = workflowSchema.parse(parse(read('publish.yml')));
    const runs = Object.values(jobs).flatMap((job) =>
      'steps' in job ? job.steps.flatMap((step) => ('run' in step ? [step.run] : [])) : [],
    );
    assert.ok(runs.includes('npm run package'));
    const publishing = runs.filter((run) => /\b(vsce|ovsx) publish\b/.test(run));
    assert.equal(publishing.length, 2);
    for (const run of publishing) assert.match(run, / publish (--packagePath )?agent-workspace\.vsix$/);
  });

  it('are reported when invalid', () => {
    const good = read('ci.yml');
    const [checkout = ''] = /actions\/checkout@\S+/.exec(good) ?? [];
    const damages: [from: string, to: string, problem: RegExp][] = [
      ['contents: read', 'contents: write', /^permissions\.contents/],
      ['runs-on: ubuntu-latest', 'run-on: ubuntu-latest', /^jobs\.check/],
      [checkout, 'actions/checkout@main', /not pinned/],
      [checkout, 'actions/checkout@v4', /not pinned/],
      [checkout, checkout.replace('actions', 'somebody'), /not pinned/],
      ['npm run check', 'npm run chekc', /no script chekc/],
      ['${{ matrix.editor }}', '${{ matrix.vscode }}', /uses matrix\.vscode/],
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

const answered = { validations: z.optional(z.strictObject({ required: z.boolean() })) };
const asked = { label: text, description: z.optional(text), placeholder: z.optional(text) };
/** The elements of an issue form that are used here. */
const formSchema = z.strictObject({
  name: text,
  description: text,
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
      z.strictObject({ type: z.literal('input'), id: text, attributes: z.strictObject(asked), ...answered }),
      z.strictObject({
        type: z.literal('textarea'),
        id: text,
        attributes: z.strictObject({ ...asked, render: z.optional(text) }),
        ...answered,
      }),
      z.strictObject({
        type: z.literal('dropdown'),
        id: text,
        attributes: z.strictObject({ ...asked, options: z.array(text) }),
        ...answered,
      }),
    ]),
  ),
});

describe('issue forms', () => {
  const forms = path.join('.github', 'ISSUE_TEMPLATE');

  it('are well-formed, and ask each question once', () => {
    const names = readdirSync(path.join(projectFolder, forms)).filter((name) => name !== 'config.yml');
    assert.deepEqual(names.sort(), ['bug.yml', 'idea.yml']);
    for (const name of names) {
      const { body } = formSchema.parse(parse(atTop(path.join(forms, name))));
      const ids = body.flatMap((element) => ('id' in element ? [element.id] : []));
      assert.equal(new Set(ids).size, ids.length, name);
      assert.ok(
        body.some((element) => 'validations' in element && element.validations?.required),
        name,
      );
    }
  });

  it('name commands by their titles', () => {
    const titles = Object.values(JSON.parse(atTop('package.nls.json')) as Record<string, string>);
    const named = [...atTop(path.join(forms, 'bug.yml')).matchAll(/\*\*Agent Workspace: ([^*]+)\*\*/g)];
    assert.equal(named.length, 2);
    for (const [, title = ''] of named) assert.ok(titles.includes(title), title);
  });
});

describe('updates of dependencies', () => {
  it('leave alone what the oldest editor decides, and what a decision rules out', () => {
    const schema = z.object({
      updates: z.array(
        z.object({
          'package-ecosystem': text,
          ignore: z.optional(
            z.array(z.object({ 'dependency-name': text, 'update-types': z.optional(z.array(text)) })),
          ),
        }),
      ),
    });
    const { updates } = schema.parse(parse(atTop(path.join('.github', 'dependabot.yml'))));
    assert.deepEqual(
      updates.map((update) => update['package-ecosystem']),
      ['npm', 'github-actions'],
    );
    const { devDependencies } = JSON.parse(atTop('package.json')) as { devDependencies: object };
    const ignored = updates[0]?.ignore?.map((one) => one['dependency-name']) ?? [];
    assert.deepEqual(ignored, ['@types/vscode', '@types/node', 'undici']);
    for (const name of ignored) assert.ok(name in devDependencies, name);
  });
});
