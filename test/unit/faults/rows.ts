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
      ['unit/editor/networkFetch.test.ts', 'presents its client certificate when required'],
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
      ['unit/sandboxes/exposedUrl.test.ts', 'refuses “${address}” and says why'],
      ['host/hostileStrings.test.ts', 'refused exposed URLs'],
      ['host/hostileStrings.test.ts', 'do not include safe URLs, which are opened character by character'],
    ],
  },
  webviewMessages: {
    threat: 'forged messages to and from the form',
    proofs: [
      [
        'unit/settings/shared/messages.test.ts',
        'are refused in the host if they are forged, without being quoted',
      ],
      ['unit/settings/shared/messages.test.ts', 'keeps a model with a secret out of the form'],
      ['unit/settings/panel/formHost.test.ts', 'rejects and logs invalid messages without quoting them'],
      ['unit/editor/html.test.ts', 'allows only one script by its nonce'],
      ['unit/fuzz/messages.fuzz.test.ts', '${who} accepts a message unchanged or refuses it'],
    ],
  },
  canaries: {
    threat: 'secrets, each replaced by a canary',
    cases: true,
    proofs: [
      ['unit/connection/commands/diagnosis.test.ts', 'contains no canary from any place with secrets'],
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
        'unit/settings/interleavings.test.ts',
        'holds for two editors, another client, and failures at every step (${name})',
      ],
    ],
  },
  halfSaves: {
    threat: 'a save that fails halfway',
    proofs: [
      ['unit/settings/outcomes.test.ts', 'says that the change was applied: ${applied} (${name})'],
      ['unit/settings/outcomes.test.ts', 'saves again without conflicts'],
    ],
  },
  providerTokens: {
    threat: "a provider's token is changed",
    proofs: [
      ['unit/settings/providers.test.ts', 'keeps the tokens and hosts of all others when one is connected'],
      ['unit/settings/providers.test.ts', 'keeps the others when one is replaced'],
    ],
  },
  restarts: {
    threat: 'the extension host restarts, or the window reloads',
    proofs: [
      ['unit/settings/panel/drafts.test.ts', 'are restored with a notice after a window reload'],
      ['ui/saving/saving.test.ts', 'restores unsaved changes without secrets'],
    ],
  },
  crashes: {
    threat: 'the editor crashes, and brings back tabs as they were long before',
    proofs: [
      ['unit/conversation/panel/bothSides.test.ts', 'has the draft that was written last'],
      ['unit/conversation/panel/bothSides.test.ts', 'offers no message again that was sent'],
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
      ['unit/conversation/page/markdown.test.ts', 'shows HTML as its source'],
      ['unit/conversation/page/markdown.test.ts', 'makes links of web addresses only'],
      ['unit/conversation/panel/host.test.ts', 'shows a link in full before it opens it'],
    ],
  },
  approvals: {
    threat:
      'an approval, a rejection, or a message while the agent, another window, or the network interferes',
    proofs: [
      ['unit/live/interleavings.test.ts', 'execute only what was approved'],
      ['unit/transcript/hazards.test.ts', 'executes what waits, unasked, on a message that runs'],
      ['unit/conversation/panel/host.test.ts', 'approves exactly what was shown'],
    ],
  },
  fileNames: {
    threat: 'files in a sandbox with odd names, line ends, modes, or sizes',
    proofs: [
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'have files of any name'],
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'keep carriage returns, mixed ends of lines'],
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'name a file of 100 MB with its size'],
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'refuse content that doesn’t have its hash'],
    ],
  },
  looking: {
    threat: 'changes are shown while the agent works on the same files',
    proofs: [
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'change nothing in the repository by looking'],
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'are listed while the agent holds the lock'],
      ['unit/sandboxChanges/sandboxChanges.test.ts', 'say so when a file has changed again'],
    ],
  },
  sockets: {
    threat: 'a socket that breaks, is refused, is flooded, or swallows events',
    proofs: [
      ['unit/api/agent/socket.test.ts', 'tolerates frames that it doesn’t understand'],
      ['unit/api/agent/socket.test.ts', 'never follows a redirect with the key'],
      ['unit/live/listening.test.ts', 'is never connected before 1.17'],
      ['unit/live/listening.test.ts', 'gives way to polling when it breaks'],
      ['unit/live/listening.test.ts', 'isn’t trusted once a read finds what it didn’t send'],
    ],
  },
  sandboxes: {
    threat: 'a sandbox that has another address, redirects, refuses its key, or ends',
    proofs: [
      ['unit/live/liveConversation.test.ts', 'sends the sandbox’s key to no address'],
      ['unit/api/agent/client.test.ts', 'never follows a redirect with the key'],
      ['unit/live/liveConversation.test.ts', 'says that the sandbox refuses its key'],
      ['unit/live/liveConversation.test.ts', 'says that events are missing'],
    ],
  },
  transcriptSecrets: {
    threat: 'secrets in a transcript',
    proofs: [
      ['unit/live/liveConversation.test.ts', 'masks known secrets, and counts them'],
      ['unit/transcript/secretValues.test.ts', 'are in env, headers, and keys'],
      ['unit/api/events/schema.test.ts', 'drops “full_state” and “agent” with their secrets'],
      ['ui/conversationCanary.test.ts', 'shows and writes no secret'],
    ],
  },
  longTranscripts: {
    threat: 'transcripts of many thousand events, with outputs of megabytes',
    proofs: [
      ['unit/transcript/parts.test.ts', 'takes less than 20 MB for 10,000 events'],
      ['unit/transcript/parts.test.ts', 'holds outputs of 5 MB by their beginnings and ends'],
      ['unit/transcript/entries.test.ts', 'cost only what is new, however long the transcript'],
      ['ui/conversation/hostile.test.ts', 'of 100,000 entries draws only those nearby'],
      ['unit/tools/conversations.test.ts', 'is bounded, whatever the transcript'],
    ],
  },
  deletions: {
    threat: 'a conversation or a sandbox is deleted',
    proofs: [
      ['unit/targets/deletion.test.ts', 'deletes no sandbox with others in it'],
      ['unit/targets/deletion.test.ts', 'does nothing if other conversations appeared in between'],
      ['unit/targets/deletion.test.ts', 'deletes nothing while nobody can read where a conversation belongs'],
      ['unit/conversation/panel/drafts.test.ts', 'are forgotten with a conversation that was deleted'],
      ['host/deleting.test.ts', 'names its conversations, and asks again'],
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
      ['unit/changes/paths.test.ts', 'refuses what leads out of the folder'],
      ['unit/changes/paths.test.ts', 'refuses git’s own folder by every name'],
      ['unit/changes/paths.test.ts', 'refuses devices and reserved characters on Windows'],
      ['unit/changes/paths.test.ts', 'finds names that differ in case or form only'],
      ['unit/changes/roundTrip.test.ts', 'makes any tree the agent’s, byte for byte'],
      ['unit/changes/roundTrip.test.ts', 'loses nothing that was changed here'],
      ['host/agents/applyChanges.test.ts', 'reverts everything with one undo'],
      ['host/agents/applyChanges.test.ts', 'names links, folders in the way, and large files'],
    ],
  },
  leavingChanges: {
    threat: 'a conversation is started with changes, and a step fails',
    proofs: [
      ['unit/changes/outgoing.test.ts', 'makes the sandbox’s files the same, byte for byte'],
      ['unit/changes/outgoing.test.ts', 'leaves a sandbox alone where files have changed already'],
      ['unit/changes/outgoing.test.ts', 'can be repeated when the changes have arrived'],
      ['unit/changes/outgoing.test.ts', 'keeps possible secrets and untracked files out'],
      ['unit/changes/outgoing.test.ts', 'leaves index and objects as they are'],
    ],
  },
  undoneChanges: {
    threat: 'applied changes are undone',
    proofs: [
      ['unit/changes/undo.test.ts', 'restores what is as it was applied'],
      ['unit/changes/undo.test.ts', 'restores the mode alone where the editor’s undo did the rest'],
      ['unit/changes/undo.test.ts', 'leaves alone what has changed since'],
      [
        'unit/changes/undo.test.ts',
        'never writes over contents that it neither applied nor knows, in 500 cases',
      ],
    ],
  },
} satisfies Record<string, Held>;

