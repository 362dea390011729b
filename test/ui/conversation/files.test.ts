import assert from 'node:assert/strict';
import { agentFolders } from '../../../src/shared/agentFolders';
import { lifelike, message, read, step } from '../../support/conversation/entries';
import { type ConversationPage, openConversation } from './conversationPage';

const root = '/workspace/project/webshop';
const folders = agentFolders('northwind/webshop', null);

describe('files that a conversation names', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  openConversation((page) => (conversation = page));

  const edit = step(
    {
      step: 'edit',
      path: `${root}/src/slug.py`,
      isNew: true,
      added: 120,
      removed: 0,
      diff: [{ kind: 'added', text: 'x' }],
      hasContents: true,
    },
    { id: 'edit' },
  );

  it('are said by their paths in the repository, with all of the path in the tooltip', async () => {
    await conversation.begin([edit, read(`${root}/docs/a.md`, { id: 'read' })], { folders });
    const line = conversation.entry('edit').getByRole('button');
    assert.equal((await line.innerText()).trim(), 'Created src/slug.py +120');
    assert.equal(await line.locator('code').getAttribute('title'), `${root}/src/slug.py`);
    assert.match((await conversation.entry('read').getAttribute('aria-label')) ?? '', /^Read docs\/a\.md, /);
    await conversation.setHead({ folders: agentFolders('northwind/webshop', '/elsewhere') });
    assert.equal((await line.innerText()).trim(), 'Created src/slug.py +120');
    await conversation.setHead({ folders: agentFolders('', null) });
    assert.equal((await line.innerText()).trim(), 'Created webshop/src/slug.py +120');
  });

  it('open here if they’re here, from the line and by keyboard', async () => {
    const said = message('agent', 'See `src/slug.py:31`, `/etc/passwd`, and `slug()`.', { id: 'said' });
    await conversation.begin([edit, said], { folders });
    const { paths } = await conversation.next('locate');
    assert.deepEqual(paths.toSorted(), ['/workspace/project/webshop/src/slug.py', 'src/slug.py']);
    assert.equal(await conversation.entry('said').getByRole('link').count(), 0);
    await conversation.send({ type: 'located', paths });
    await conversation.entry('edit').locator('code').click();
    assert.deepEqual(await conversation.next('openFile'), {
      type: 'openFile',
      path: `${root}/src/slug.py`,
      id: 'edit',
      line: null,
    });
    assert.equal(await conversation.page.locator('pre.diff').count(), 0);
    await conversation.entry('said').focus();
    await conversation.entry('said').getByRole('link', { name: 'src/slug.py:31' }).press('Enter');
    assert.equal((await conversation.next('openFile')).line, 31);
    await conversation.entry('edit').focus();
    await conversation.page.keyboard.press('Enter');
    await conversation.button('Open File').click();
    assert.equal((await conversation.next('openFile')).path, `${root}/src/slug.py`);
    assert.deepEqual(await conversation.axe(), []);
  });

  it('are asked for once, and again when the extension starts over', async () => {
    await conversation.begin([...lifelike(), edit], { folders, execution: 'running' });
    await conversation.next('locate');
    await conversation.setHead({ cost: 3 });
    await conversation.frame();
    assert.equal((await conversation.waiting()).includes('locate'), false);
    await conversation.send({ type: 'restart' });
    await conversation.begin([edit], { folders });
    assert.deepEqual((await conversation.next('locate')).paths, [`${root}/src/slug.py`]);
  });
});
