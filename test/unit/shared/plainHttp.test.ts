import assert from 'node:assert/strict';
import { plainHttpWarning } from '../../../src/shared/plainHttp';

describe('warning about an unencrypted address', () => {
  for (const address of [
    'http://agents.example.com',
    ' http://10.0.0.7:3000/team ',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    // Some resolvers look this name up beyond this computer.
    'http://agents.localhost',
  ]) {
    it(`appears for ${address}`, () => assert.match(plainHttpWarning(address) ?? '', /isn’t encrypted/));
  }

  for (const address of [
    'https://agents.example.com',
    'http://localhost:3000',
    'http://127.1:3000',
    'http://[::1]:3000',
    'http://',
    'agents',
    '',
  ]) {
    it(`does not appear for “${address}”`, () => assert.equal(plainHttpWarning(address), undefined));
  }
});
