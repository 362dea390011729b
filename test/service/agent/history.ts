import type { AgentConversation } from './conversation';
import { stream, type ScriptStep } from './script';

const plan = (done: number): ScriptStep => ({
  plan: ['Find the cause', 'Change it', 'Run the tests'].map((title, index) => ({
    title,
    status: index < done ? 'done' : index === done ? 'in_progress' : 'todo',
  })),
});

/** What every agent of the demo has done so far, in `folder`. */
const past = (folder: string): ScriptStep[] => [
  { think: 'First I want to see where this happens.' },
  plan(0),
  {
    act: [
      { command: 'git log --oneline -3', output: 'f3c1 Add slugs\n9d02 Set up CI\n11aa Start', risk: 'LOW' },
    ],
    thought: 'What has changed lately?',
  },
  {
    act: [
      {
        path: `${folder}/src/slug.py`,
        before: 'import re\n\n\ndef slug(text):\n    return re.sub("[^a-z]+", "-", text.lower())\n',
        after: 'import re\n\n\ndef slug(text):\n    return re.sub("[^a-z0-9]+", "-", text.lower())\n',
        risk: 'LOW',
      },
    ],
  },
  plan(1),
  { invalid: 'Error validating tool: the command is missing' },
  {
    act: [
      {
        command: 'pytest -q',
        output: '\x1b[31m1 failed\x1b[0m, 41 passed in 3.2s',
        exitCode: 1,
        risk: 'LOW',
      },
    ],
  },
  { act: [{ tool: 'lookup_ticket', data: { number: 7 }, output: 'Ticket 7: keep the digits', risk: 'LOW' }] },
];

/** Slows a step down to a realistic speed. */
const slowly = (step: ScriptStep): ScriptStep =>
  'act' in step ? { ...step, act: step.act.map((action) => ({ ...action, ms: 2_500 })) } : step;

/** What happens after the past, by the record's status. */
const presents = new Map<string | null, (conversation: AgentConversation, folder: string) => void>([
  [
    'running',
    (conversation, folder) => {
      conversation.script.push(...past(folder).map(slowly), ...stream(30).map(slowly), {
        finish: 'All tests pass.',
      });
      conversation.run();
    },
  ],
  [
    'waiting_for_confirmation',
    (conversation, folder) =>
      conversation.ask([
        { command: 'git clean -fdx && npm ci', output: 'Removing dist/', risk: 'HIGH', ms: 2_000 },
        {
          path: `${folder}/package.json`,
          before: '"version": "4.1.0"',
          after: '"version": "4.2.0"',
          risk: 'MEDIUM',
        },
      ]),
  ],
  [
    'error',
    (conversation) => conversation.replay('Go on.', [{ fail: 'The model provider refused the key.' }]),
  ],
  ['stuck', (conversation) => conversation.replay('Go on.', [{ stuck: true }])],
  [
    'finished',
    (conversation) =>
      conversation.replay('Go on.', [plan(3), { finish: 'The digits are kept now, and all tests pass.' }]),
  ],
  ['paused', (conversation) => conversation.pause()],
]);

/** Gives a seeded conversation the history that its status implies. */
export function giveHistory(
  conversation: AgentConversation,
  title: string,
  status: string | null,
  folder: string,
): void {
  conversation.replay(`${title}. Say when you need me.`, past(folder));
  presents.get(status)?.(conversation, folder);
}