type RowName = keyof typeof rows;

/** How many cases of each row ran in this process. */
const ran = new Map<string, number>();

/**
 * A test that stands for `count` cases of a row, or for as many as `work` says. Its title tells the reporter, since the
 * files of a run have processes of their own.
 */
export function holds(row: RowName, title: string, work: () => unknown): void {
  it(title, async function () {
    let count = 1;
    try {
      const said = await work();
      if (typeof said === 'number') count = said;
    } finally {
      ran.set(row, (ran.get(row) ?? 0) + count);
      this.test!.title = `${title} [${row}, ${count} ${count === 1 ? 'case' : 'cases'}]`;
    }
  });
}

/** The row that a test of this suite stands for, and its number of cases; undefined for other tests. */
function ownCases({ file, title }: RunTest): [row: string, count: number] | undefined {
  const [, row, count] = /\[(\w+), (\d+) cases?\]$/.exec(title) ?? [];
  return file === ownFile && row !== undefined ? [row, Number(count)] : undefined;
}

const ownFile = path.join(__dirname, 'faults.test.ts');
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

/** What a reporter learns of a test. */
export interface RunTest {
  file: string | undefined;
  title: string;
  fullTitle: string;
  passed: boolean;
}

/** The table of what the extension withstands, counted over all files of a run. */
export class RowTable {
  readonly #filesRun = new Set<string>();
  readonly #tallies = new Map<string | Proof, { cases: number; passed: number }>();
  readonly #matchers = proofs.map((proof) => ({ proof, file: fileOf(proof), pattern: titleOf(proof) }));

