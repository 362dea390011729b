import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createClient } from '../../src/api/service/client';
import { connect } from '../../src/features/connection/commands/connect';
import { switchConnection } from '../../src/features/connection/commands/switch';
import type { Connection } from '../../src/shared/connection';
import { closeServers, deadOrigin, json, serve } from '../unit/api/support/servers';

/** What a service answers that has settings. */
const settings = { llm_api_key_set: false };

describe('connecting the window', () => {
  const { createInputBox, createQuickPick } = vscode.window;
  afterEach(async () => {
    Object.assign(vscode.window, { createInputBox, createQuickPick });
    await closeServers();
  });

  const needsOf = (connections: Connection[] = []) => ({
    session: { current: { kind: 'none' }, reload: () => Promise.resolve() },
    keys: { get: (origin: string) => Promise.resolve(`key of ${origin}`), has: () => false },
    activeConnection: { of: () => connections[0], choose: () => assert.fail('none was chosen') },
    listConnections: () => ({ connections, problems: [] }),
    createClient: ({ baseUrl }: Connection, sessionKey: string) => createClient({ baseUrl, sessionKey }),
    focusConversations: () => Promise.resolve(),
    signInAt: () => Promise.reject(new Error('there is no such page')),
  });

  /** Enters an address, where one is given; returns what the box has and says, then leaves. */
  async function addressBox(address?: string, proposed?: unknown) {
    const accepting: (() => Promise<unknown>)[] = [];
    const hiding: (() => unknown)[] = [];
    const box = {
      value: '',
      validationMessage: '',
      onDidAccept: (accept: () => Promise<unknown>) => accepting.push(accept),
      onDidHide: (hide: () => unknown) => hiding.push(hide),
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      show: () => undefined,
      dispose: () => undefined,
    };
    const shown = new Promise<void>((resolve) => Object.assign(box, { show: resolve }));
    Object.assign(vscode.window, { createInputBox: () => box });
    const ended = connect(needsOf() as unknown as Parameters<typeof connect>[0])(proposed);
    await shown;
    if (address !== undefined) {
      box.value = address;
      await Promise.all(accepting.map((accept) => accept()));
    }
    const { value, validationMessage } = box;
    hiding.forEach((hide) => hide());
    await ended;
    return { value, says: validationMessage };
  }

  it('says that nothing responds at an address, and keeps what was typed', async () => {
    const address = await deadOrigin();
    const { value, says } = await addressBox(address);
    assert.match(says, /nothing is listening at this address/);
    assert.equal(value, address);
  });

  it('recognizes a web page', async () => {
    const page = await serve((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title>'),
    );
    const { says } = await addressBox(page.origin);
    assert.match(says, /There is no agent workspace service at this address/);
  });

  it('names a redirect’s target without following it', async () => {
    const target = await serve((_request, response) => json(response, settings));
    const moved = await serve((_request, response) =>
      response.writeHead(302, { location: `${target.origin}/there` }).end(),
    );
    const { says } = await addressBox(moved.origin);
    assert.match(says, new RegExp(`redirects to ${target.origin}\\.`));
    assert.deepEqual(target.requests, []);
  });

  it('proposes the address that a tab of a removed connection asks for', async () => {
    const { value } = await addressBox(undefined, { url: 'https://removed.example.com' });
    assert.equal(value, 'https://removed.example.com');
  });

  it('warns of a name that another connection has', async () => {
    const service = await serve((_request, response) => json(response, settings));
    const hiding: (() => unknown)[] = [];
    let change: (text: string) => unknown = () => undefined;
    const named = new Promise<vscode.InputBox>((resolve) => {
      const createBox = () => {
        let accept: () => unknown = () => undefined;
        const box = {
          value: '',
          validationMessage: undefined,
          onDidAccept: (listener: () => unknown) => (accept = listener),
          onDidHide: (listener: () => unknown) => hiding.push(listener),
          onDidChangeValue: (listener: typeof change) => (change = listener),
          onDidTriggerButton: () => undefined,
          show: () => {
            if (box.value === new URL(service.origin).host) resolve(box as unknown as vscode.InputBox);
            else {
              box.value = service.origin;
              setImmediate(() => accept());
            }
          },
          hide: () => undefined,
          dispose: () => undefined,
        };
        return box;
      };
      Object.assign(vscode.window, { createInputBox: createBox });
    });
    const url = 'https://other.example.com';
    const needs = needsOf([{ name: 'Team', baseUrl: url, origin: url }]);
    const ended = connect(needs as unknown as Parameters<typeof connect>[0])(undefined);
    const box = await named;
    const says = (text: string) => {
      change(text);
      return box.validationMessage;
    };
    assert.deepEqual(says(' Team '), {
      message: 'There’s already one with this name.',
      severity: vscode.InputBoxValidationSeverity.Warning,
    });
    assert.equal(says('Team 2'), undefined);
    hiding.forEach((hide) => hide());
    await ended;
  });

  it('checks each connection with its own key until the list is closed', async () => {
    const quick = await serve((_request, response) => json(response, settings));
    const slow = await serve(() => undefined);
    const connections = [quick, slow].map(({ origin }, index) => ({
      name: ['Team', 'Other'][index] ?? '',
      baseUrl: origin,
      origin,
    }));
    const hiding: (() => unknown)[] = [];
    let shows = () => undefined as unknown;
    const pick = {
      rows: [] as { label: string; detail: string }[],
      get items() {
        return pick.rows;
      },
      set items(items) {
        pick.rows = items;
        shows();
      },
      activeItems: [],
      value: '',
      onDidAccept: () => undefined,
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      onDidHide: (hide: () => unknown) => hiding.push(hide),
      show: () => undefined,
      dispose: () => undefined,
    };
    const checked = new Promise<void>((resolve) => {
      shows = () => pick.rows[0]?.detail === 'Available, key accepted' && resolve();
    });
    Object.assign(vscode.window, { createQuickPick: () => pick });
    const ended = switchConnection(
      needsOf(connections) as unknown as Parameters<typeof switchConnection>[0],
    )();
    await Promise.all([checked, slow.received(1)]);
    assert.deepEqual(
      pick.rows.map(({ label, detail }) => `${label}: ${detail}`),
      ['Team: Available, key accepted', 'Other: Checking…'],
    );
    const [request] = slow.requests;
    assert.equal(request?.socket.destroyed, false);
    const left = new Promise((resolve) => request.socket.once('close', resolve));
    hiding.forEach((hide) => hide());
    await Promise.all([ended, left]);
    for (const { origin, requests } of [quick, slow])
      for (const { headers } of requests) assert.equal(headers['x-session-api-key'], `key of ${origin}`);
  });
});
