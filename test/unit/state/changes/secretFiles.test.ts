import assert from 'node:assert/strict';
import { secretSign } from '../../../../src/state/changes/secretFiles';

const sign = (path: string, text = '') => secretSign(path, Buffer.from(text));

describe('files that look like secrets', () => {
  it('are known by their names', () => {
    for (const path of [
      '.env',
      'app/.env.local',
      '.ENV',
      '.envrc',
      '.env-prod',
      'deploy/prod.env',
      '.vault-token',
      'id_rsa',
      'certs/server.key',
      'x.pem',
      '.npmrc',
      'secrets.yaml',
      'credentials',
      'terraform.tfstate',
    ])
      assert.equal(sign(path), 'name', path);
    for (const path of [
      '.env.example',
      '.envrc.sample',
      'example.env',
      '.environment',
      'src/key.ts',
      'environment.ts',
      'secret-santa.md',
      'keyboard.keys',
      'env',
    ])
      assert.equal(sign(path), undefined, path);
  });

  it('are known by keys in them', () => {
    const texts = [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----',
      `id: AKIAA1B2C3D4E5F6G7H8`,
      `token=ghp_${'a1'.repeat(18)}`,
      `sk-proj-${'x'.repeat(24)}`,
      `glpat-${'x'.repeat(20)}`,
    ];
    for (const text of texts) assert.equal(sign('src/config.ts', `before\n${text}\nafter`), 'content', text);
    for (const text of [
      '-----BEGIN PUBLIC KEY-----',
      'task-management-of-many-things',
      'AKIA',
      'password = "x"',
    ])
      assert.equal(sign('src/config.ts', text), undefined, text);
  });

  it('don’t matter when they are deleted', () => {
    assert.equal(secretSign('.env', null), undefined);
  });
});
