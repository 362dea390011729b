import type { Entry, Head, PendingAction, StepDetail, StepEntry } from '../../../src/shared/transcript';

/** 2026-11-21, 10:00 in UTC. */
export const start = Date.UTC(2026, 10, 21, 10);

export function clipped(text: string, length = text.length) {
  return { text, length };
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

let count = 0;
const base = (more: Partial<Pick<Entry, 'id' | 'at'>>) => {
  count += 1;
  return { id: `event-${count}`, at: start + count * 1_000, ...more };
};

export function message(from: Of<'message'>['from'], text: string, more: Partial<Of<'message'>> = {}): Entry {
  return { ...base(more), kind: 'message', from, text: clipped(text), images: 0, thought: '', ...more };
}

export function step(detail: StepDetail, more: Partial<StepEntry> = {}): StepEntry {
  return {
    ...base(more),
    kind: 'step',
    state: 'done',
    thought: '',
    summary: '',
    risk: 'LOW',
    took: 400,
    problem: clipped(''),
    detail,
    ...more,
  };
}

export function error(title: string, text: string, more: Partial<Of<'error'>> = {}): Entry {
  return { ...base(more), kind: 'error', title, text: clipped(text), ...more };
}

export function separator(
  what: Of<'separator'>['what'],
  text = '',
  more: Partial<Of<'separator'>> = {},
): Entry {
  return { ...base(more), kind: 'separator', what, text, ...more };
}

export function terminal(
  command: string,
  output: string,
  exitCode = 0,
  more: Partial<StepEntry> = {},
): StepEntry {
  return step({ step: 'terminal', command, output: clipped(output), exitCode }, more);
}

export function read(path: string, more: Partial<StepEntry> = {}): StepEntry {
  return step({ step: 'read', path, output: clipped(`1  // ${path}`) }, more);
}

export function action(id: string, text: string, more: Partial<PendingAction> = {}): PendingAction {
  const detail = { step: 'terminal', command: text, output: null, exitCode: null } as const;
  return {
    id,
    risk: 'MEDIUM',
    thought: '',
    tool: 'terminal',
    detail,
    text,
    raw: JSON.stringify({ command: text }),
    path: '',
    diff: [],
    startsAgents: false,
    ...more,
  };
}

export function head(more: Partial<Head> = {}): Head {
  return {
    title: 'Fix the slug of umlauts',
    about: {
      repository: 'northwind/webshop',
      branch: 'fix/slugs',
      pullRequests: '#318',
      hasPullRequestPage: true,
      model: 'anthropic/claude-sonnet-4-5',
      hasSandbox: true,
      folder: '',
    },
    execution: 'idle',
    limit: 'none',
    cost: 0.83,
    tokens: 48_200,
    context: { used: 41_000, size: 128_000 },
    policy: 'riskyMedium',
    live: null,
    pending: [],
    proof: 'whole',
    outgoing: [],
    sendEffect: 'starts',
    masked: 0,
    hasOlder: false,
    canInterrupt: true,
    readAt: start,
    problem: '',
    ...more,
  };
}

/** A realistic conversation with every kind of entry. */
export function lifelike(): Entry[] {
  return [
    message('user', 'The test of `slugify` fails for **umlauts**. Please find out why, and fix it.'),
    step({ step: 'think', text: 'The user wants the failing test fixed. I start by looking at the code.' }),
    step({
      step: 'plan',
      tasks: [
        { title: 'Reproduce the failure', notes: '', status: 'done' },
        { title: 'Fix the pattern', notes: 'Only letters without marks match now', status: 'in_progress' },
        { title: 'Run all tests', notes: '', status: 'todo' },
      ],
    }),
    read('src/slug.ts'),
    read('test/slug.test.ts'),
    read('package.json'),
    terminal(
      'npm test -- --grep umlauts',
      '\u001b[32m  3 passing\u001b[39m (12ms)\n\u001b[31m  1 failing\u001b[39m\n\n  1) slugify\n       keeps umlauts:\n     \u001b[1mExpected\u001b[22m "gruesse", got "grsse"',
      1,
      { took: 12_400, thought: 'I run the failing test first.', summary: 'Reproduce the failure' },
    ),
    step(
      {
        step: 'edit',
        path: 'src/slug.ts',
        isNew: false,
        added: 3,
        removed: 1,
        diff: [
          { kind: 'same', text: 'export function slugify(text: string): string {' },
          { kind: 'removed', text: "  return text.toLowerCase().replace(/[^a-z]+/g, '-');" },
          { kind: 'added', text: '  return transliterated(text)' },
          { kind: 'added', text: '    .toLowerCase()' },
          { kind: 'added', text: "    .replace(/[^a-z0-9]+/g, '-');" },
          { kind: 'gap', text: '' },
        ],
        hasContents: true,
      },
      { took: 30, summary: 'Accept digits and umlauts' },
    ),
    step(
      {
        step: 'edit',
        path: 'src/transliterate.ts',
        isNew: true,
        added: 24,
        removed: 0,
        diff: [{ kind: 'added', text: 'export const table = new Map();' }],
        hasContents: true,
      },
      { took: 20 },
    ),
    step({
      step: 'mcp',
      tool: 'lookup_ticket',
      input: '{\n  "id": "SHOP-118"\n}',
      output: clipped('Open: umlauts in slugs'),
    }),
    step({
      step: 'browser',
      tool: 'browser_navigate',
      input: '{ "url": "https://example.com/slugs" }',
      output: clipped('Slugs, explained'),
    }),
    step(
      { step: 'terminal', command: 'git clean -fdx', output: null, exitCode: null },
      { state: 'rejected', problem: clipped('Keep my untracked files.'), took: null, risk: 'HIGH' },
    ),
    step(
      { step: 'other', tool: 'delegate', input: '{}', output: null },
      { state: 'failed', problem: clipped('The tool “delegate” needs the argument “task”.'), took: null },
    ),
    separator('condensed', 'The agent found that `slugify` drops **umlauts**.'),
    separator('paused'),
    error('The model didn’t answer', 'RateLimitError: 429, try again in 20 s'),
    message('environment', 'The sandbox was resumed.'),
    message(
      'agent',
      [
        '## Done',
        '',
        'The pattern dropped every letter with a mark. I now *transliterate* first:',
        '',
        '```ts',
        "slugify('Grüße'); // 'gruesse'",
        '```',
        '',
        '1. `src/slug.ts` uses the new table',
        '2. All **14** tests pass, see [the report](https://example.com/report)',
        '',
        '- [x] Tests',
        '- [ ] Changelog',
        '',
        '| Input | Slug |',
        '| --- | --- |',
        '| Grüße | gruesse |',
        '',
        '> Umlauts are letters, too.',
      ].join('\n'),
      { thought: 'All tests pass. I sum up what I did.' },
    ),
    step({ step: 'finish', text: 'The slug of umlauts is fixed.' }),
  ];
}

/** Many entries over several days, oldest first. */
export function manyEntries(length: number): Entry[] {
  return Array.from({ length }, (_, index): Entry => {
    const at = start + index * 60_000;
    const id = `many-${index}`;
    switch (index % 5) {
      case 0:
        return message('agent', `Message ${index}. ${'It says some more. '.repeat(index % 7)}`, { id, at });
      case 1:
        return terminal(`echo ${index}`, `${index}\n`, 0, { id, at });
      case 2:
        return step(
          {
            step: 'edit',
            path: `src/file${index}.ts`,
            isNew: false,
            added: 1,
            removed: 1,
            diff: [],
            hasContents: false,
          },
          { id, at },
        );
      case 3:
        return message('user', `Answer ${index}`, { id, at });
      default:
        return step({ step: 'mcp', tool: `tool_${index}`, input: '{}', output: clipped('fine') }, { id, at });
    }
  });
}

/** A picture of 2 × 2 pixels. */
export const smallPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==';
