import assert from 'node:assert/strict';
import { imageName } from '../../../src/shared/imageName';

describe('a container image’s name', () => {
  for (const [id, name, from] of [
    ['ghcr.io/acme/agent:1.2@sha256:0a', 'agent:1.2', 'ghcr.io/acme'],
    ['agent', 'agent', ''],
    ['user@host/acme/agent', 'agent', 'user@host/acme'],
    ['acme/', 'acme/', ''],
    ['', '', ''],
  ] as const)
    it(`is split: ${id}`, () => assert.deepEqual(imageName(id), { name, from }));
});
