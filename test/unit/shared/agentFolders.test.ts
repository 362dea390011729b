import assert from 'node:assert/strict';
import { agentFolders, isPlainPath, pathWithin, shortPath } from '../../../src/shared/agentFolders';
import { everyCase } from '../../support/everyCase';

describe('paths of an agent', () => {
  it('are short below the repository, else below the agent’s folder', () =>
    everyCase(
      [
        ['northwind/webshop', null, '/workspace/project/webshop/src/slug.py', 'src/slug.py'],
        ['northwind/webshop', '/workspace/project', '/workspace/project/other/a.py', 'other/a.py'],
        ['northwind/webshop', '/home/me/webshop', '/home/me/webshop/src/a.py', 'src/a.py'],
        ['northwind/webshop', '/data/c-1', '/data/c-1/webshop/a.py', 'a.py'],
        ['', '/home/me/code/', '/home/me/code/src/a.py', 'src/a.py'],
        ['group/team/webshop', null, '/workspace/project/webshop/a', 'a'],
        ['northwind/webshop', null, '/workspace/project/webshopping/a', 'webshopping/a'],
        ['northwind/webshop', null, '/etc/hosts', '/etc/hosts'],
        ['northwind/webshop', null, 'src/a.py', 'src/a.py'],
        ['', '/', '/etc/hosts', '/etc/hosts'],
        ['', 'C:\\code', 'C:\\code\\a.py', 'C:\\code\\a.py'],
        ['northwind/webshop', null, '/workspace/project/webshop', 'webshop'],
        ['northwind/webshop', null, '', ''],
      ] as const,
      ([repository, folder, path]) => [repository, folder, path].join(' '),
      ([repository, folder, path, short]) =>
        assert.equal(shortPath(path, agentFolders(repository, folder)), short),
    ));

  it('that may lead elsewhere stay as they are', () => {
    const { own } = agentFolders('northwind/webshop', null);
    for (const below of ['../a', 'a/../../b', './a', 'a//b', 'a/', '', '..', 'a\\..\\b']) {
      assert.equal(isPlainPath(below), false, below);
      assert.equal(pathWithin(`/workspace/project/webshop/${below}`, own), undefined, below);
    }
  });
});
