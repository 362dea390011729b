import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/service/client';
import { toolIds } from '../../../src/ids';
import { Consents } from '../../../src/features/tools/consents';

const client = {} as ApiClient;
const question = (now: number) => ({
  title: 'Go?',
  lines: [`agent-server · ${Math.floor(now / 60_000)} min ago`],
});

describe('tool consents', () => {
  it('stay valid if only ages in the question change', () => {
    const consents = new Consents();
    consents.remember(toolIds.pauseSandbox, {}, { client, now: 59_000 }, question(59_000));
    consents.use(toolIds.pauseSandbox, {}, client, question);
    assert.throws(() => consents.use(toolIds.pauseSandbox, {}, client, question), /wasn’t asked/);
  });

  it('are used up by a call that doesn’t match', () => {
    const consents = new Consents();
    consents.remember(toolIds.pauseSandbox, {}, { client, now: 0 }, question(0));
    const changed = () => ({ title: 'Go?', lines: ['“Fix checkout”'] });
    assert.throws(() => consents.use(toolIds.pauseSandbox, {}, client, changed), /has changed since then/);
    assert.throws(() => consents.use(toolIds.pauseSandbox, {}, client, question), /wasn’t asked/);
  });

  it('are dropped after many newer requests', () => {
    const consents = new Consents();
    for (let index = 0; index < 51; index++)
      consents.remember(toolIds.pauseSandbox, { index }, { client, now: 0 }, question(0));
    assert.throws(() => consents.use(toolIds.pauseSandbox, { index: 0 }, client, question), /wasn’t asked/);
    consents.use(toolIds.pauseSandbox, { index: 1 }, client, question);
  });
});