  count(test: RunTest): void {
    if (test.file === undefined) return;
    this.#filesRun.add(test.file);
    const own = ownCases(test);
    if (own) this.#add(...own, test.passed);
    for (const { proof, file, pattern } of this.#matchers)
      if (test.file === file && pattern.test(test.fullTitle)) this.#add(proof, 1, test.passed);
  }

  #add(key: string | Proof, cases: number, passed: boolean): void {
    const previous = this.#tallies.get(key) ?? { cases: 0, passed: 0 };
    this.#tallies.set(key, { cases: previous.cases + cases, passed: previous.passed + (passed ? cases : 0) });
  }

  /** A line for each row: cases passed of those run, and the files with tests that didn't run. */
  lines(): string[] {
    return entries.map(([name, { threat, proofs: of = [] }]) => {
      const tallies = [name, ...of].flatMap((key) => this.#tallies.get(key) ?? []);
      const sum = (what: 'cases' | 'passed') => tallies.reduce((total, tally) => total + tally[what], 0);
      const rest = [...new Set(of.filter((proof) => !this.#tallies.has(proof)).map(([file]) => file))];
      const numbers = tallies.length > 0 ? `${sum('passed')}/${sum('cases')}` : '';
      return `${numbers.padStart(11)}  ${threat}${rest.length > 0 ? ` [${rest.join(', ')}]` : ''}`;
    });
  }

  /** The tests that the list names and that weren't among those of their files. */
  missing(): string[] {
    return proofs
      .filter((proof) => this.#filesRun.has(fileOf(proof)) && !this.#tallies.has(proof))
      .map(([file, title]) => `no test ${title} ran in ${file}`);
  }
}

/** The list itself: each row of it has its cases or its proofs. */
export function describeRows(): void {
  describe('the list of threats', () => {
    it('is that of docs/reliability.md, row by row', () => {
      const [text = ''] = readFileSync(path.join(projectFolder, 'docs', 'reliability.md'), 'utf8').split(
        '\n## ',
      );
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
        if (row.cases) assert.ok((ran.get(name) ?? 0) > 0, 'no case ran');
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
