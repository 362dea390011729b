import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../support/paths';

/** Tests of another suite that hold a row: their file, and words of their titles as the source has them. */
type Proof = readonly [file: string, title: string];

interface Held {
  /** The row's first column in docs/reliability.md. */
  threat: string;
  /** Whether this suite has cases of it. */
  cases?: true;
  proofs?: readonly Proof[];
}

/** What the extension has to withstand, and where that is tested: by cases of this suite, by other tests, or both. */
export const rows = {
  redirects: {
    threat: 'redirects to another origin, from https to http, protocol-relative',
    cases: true,
    proofs: [['unit/api/redirects.test.ts', 'is not followed, for reading or changing']],
  },
  workspaceSettings: {
    threat: 'settings of a workspace or folder, trusted or not',
    cases: true,
    proofs: [
      ['host/hostileWorkspace.test.ts', 'settings of a folder are never asked: ${name}'],
      [
        'ui/untrusted.test.ts',
        'works in Restricted Mode, and asks nothing where the folder’s settings point',
      ],
    ],
  },
  changedOrigin: { threat: 'the address of a connection is edited to another origin', cases: true },
  ids: { threat: 'ids that would lead elsewhere', cases: true },
  bodies: { threat: 'bodies cut, stalled, huge, of the wrong shape', cases: true },
  statuses: { threat: 'error statuses with each error body shape', cases: true },
  certificates: {
    threat: 'certificates: self-signed, expired, for another host, of a private authority, of the client',
    cases: true,
    proofs: [
      ['unit/platform/networkFetch.test.ts', 'shows its client certificate where it is asked for'],
      ['unit/supplyChain.test.ts', 'never switches certificate checks off'],
    ],
  },
  proxies: {
    threat: "proxies: the editor's, the environment's, the connection's; one that refuses",
    cases: true,
    proofs: [
      ['unit/api/proxy.test.ts', 'the proxy for an address'],
      ['host/network.test.ts', 'are named for every connection that has no proxy of its own'],
    ],
  },
  serverStrings: {
    threat: 'texts of the service with markup, links, ANSI, turned direction, 1 MB',
    cases: true,
    proofs: [['host/hostileStrings.test.ts', 'are plain text: ${name}']],
  },
  exposedUrls: {
    threat: 'exposed URLs that must not be opened',
    proofs: [
      ['unit/state/exposedUrl.test.ts', 'refuses “${address}” and says why'],
      ['host/hostileStrings.test.ts', 'exposed URLs that are not opened'],
    ],
  },
  webviewMessages: {
    threat: 'forged messages to and from the form',
    proofs: [
      ['unit/shared/messages.test.ts', 'the host refuses ${what}, without quoting it'],
      ['unit/shared/messages.test.ts', 'the form refuses a model with a secret in it'],
      ['unit/settingsPanel/formHost.test.ts', 'refuses what is no message, and logs that without quoting it'],
      [
        'unit/settingsPanel/html.test.ts',
        'allows one script by its nonce, the style sheet, and nothing else',
      ],
      ['unit/fuzz/messages.fuzz.test.ts', '${who} takes a message as it was sent, or refuses it'],
    ],
  },
  canaries: {
    threat: 'secrets, a canary as each',
    cases: true,
    proofs: [
      ['unit/platform/diagnosis/diagnosis.test.ts', 'canaries in every place that has one'],
      ['unit/api/redaction.test.ts', 'hold no header, id, query, body or echoed secret'],
      ['ui/canary.test.ts', 'are in no state that the editor keeps'],
    ],
  },
  secretStorage: {
    threat: 'a secret storage that throws, hangs or forgets',
    proofs: [['host/sessionKeys.test.ts', 'last for the window when the secret storage ${trouble}']],
  },
  concurrentSaves: {
    threat: 'two windows and another client save settings',
    proofs: [
      [
        'unit/state/settings/interleavings.test.ts',
        '${profile}: two editors, another client, and failures at every step',
      ],
    ],
  },
  halfSaves: {
    threat: 'a save that fails half way',
    proofs: [
      ['unit/state/settings/outcomes.test.ts', '${name}: applied ${applied}'],
      ['unit/state/settings/outcomes.test.ts', '${name}: saving again ends well'],
    ],
  },
  providerTokens: {
    threat: "a provider's token is changed",
    proofs: [
      ['unit/state/settings/providers.test.ts', 'connecting one keeps the tokens and hosts of all others'],
      ['unit/state/settings/providers.test.ts', 'replacing one keeps the others'],
    ],
  },
  restarts: {
    threat: 'the extension host restarts, the window reloads',
    proofs: [
      ['unit/settingsPanel/drafts.test.ts', 'are back at once after the window was reloaded, and say so'],
      ['ui/saving/saving.test.ts', 'has the unsaved changes again after the window was reloaded'],
    ],
  },
  sleep: { threat: 'sleep, a changed network, a VPN', cases: true },
  tenThousand: {
    threat: '10,000 sandboxes and conversations',
    proofs: [
      ['unit/api/answers.test.ts', 'lets the event loop breathe while it reads a list of ten thousand'],
      ['bench/sections/refresh.ts', '10,000, in pages of 100'],
    ],
  },
  soak: {
    threat: '10,000 refreshes with changes and faults',
    cases: true,
    proofs: [['bench/sections/heap.ts', 'after ${many} refreshes']],
  },
  poller: { threat: 'any sequence of failures', cases: true },
} satisfies Record<string, Held>;

