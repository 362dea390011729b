import assert from 'node:assert/strict';
import { networkProblem } from '../../../src/shared/networkOptions';

describe('network options of a connection', () => {
  for (const options of [
    {},
    { caFile: '/etc/ca.pem' },
    { caFile: 'C:\\certs\\ca.pem' },
    { caFile: '\\\\server\\share\\ca.pem' },
    { certFile: '/a', keyFile: '/b' },
    { proxy: 'http://proxy.example.com:3128', noProxy: 'localhost' },
    { proxy: 'https://proxy.example.com' },
  ]) {
    it(`accept ${JSON.stringify(options)}`, () => assert.equal(networkProblem(options), undefined));
  }

  for (const [options, words] of [
    [{ caFile: 'ca.pem' }, /“caFile”.*absolute/],
    [{ caFile: '~/ca.pem' }, /“caFile”.*absolute/],
    [{ certFile: '/a', keyFile: './b' }, /“keyFile”.*absolute/],
    [{ certFile: '/a' }, /both “certFile” and “keyFile”/],
    [{ keyFile: '/a' }, /both “certFile” and “keyFile”/],
    [{ proxy: 'proxy.example.com:3128' }, /“proxy” must be an address/],
    [{ proxy: 'http://' }, /“proxy” must be an address/],
    [{ proxy: 'not an address' }, /“proxy” must be an address/],
    [{ proxy: 'http://:canary@proxy.example.com' }, /Remove the user name and password/],
    [{ proxy: 'socks5://proxy.example.com' }, /“proxy” must be an address/],
    [{ proxy: 'http://ada:canary@proxy.example.com' }, /user name and password.*editor’s own proxy setting/],
    [{ proxy: 'http://ada@proxy.example.com' }, /Remove the user name and password/],
  ] as const) {
    it(`refuse ${JSON.stringify(options)} with a message`, () => {
      const problem = networkProblem(options) ?? '';
      assert.match(problem, words);
      assert.ok(!problem.includes('canary'));
    });
  }
});
