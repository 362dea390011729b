import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commandIds } from '../../src/ids';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

/** A server that isn’t an agent workspace service. */
async function webPage(): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

uiSuite('when something is wrong', (ui) => {
  const sandboxes = () => ui.workbench.view('Sandboxes');
  const conversations = () => ui.workbench.view('Conversations');

  async function addressCheckSays(url: string, words: string | RegExp, picture: string): Promise<void> {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor('Enter the address of the service');
    await quickInput.type(url);
    await quickInput.accept();
    await quickInput.waitForMessage(words);
    assert.equal(await quickInput.value(), url, 'what was typed stays');
    await ui.workbench.screenshot(`${picture}-${ui.profile}`);
    await quickInput.cancel();
  }

  /** Ends what's wrong, and tries again as the user would. */
  async function recover(): Promise<void> {
    ui.service.clearFailures();
    await conversations().welcome.getByRole('button', { name: 'Try Again' }).click();
    const [id] = [...ui.service.state.sandboxes.keys()];
    await sandboxes()
      .row(sandboxLabel(ui.service, id ?? ''))
      .waitFor();
  }

  it('reports that nothing responds at an address', async () => {
    const { url, server } = await webPage();
    await new Promise((resolve) => server.close(resolve));
    await addressCheckSays(url, 'nothing is listening at this address', 'trouble-nothing-answers');
  });

  it('recognizes a web page', async () => {
    const { url, server } = await webPage();
    await addressCheckSays(url, 'There is no agent workspace service at this address', 'trouble-web-page');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('names a redirect’s target without following it', async () => {
    ui.service.fail({
      times: 'always',
      effect: { kind: 'redirect', to: 'https://elsewhere.example.com/' },
    });
    await addressCheckSays(ui.service.url, 'elsewhere.example.com', 'trouble-redirect');
    ui.service.clearFailures();
  });

  it('keeps rows, marks them as stale, and recovers when the service is back', async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    const [id] = [...ui.service.state.sandboxes.keys()];
    await sandboxes()
      .row(sandboxLabel(ui.service, id ?? ''))
      .waitFor();
    ui.service.fail({
      times: 'always',
      path: '/api/v1/*',
      effect: { kind: 'answer', status: 503, text: 'down for a moment', headers: { 'retry-after': '0' } },
    });
    await sandboxes().clickTitleAction('Refresh');
    await conversations().message.getByText('Out of date: Team returned an error (HTTP 503)').waitFor();
    await sandboxes()
      .row(sandboxLabel(ui.service, id ?? ''))
      .waitFor();
    await ui.workbench.screenshot(`trouble-stale-${ui.profile}`);
    ui.service.clearFailures();
    await sandboxes().clickTitleAction('Refresh');
    await conversations().message.waitFor({ state: 'hidden' });
  });

  it('reports a refused key, keeps it, and offers the next step', async () => {
    ui.service.fail({
      times: 'always',
      effect: { kind: 'answer', status: 401, body: { error: 'unauthorized' } },
    });
    await ui.workbench.reload();
    await conversations().welcome.getByText('refused the session key').waitFor();
    await conversations().welcome.getByRole('button', { name: 'Set Session Key…' }).waitFor();
    await ui.workbench.screenshot(`trouble-key-refused-${ui.profile}`);
    await recover();
  });

  it('reports a stalled service, and tries again', async function () {
    // The client waits 30 s for a whole answer; the test doesn't shorten the product's limit.
    this.timeout(240_000);
    ui.service.fail({ times: 'always', effect: { kind: 'stallBeforeHeaders' } });
    await ui.workbench.reload();
    await conversations().welcome.getByText('took too long to answer').waitFor({ timeout: 200_000 });
    await ui.workbench.screenshot(`trouble-stalled-${ui.profile}`);
    await recover();
  });

  it('reports that the service is stopped', async () => {
    await ui.service.close();
    await ui.workbench.reload();
    await conversations().welcome.getByText('nothing is listening').waitFor();
    await ui.workbench.screenshot(`trouble-stopped-${ui.profile}`);
  });
});