export type RowName = keyof typeof rows;

interface Tally {
  cases: number;
  passed: number;
}
const own = new Map<string, Tally>();
const elsewhere = new Map<Proof, Tally>();

const add = (tallies: Map<unknown, Tally>, key: unknown, { cases, passed }: Tally) => {
  const { cases: former = 0, passed: before = 0 } = tallies.get(key) ?? {};
  tallies.set(key, { cases: former + cases, passed: before + passed });
};

/** A test that stands for `count` cases of a row, or for as many as `work` says. */
export function holds(row: RowName, title: string, work: () => unknown): void {
  it(title, async () => {
    let count = 1;
    let passed = 0;
    try {
      const said = await work();
      if (typeof said === 'number') count = said;
      passed = count;
    } finally {
      add(own, row, { cases: count, passed });
    }
  });
}

const entries: [string, Held][] = Object.entries(rows);
const proofs = entries.flatMap(([, { proofs: of = [] }]) => of);
const fileOf = ([file]: Proof) => path.join(projectFolder, 'test', file);
/** The title of a test, with anything where its source puts in a value. */
const titleOf = ([, title]: Proof) =>
  new RegExp(
    title
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
      .join('.*'),
  );

/** Counts what the tests of other files prove as they run, and prints the table when all have. */
export function countRows(): void {
  const matchers = proofs.map((proof) => [proof, fileOf(proof), titleOf(proof)] as const);
  const filesRun = new Set<string>();
  afterEach(function () {
    const { file, state } = this.currentTest ?? {};
    if (file === undefined) return;
    filesRun.add(file);
    const title = this.currentTest!.fullTitle();
    for (const [proof, proofFile, pattern] of matchers) {
      if (file === proofFile && pattern.test(title))
        add(elsewhere, proof, { cases: 1, passed: state === 'passed' ? 1 : 0 });
    }
  });
  after(() => {
    console.log('\n  What the extension withstands: cases passed of those run, and tests that run elsewhere');
    for (const [name, { threat, proofs: of = [] }] of entries) {
      const tallies = [own.get(name), ...of.map((proof) => elsewhere.get(proof))].filter(
        (one) => one !== undefined,
      );
      const sum = (what: keyof Tally) => tallies.reduce((total, tally) => total + tally[what], 0);
      const rest = of.filter((proof) => !elsewhere.has(proof)).map(([file]) => file);
      const numbers = tallies.length > 0 ? `${sum('passed')}/${sum('cases')}` : '';
      console.log(`  ${numbers.padStart(11)}  ${threat}${rest.length > 0 ? ` [${rest.join(', ')}]` : ''}`);
    }
    // A run of some tests proves nothing about the others.
    if (process.argv.some((argument) => /^(-g|-f|--f?grep)/.test(argument))) return;
    for (const proof of proofs)
      if (filesRun.has(fileOf(proof)))
        assert.ok(elsewhere.has(proof), `no test ${proof[1]} ran in ${proof[0]}`);
  });
}

/** The list itself: each row of it has its cases or its proofs. */
export function describeRows(): void {
  describe('the list of threats', () => {
    it('is that of docs/reliability.md, row by row', () => {
      const text = readFileSync(path.join(projectFolder, 'docs', 'reliability.md'), 'utf8');
      const [head, , ...listed] = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, threat = '']) =>
        threat.trim(),
      );
      assert.equal(head, 'threat or fault');
      assert.deepEqual(
        entries.map(([, { threat }]) => threat),
        listed,
      );
    });
    for (const [name, row] of entries) {
      it(`${row.threat}: cases that ran, or tests that are there`, () => {
        if (row.cases) assert.ok((own.get(name)?.cases ?? 0) > 0, 'no case ran');
        assert.ok(row.cases === true || (row.proofs ?? []).length > 0);
        for (const proof of row.proofs ?? []) {
          assert.ok(existsSync(fileOf(proof)), `${proof[0]} is not there`);
          assert.ok(
            readFileSync(fileOf(proof), 'utf8').includes(proof[1]),
            `${proof[0]} has nothing about “${proof[1]}”`,
          );
        }
      });
    }
  });
}
