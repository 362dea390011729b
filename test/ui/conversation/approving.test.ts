import assert from 'node:assert/strict';
import { agentFolders } from '../../../src/shared/agentFolders';
import type { PendingAction, Risk } from '../../../src/shared/transcript';
import type { ActionEvent } from '../../../src/features/transcript/model/outcomes';
import { pendingActions } from '../../../src/features/live/model/pending';
import { lifelike, message, separator, start, terminal } from '../../support/conversation/entries';
import { takePicture } from '../../support/picture';
import type { Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { ConversationPage, openConversation } from './conversationPage';

/** An action as the extension host shows it. */
function asked(
  id: string,
  kind: string,
  input: Record<string, unknown>,
  more: { tool?: string; risk?: Risk; thought?: string } = {},
): PendingAction {
  const event: ActionEvent = {
    kind: 'action',
    id,
    timestamp: '2026-11-21T10:00:00',
    source: 'agent',
    thought: '',
    tool: 'tool',
    callId: id,
    call: '',
    risk: 'MEDIUM',
    summary: '',
    ...more,
    action: { kind, input },
  };
  return pendingActions([event], 'waiting_for_confirmation')[0]!;
}

const runs = (id: string, command: string, risk: Risk = 'MEDIUM') =>
  asked(id, 'TerminalAction', { command, is_input: false, reset: false }, { tool: 'terminal', risk });

const edits = (id: string, path: string, before: string, after: string) =>
  asked(
    id,
    'FileEditorAction',
    { command: 'str_replace', path, old_str: before, new_str: after },
    { tool: 'file_editor' },
  );

const keys = (length: number) =>
  `{\n${Array.from({ length }, (_, index) => `  "key${index}": "value ${index}"`).join(',\n')}\n}`;

/** What waits in the demo. */
const two = [
  runs('clean', 'git clean -fdx && npm ci', 'HIGH'),
  edits('package', 'package.json', '"version": "1.4.0"', '"version": "1.4.1"'),
];

const five = [
  runs('apply', 'terraform apply -auto-approve -var-file=prod.tfvars', 'HIGH'),
  edits('config', 'config/generated.json', '{\n}', keys(160)),
  asked('issue', 'MCPToolAction', { data: { title: 'Config', labels: ['ops'] } }, { tool: 'create_issue' }),
  asked('file', 'FileEditorAction', { command: 'create', path: 'src/new.ts', file_text: 'export {};\n' }),
  runs('test', 'npm test'),
];

describe('approving in a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  let built: Built;
  openConversation((page, parts) => ([conversation, built] = [page, parts]));

  const asking = (pending: readonly PendingAction[]) =>
    conversation.begin(lifelike(), {
      execution: 'waiting_for_confirmation',
      sendEffect: 'rejects',
      pending: [...pending],
    });
  const reopen = async (options: Parameters<typeof ConversationPage.open>[1]) => {
    conversation = await ConversationPage.open(built, options);
  };
  const canApprove = () =>
    conversation.button('Approve').and(conversation.page.locator('[aria-disabled="false"]'));
  const showsRest = async () => (await conversation.button('Show the Rest').count()) > 0;
  const list = () => conversation.page.locator('.actions');
  const scrollers = () =>
    list().evaluate((box) => {
      let count = 0;
      for (let one: Element | null = box; one; one = one.parentElement)
        if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1)
          count += 1;
      return count;
    });

  /** Turns the wheel over the card notch by notch until nothing is left to show; resolves to how many it took. */
  async function wheel(most: number): Promise<number> {
    const { x, y, width } = (await list().boundingBox())!;
    await conversation.page.mouse.move(x + width / 2, y + 20);
    for (let turns = 0; turns < most; turns += 1) {
      if (!(await showsRest())) return turns;
      await conversation.page.mouse.wheel(0, 120);
      await conversation.frame();
    }
    return most;
  }

  it('needs no scrolling for two actions at 1280 × 800', async () => {
    await reopen({ width: 1280, height: 800 });
    await asking(two);
    await conversation.frame();
    assert.equal(await showsRest(), false);
    await canApprove().waitFor();
    assert.equal(await scrollers(), 0);
  });

  it('shows paths whole, however long they are, with all of their blanks', async () => {
    const long = `/w/${'a'.repeat(2_000)}/../../../etc/cron.d/x`;
    const [from, to] = ['/w/a b.ts', '/w/a  b.ts '];
    for (const width of [1280, 320]) {
      await reopen({ width, height: 800 });
      await asking([
        edits('long', long, 'a', 'b'),
        edits('blanks', to, 'a', 'b'),
        asked('move', 'ApplyPatchAction', {
          patch: `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${long}\n@@\n-a\n+b\n*** End Patch`,
        }),
      ]);
      await conversation.frame();
      const cut = await list().evaluate((box) => {
        const edge = box.getBoundingClientRect().right;
        return [...box.querySelectorAll<HTMLElement>('.said, .said *, pre, pre *')].flatMap((one) => {
          const isClipped =
            getComputedStyle(one).overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 1;
          return isClipped || one.getBoundingClientRect().right > edge + 1 ? [one.className] : [];
        });
      });
      assert.deepEqual(cut, [], `${width}`);
      const shown = await list()
        .locator('code.path')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText));
      assert.deepEqual([shown[0], shown[1], shown[3]], [long, to, long]);
    }
  });

  it('needs six turns of the wheel for five actions, one with a long edit whose diff was opened', async () => {
    await reopen({ width: 1280, height: 800 });
    await asking(five);
    await conversation.frame();
    assert.equal(await showsRest(), true);
    await list().getByRole('button', { name: 'Open Diff' }).first().click();
    assert.equal((await conversation.next('openDiff')).id, 'config');
    await conversation.send({ type: 'reviewed', ids: ['config'] });
    await conversation.frame();
    assert.ok((await wheel(30)) <= 6);
    await canApprove().click();
    assert.deepEqual(
      (await conversation.next('approve')).ids,
      five.map(({ id }) => id),
    );
  });

  it('goes by the wheel alone, too, and grows to 60% of the panel', async () => {
    await reopen({ width: 1280, height: 800 });
    await asking(five);
    await conversation.frame();
    const height = await conversation.page.locator('.card').evaluate((one) => one.clientHeight);
    assert.ok(height > 0.5 * 800 && height <= 0.6 * 800, `${height}`);
    await wheel(60);
    await canApprove().waitFor();
  });

  it('shows the rest part by part, up to where all of it can be approved', async () => {
    await asking(five);
    await conversation.frame();
    const seen: number[] = [];
    while (await showsRest()) {
      seen.push(await list().evaluate((box) => box.scrollTop));
      await conversation.button('Show the Rest').click();
      await conversation.frame();
      assert.ok(seen.length < 40);
    }
    assert.ok(seen.length > 3);
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => one - other),
    );
    await canApprove().waitFor();
    assert.deepEqual(
      (await conversation.waiting()).filter((type) => type === 'approve'),
      [],
    );
  });

  it('goes to the first part that was left out', async () => {
    await asking(five);
    await conversation.frame();
    await list().evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await conversation.frame();
    assert.equal(await showsRest(), true);
    await conversation.button('Show the Rest').click();
    await conversation.frame();
    assert.ok((await list().evaluate((box) => box.scrollTop)) < 600);
  });

  for (const height of [400, 315]) {
    it(`has at most one thing that scrolls at 640 × ${height}, and turning the wheel to the end is enough`, async () => {
      await reopen({ width: 640, height });
      await asking(two);
      await conversation.frame();
      // At 400, all of it fits.
      assert.equal(await scrollers(), height < 400 ? 1 : 0);
      assert.ok(await conversation.button('Reject…').isVisible());
      const bar = (await conversation.page.locator('.card-buttons').boundingBox())!;
      assert.ok(bar.y + bar.height <= height + 1, `${bar.y} ${bar.height}`);
      await wheel(40);
      await canApprove().click();
      await conversation.next('approve');
    });
  }

  for (const [width, height] of [
    [1280, 800],
    [640, 400],
  ] as const) {
    it(`passes everything on the way to the end by the keyboard at ${width} × ${height}`, async () => {
      await reopen({ width, height });
      await asking(five);
      await list().focus();
      await conversation.page.keyboard.press('End');
      await canApprove().waitFor();
    });
  }

  it('goes by one key in the card, which shows the rest first, and never by a key held down', async () => {
    const key = 'ControlOrMeta+Shift+Enter';
    const approvals = async () => (await conversation.waiting()).filter((type) => type === 'approve').length;
    const heading = () => conversation.page.locator('#pending-title');
    await reopen({ width: 1280, height: 800 });
    await asking(five);
    await conversation.composer.focus();
    await conversation.page.keyboard.press(key);
    await conversation.frame();
    assert.equal(await list().evaluate((box) => box.scrollTop), 0);
    await heading().focus();
    for (let presses = 0; (await showsRest()) && presses < 40; presses += 1) {
      await conversation.page.keyboard.press(key);
      await conversation.frame();
    }
    await canApprove().waitFor();
    const held = { key: 'Enter', ctrlKey: true, shiftKey: true, repeat: true, bubbles: true };
    await heading().dispatchEvent('keydown', held);
    assert.equal(await approvals(), 0);
    await conversation.page.keyboard.press(key);
    assert.deepEqual(
      (await conversation.next('approve')).ids,
      five.map(({ id }) => id),
    );
  });

  it('rejects nothing and approves nothing by that key in the box for words', async () => {
    await asking(two);
    await canApprove().waitFor();
    await conversation.button('Reject…').click();
    await conversation.page.locator('#reason:focus').waitFor();
    await conversation.page.keyboard.press('ControlOrMeta+Shift+Enter');
    const sent = (await conversation.waiting()).filter((type) => type === 'approve' || type === 'reject');
    assert.deepEqual(sent, []);
  });

  it('remembers what was seen while the tab is hidden, and asks for the rest', async () => {
    await asking(five);
    await conversation.frame();
    const state = await conversation.keptState();
    assert.deepEqual((state as { seen: string[] }).seen.length, 1);
    await reopen({ state });
    await asking([five[0]!]);
    await canApprove().waitFor();
    await reopen({ state });
    // Other words under the same id were never shown.
    await asking([runs('apply', Array.from({ length: 90 }, (_, line) => `echo ${line}`).join('\n'))]);
    await conversation.frame();
    assert.equal(await showsRest(), true);
  });

  it('says what each action does in words, and which of how many it is', async () => {
    await asking(five);
    const heads = await conversation.page.locator('.action-head').allInnerTexts();
    assert.deepEqual(
      heads.map((head) => head.replaceAll(/\s+/g, ' ')),
      [
        'Run terraform apply -auto-approve -var-file=prod.tfvars High risk 1 of 5',
        'Edit ./config/generated.json +160 −0 Medium risk 2 of 5 Open Diff',
        'Use create_issue Medium risk 3 of 5',
        'Create ./src/new.ts +1 Medium risk 4 of 5 Open Diff',
        'Run npm test Medium risk 5 of 5',
      ],
    );
  });

  it('names files as in the repository, and any other in full', async () => {
    const paths = ['webshop/src/a.ts', 'src/a.ts', 'webshop/../src/a.ts'];
    await asking(paths.map((path, index) => edits(`${index}`, `/workspace/project/${path}`, 'a', 'b')));
    await conversation.setHead({ folders: agentFolders('acme/webshop', '/workspace/project') });
    assert.deepEqual(await conversation.page.locator('.action .path').allInnerTexts(), [
      'src/a.ts',
      '/workspace/project/src/a.ts',
      '/workspace/project/webshop/../src/a.ts',
    ]);
  });

  it('shows an edit once, as its diff, and its arguments only when asked', async () => {
    await asking([five[1]!]);
    assert.equal(await conversation.page.locator('.action .diff').count(), 1);
    assert.doesNotMatch(await list().innerText(), /\\n/);
    await conversation.page.getByText('Show Raw').click();
    assert.match(await list().innerText(), /file_editor\n\{\n\s+"command": "str_replace"/);
  });

  it('takes the place of the box for messages when it asks for words', async () => {
    await asking(two);
    await conversation.button('Reject…').click();
    await conversation.frame();
    assert.equal(await conversation.page.locator('textarea').count(), 1);
    assert.equal(await conversation.page.evaluate(() => document.activeElement?.id), 'reason');
    await conversation.page.keyboard.press('Escape');
    await conversation.frame();
    assert.equal(await conversation.page.evaluate(() => document.activeElement?.id), 'reject');
    assert.equal(await conversation.page.locator('textarea').count(), 1);
    await conversation.composer.waitFor();
    await conversation.button('Reject…').click();
    await conversation.frame();
    await conversation.page.keyboard.type('Keep my files');
    await conversation.page.keyboard.press('Enter');
    assert.equal((await conversation.next('reject')).reason, 'Keep my files');
  });

  it('leaves an entry of what was decided, with the time, also where a turn is folded', async () => {
    const at = start + 3_600_000;
    await conversation.begin([
      message('user', 'Clean up', { at }),
      ...Array.from({ length: 8 }, (_, index) => terminal(`echo ${index}`, '', 0, { at })),
      separator('rejected', '', { id: 'no', at, count: 1, isMine: false }),
      separator('approved', '', { id: 'yes', at, count: 2, isMine: true }),
      message('agent', 'Done', { at: at + 1_000 }),
    ]);
    const time = (await conversation.entry('yes').innerText()).trim();
    assert.match(time, /^You approved 2 actions · \d{1,2}:\d{2}/);
    const rejected = await conversation.entry('no').innerText();
    assert.match(rejected.trim(), /^1 action rejected · \d{1,2}:\d{2}.*$/);
    assert.match(
      (await conversation.entry('yes').getAttribute('aria-label')) ?? '',
      /^You approved 2 actions, /,
    );
    assert.deepEqual(await conversation.axe(), []);
    await takePicture(conversation.page, 'decided');
  });

  for (const theme of themes)
    it(`looks as it should in ${theme.name}`, async () => {
      for (const [width, height] of [
        [1280, 800],
        [400, 800],
        [640, 400],
      ] as const) {
        await reopen({ theme, width, height });
        await asking(width === 640 ? two : five);
        await conversation.frame();
        assert.deepEqual(await conversation.axe(), []);
        const overflow = await conversation.page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        );
        assert.ok(overflow <= 0, `${overflow}`);
        await takePicture(conversation.page, `approving-${theme.name}-${width}`);
        await wheel(60);
        await takePicture(conversation.page, `approving-end-${theme.name}-${width}`);
      }
    });
});
