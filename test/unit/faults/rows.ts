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
const rows = {
  redirects: {
    threat: 'redirects to another origin, from https to http, or protocol-relative',
    cases: true,
    proofs: [['unit/api/http/redirects.test.ts', 'does not follow ${status} for reads or changes']],
  },
  workspaceSettings: {
    threat: 'settings of a workspace or folder, trusted or not',
    cases: true,
    proofs: [
      ['host/hostileWorkspace.test.ts', 'cannot redirect requests with its settings: ${name}'],
      [
        'ui/untrusted.test.ts',
        'works in Restricted Mode, and sends nothing where the folder’s settings point',
      ],
    ],
  },
  changedOrigin: { threat: 'the address of a connection is changed to another origin', cases: true },
  ids: { threat: 'ids that would redirect a request', cases: true },
  bodies: { threat: 'truncated, stalled, huge, or malformed bodies', cases: true },
  statuses: { threat: 'error statuses with each shape of error body', cases: true },
  certificates: {
    threat: 'certificates: self-signed, expired, for another host, from a private authority, of the client',
    cases: true,
    proofs: [
      ['unit/platform/networkFetch.test.ts', 'presents its client certificate when required'],
      ['unit/supplyChain.test.ts', 'never switches certificate checks off'],
    ],
  },
  proxies: {
    threat: 'proxies: from the editor, the environment, or the connection; one that refuses',
    cases: true,
    proofs: [
      ['unit/api/http/proxy.test.ts', 'the proxy for an address'],
      ['host/network.test.ts', 'apply to every connection without its own proxy'],
    ],
  },
  serverStrings: {
    threat: 'text from the service with markup, links, ANSI codes, reversed direction, or 1 MB',
    cases: true,
    proofs: [['host/hostileStrings.test.ts', 'is plain text: ${name}']],
  },
  exposedUrls: {
    threat: 'exposed URLs that must not be opened',
    proofs: [
      ['unit/state/sandboxes/exposedUrl.test.ts', 'refuses “${address}” and says why'],
      ['host/hostileStrings.test.ts', 'refused exposed URLs'],
    ],
  },
  webviewMessages: {
    threat: 'forged messages to and from the form',
    proofs: [
      ['unit/shared/messages.test.ts', 'are refused in the host if they are forged, without being quoted'],
      ['unit/shared/messages.test.ts', 'keeps a model with a secret out of the form'],
      ['unit/panels/settings/formHost.test.ts', 'rejects and logs invalid messages without quoting them'],
      ['unit/panels/html.test.ts', 'allows only one script by its nonce'],
      ['unit/fuzz/messages.fuzz.test.ts', '${who} accepts a message unchanged or refuses it'],
    ],
  },
  canaries: {
    threat: 'secrets, each replaced by a canary',
    cases: true,
    proofs: [
      ['unit/commands/connection/diagnosis.test.ts', 'contains no canary from any place with secrets'],
      ['unit/api/http/redaction.test.ts', 'contain no header, ID, query, body, or echoed secret'],
      ['ui/canary.test.ts', 'are in no state that the editor stores'],
    ],
  },
  secretStorage: {
    threat: 'a secret storage that throws, hangs, or forgets',
    proofs: [
      [
        'host/sessionKeys.test.ts',
        'last for the window with a single warning when the secret storage ${trouble}',
      ],
    ],
  },
  concurrentSaves: {
    threat: 'two windows and another client save settings',
    proofs: [
      [
        'unit/state/settings/interleavings.test.ts',
        'holds for two editors, another client, and failures at every step (${name})',
      ],
    ],
  },
  halfSaves: {
    threat: 'a save that fails halfway',
    proofs: [
      ['unit/state/settings/outcomes.test.ts', 'says that the change was applied: ${applied} (${name})'],
      ['unit/state/settings/outcomes.test.ts', 'saves again without conflicts'],
    ],
  },
  providerTokens: {
    threat: "a provider's token is changed",
    proofs: [
      [
        'unit/state/settings/providers.test.ts',
        'keeps the tokens and hosts of all others when one is connected',
      ],
      ['unit/state/settings/providers.test.ts', 'keeps the others when one is replaced'],
    ],
  },
  restarts: {
    threat: 'the extension host restarts, or the window reloads',
    proofs: [
      ['unit/panels/settings/drafts.test.ts', 'are restored with a notice after a window reload'],
      ['ui/saving/saving.test.ts', 'restores unsaved changes after a window reload, without secrets'],
    ],
  },
  crashes: {
    threat: 'the editor crashes, and brings back tabs as they were long before',
    proofs: [
      ['unit/panels/conversation/bothSides.test.ts', 'has the draft that was written last'],
      ['unit/panels/conversation/bothSides.test.ts', 'offers no message again that was sent'],
    ],
  },
  sleep: { threat: 'sleep, a new network, a VPN', cases: true },
  tenThousand: {
    threat: '10,000 sandboxes and conversations',
    proofs: [
      ['unit/api/http/answers.test.ts', 'keeps the event loop responsive while reading a list of 10,000'],
      ['bench/sections/refresh.ts', '10,000, in pages of 100'],
    ],
  },
  soak: {
    threat: '10,000 refreshes with changes and faults',
    cases: true,
    proofs: [['bench/sections/heap.ts', 'after ${many} refreshes']],
  },
  poller: { threat: 'any sequence of failures', cases: true },
  transcripts: {
    threat: 'a transcript with markup, links, terminal codes, or imitated buttons',
    proofs: [
      ['unit/webview/conversation/markdown.test.ts', 'shows HTML as its source'],
      ['unit/webview/conversation/markdown.test.ts', 'makes links of web addresses only'],
      ['unit/panels/conversation/host.test.ts', 'shows a link in full before it opens it'],
    ],
  },
  approvals: {
    threat:
      'an approval, a rejection, or a message while the agent, another window, or the network interferes',
    proofs: [
      ['unit/state/transcript/interleavings.test.ts', 'execute only what was approved'],
      ['unit/state/transcript/hazards.test.ts', 'executes what waits, unasked, on a message that runs'],
      ['unit/panels/conversation/host.test.ts', 'approves exactly what was shown'],
    ],
  },
  fileNames: {
    threat: 'files in a sandbox with odd names, line ends, modes, or sizes',
    proofs: [
      ['unit/state/changes/sandboxChanges.test.ts', 'have files of any name'],
      ['unit/state/changes/sandboxChanges.test.ts', 'keep carriage returns, mixed ends of lines'],
      ['unit/state/changes/sandboxChanges.test.ts', 'name a file of 100 MB with its size'],
      ['unit/state/changes/sandboxChanges.test.ts', 'refuse content that doesn’t have its hash'],
    ],
  },
  looking: {
    threat: 'changes are shown while the agent works on the same files',
    proofs: [
      ['unit/state/changes/sandboxChanges.test.ts', 'change nothing in the repository by looking'],
      ['unit/state/changes/sandboxChanges.test.ts', 'are listed while the agent holds the lock'],
      ['unit/state/changes/sandboxChanges.test.ts', 'say so when a file has changed again'],
    ],
  },
  sockets: {
    threat: 'a socket that breaks, is refused, is flooded, or swallows events',
    proofs: [
      ['unit/api/agent/socket.test.ts', 'tolerates frames that it doesn’t understand'],
      ['unit/api/agent/socket.test.ts', 'never follows a redirect with the key'],
      ['unit/state/transcript/listening.test.ts', 'is never connected before 1.17'],
      ['unit/state/transcript/listening.test.ts', 'gives way to polling when it breaks'],
      ['unit/state/transcript/listening.test.ts', 'isn’t trusted once a reading finds what it didn’t tell'],
    ],
  },
  sandboxes: {
    threat: 'a sandbox that has another address, redirects, refuses its key, or ends',
    proofs: [
      ['unit/state/transcript/liveConversation.test.ts', 'sends the sandbox’s key to no address'],
      ['unit/api/agent/client.test.ts', 'never follows a redirect with the key'],
      ['unit/state/transcript/liveConversation.test.ts', 'says that the sandbox refuses its key'],
      ['unit/state/transcript/liveConversation.test.ts', 'says that events are missing'],
    ],
  },
  transcriptSecrets: {
    threat: 'secrets in a transcript',
    proofs: [
      ['unit/state/transcript/liveConversation.test.ts', 'masks known secrets, and counts them'],
      ['unit/state/transcript/secretValues.test.ts', 'are in env, headers, and keys'],
      ['unit/api/events/schema.test.ts', 'drops “full_state” and “agent” with their secrets'],
      ['ui/conversationCanary.test.ts', 'shows and writes no secret'],
    ],
  },
  longTranscripts: {
    threat: 'transcripts of many thousand events, with outputs of megabytes',
    proofs: [
      ['unit/state/transcript/parts.test.ts', 'takes less than 20 MB for 10,000 events'],
      ['unit/state/transcript/parts.test.ts', 'holds outputs of 5 MB by their beginnings and ends'],
      ['unit/state/transcript/entries.test.ts', 'cost what is new, however long the transcript'],
      ['ui/conversation/hostile.test.ts', 'of 100,000 entries draws only those nearby'],
      ['unit/tools/conversations.test.ts', 'is bounded, whatever the transcript'],
    ],
  },
  deletions: {
    threat: 'a conversation or a sandbox is deleted',
    proofs: [
      ['unit/state/conversations/deletion.test.ts', 'deletes no sandbox with others in it'],
      ['unit/state/conversations/deletion.test.ts', 'does nothing if other conversations came in between'],
      ['unit/panels/conversation/drafts.test.ts', 'are forgotten with a conversation that was deleted'],
      ['ui/deleting.test.ts', 'asks before deleting a sandbox'],
    ],
  },
  links: {
    threat: 'links to the extension',
    proofs: [
      ['unit/shared/connectLink.test.ts', 'is refused with ${what}'],
      ['unit/shared/conversationLink.test.ts', 'is refused with ${what}'],
      ['ui/conversationWays.test.ts', 'a link asks before it switches to another connection'],
    ],
  },
  arrivingChanges: {
    threat: 'file names and contents from a sandbox that are applied here',
    proofs: [
      ['unit/state/changes/paths.test.ts', 'refuses what leads out of the folder'],
      ['unit/state/changes/paths.test.ts', 'refuses git’s own folder by every name'],
      ['unit/state/changes/paths.test.ts', 'refuses devices and reserved characters on Windows'],
      ['unit/state/changes/paths.test.ts', 'finds names that differ in case or form only'],
      ['unit/state/changes/roundTrip.test.ts', 'makes any tree the agent’s, byte for byte'],
      ['unit/state/changes/roundTrip.test.ts', 'loses nothing that was changed here'],
      ['host/applyChanges.test.ts', 'reverts everything with one undo'],
      ['host/applyChanges.test.ts', 'names links, folders in the way, and large files'],
    ],
  },
  leavingChanges: {
    threat: 'a conversation is started with changes, and a step fails',
    proofs: [
      ['unit/state/changes/outgoing.test.ts', 'makes the sandbox’s files the same, byte for byte'],
      ['unit/state/changes/outgoing.test.ts', 'leaves a sandbox alone where files have changed already'],
      ['unit/state/changes/outgoing.test.ts', 'can be repeated when the changes have arrived'],
      ['unit/state/changes/outgoing.test.ts', 'keeps possible secrets and untracked files out'],
      ['unit/state/changes/outgoing.test.ts', 'leaves index and objects as they are'],
    ],
  },
  undoneChanges: {
    threat: 'applied changes are undone',
    proofs: [
      ['unit/state/changes/undo.test.ts', 'restores what is as it was applied'],
      ['unit/state/changes/undo.test.ts', 'restores the mode alone where the editor’s undo did the rest'],
      ['unit/state/changes/undo.test.ts', 'leaves alone what has changed since'],
      [
        'unit/state/changes/undo.test.ts',
        'never writes over contents that it neither applied nor knows, in 500 cases',
      ],
    ],
  },
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
    console.log(
      '\n  What the extension withstands: cases passed of those run, and files with tests that did not run here',
    );
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
      it(`has cases that ran, or tests that are there (${row.threat})`, () => {
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
