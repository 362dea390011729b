import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../support/paths';

/** A test of another suite that holds a row: its file, and words of its title there. */
interface Proof {
  file: string;
  title: string;
}

/** What the extension has to withstand, and where that is tested: by cases of this suite, by other tests, or both. */
export const rows = {
  redirects: { threat: 'redirect to another origin, https to http, protocol-relative', cases: true },
  workspaceSettings: {
    threat: 'workspace or folder settings define connections',
    proofs: [{ file: 'test/host/hostileWorkspace.test.ts', title: 'settings of a folder are never asked' }],
  },
  changedOrigin: { threat: 'the connection’s URL is edited to another origin', cases: true },
  ids: { threat: 'ids that would lead elsewhere', cases: true },
  bodies: { threat: 'bodies cut, stalled, huge, of the wrong shape', cases: true },
  statuses: { threat: 'error statuses with each error body shape', cases: true },
  certificates: {
    threat: 'certificates: self-signed, expired, wrong host, private CA, client',
    cases: true,
    proofs: [
      {
        file: 'test/unit/platform/networkFetch.test.ts',
        title: 'shows its client certificate where it is asked for',
      },
      { file: 'test/unit/supplyChain.test.ts', title: 'never switches certificate checks off' },
    ],
  },
  proxies: {
    threat: 'proxies: editor’s, environment’s, connection’s; refusing',
    cases: true,
    proofs: [
      { file: 'test/unit/api/proxy.test.ts', title: 'the proxy for an address' },
      { file: 'test/host/network.test.ts', title: 'the editor’s own proxy settings' },
    ],
  },
  serverStrings: {
    threat: 'server strings with markup, links, ANSI, bidi, 1 MB',
    cases: true,
    proofs: [{ file: 'test/host/hostileStrings.test.ts', title: 'texts of the service in the trees' }],
  },
  exposedUrls: {
    threat: 'exposed URLs that must not be opened',
    proofs: [
      { file: 'test/unit/state/exposedUrl.test.ts', title: 'refuses “${address}” and says why' },
      { file: 'test/host/hostileStrings.test.ts', title: 'exposed URLs that are not opened' },
    ],
  },
  webviewMessages: {
    threat: 'forged messages to and from the webview; CSP',
    proofs: [
      { file: 'test/unit/shared/messages.test.ts', title: 'the host refuses ${what}, without quoting it' },
      { file: 'test/unit/settingsPanel/html.test.ts', title: 'describe(' },
      { file: 'test/unit/fuzz/messages.fuzz.test.ts', title: 'messages both ways' },
    ],
  },
  canaries: {
    threat: 'a canary as each secret',
    cases: true,
    proofs: [
      {
        file: 'test/unit/platform/diagnosis/diagnosis.test.ts',
        title: 'canaries in every place that has one',
      },
      { file: 'test/unit/api/redaction.test.ts', title: 'hold no header, id, query, body or echoed secret' },
    ],
  },
  secretStorage: {
    threat: 'SecretStorage that throws, hangs, forgets',
    proofs: [
      {
        file: 'test/host/sessionKeys.test.ts',
        title: 'last for the window when the secret storage ${trouble}',
      },
    ],
  },
  concurrentSaves: {
    threat: 'two windows and another client save settings',
    proofs: [{ file: 'test/unit/state/settings/interleavings.test.ts', title: 'describe(' }],
  },
  halfSaves: {
    threat: 'save fails half way, connection drops after the post',
    proofs: [{ file: 'test/unit/state/settings/outcomes.test.ts', title: 'describe(' }],
  },
  providerTokens: {
    threat: 'a provider token is changed, the others stay',
    proofs: [{ file: 'test/unit/state/settings/providers.test.ts', title: 'describe(' }],
  },
  restarts: {
    threat: 'extension host restarts, window reloads with the panel open',
    proofs: [{ file: 'test/ui/settings.test.ts', title: 'reload' }],
  },
  sleep: { threat: 'sleep, network change, VPN: no storm', cases: true },
  tenThousand: {
    threat: '10,000 sandboxes and conversations',
    proofs: [
      { file: 'test/unit/api/answers.test.ts', title: 'breathe while it reads a list of ten thousand' },
      { file: 'test/bench/sections/refresh.ts', title: '10_000' },
    ],
  },
  soak: {
    threat: 'soak: 10,000 refreshes',
    proofs: [{ file: 'test/bench/sections/heap.ts', title: '10_000' }],
  },
  poller: { threat: 'the poller survives anything', cases: true },
} satisfies Record<string, { threat: string; cases?: true; proofs?: Proof[] }>;

export type RowName = keyof typeof rows;

const run = new Map<RowName, { cases: number; passed: number }>();

/** A test that stands for `count` cases of a row, or for as many as `work` says. */
export function holds(row: RowName, title: string, work: () => unknown): void {
  const tally = run.get(row) ?? { cases: 0, passed: 0 };
  run.set(row, tally);
  it(title, async () => {
    tally.cases += 1;
    const more = await work();
    const count = typeof more === 'number' ? more : 1;
    tally.cases += count - 1;
    tally.passed += count;
  });
}

/** The list itself: each row has its cases or its proofs. Prints what ran. */
export function describeRows(): void {
  describe('the list of threats', () => {
    for (const [name, row] of Object.entries(rows)) {
      it(`${name} is held by cases that ran or by tests that are there`, () => {
        const tally = run.get(name as RowName);
        if ('cases' in row) assert.ok(tally !== undefined && tally.cases > 0, 'no case ran');
        const proofs = 'proofs' in row ? row.proofs : [];
        assert.ok('cases' in row || proofs.length > 0);
        for (const { file, title } of proofs) {
          const full = path.join(projectFolder, file);
          assert.ok(existsSync(full), `${file} is not there`);
          assert.ok(readFileSync(full, 'utf8').includes(title), `${file} has nothing about “${title}”`);
        }
      });
    }
    after(() => {
      for (const [name, { threat, ...row }] of Object.entries(rows)) {
        const { cases = 0, passed = 0 } = run.get(name as RowName) ?? {};
        const files =
          'proofs' in row ? row.proofs.map(({ file }) => file.replace('test/', '')).join(', ') : '';
        const numbers = 'cases' in row ? `${passed}/${cases}` : '';
        console.log(`    ${name.padEnd(18)} ${numbers.padStart(11)}  ${threat}${files && ` [${files}]`}`);
      }
    });
  });
}
