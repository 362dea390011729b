import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandIds, configurationSection, contextKeys, settingIds, viewIds } from '../../src/ids';

const root = resolve(__dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const words = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = JSON.parse(text) as {
  contributes: {
    commands: { command: string; enablement?: string }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome: { view: string; contents: string; when: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    configuration: { properties: Record<string, { scope: string; default: unknown }> };
  };
};
const sorted = (values: Iterable<string>) => [...values].sort();

describe('the manifest', () => {
  it('has the commands of the code, and no other', () => {
    assert.deepEqual(
      sorted(contributes.commands.map(({ command }) => command)),
      sorted(Object.values(commandIds)),
    );
  });

  it('has the views of the code, and no other', () => {
    const ids = Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id));
    assert.deepEqual(sorted(ids), sorted(Object.values(viewIds)));
  });

  it('has the settings of the code, out of reach of a workspace', () => {
    const { properties } = contributes.configuration;
    const ids = Object.values(settingIds).map((id) => `${configurationSection}.${id}`);
    assert.deepEqual(sorted(Object.keys(properties)), sorted(ids));
    for (const [id, { scope }] of Object.entries(properties)) assert.equal(scope, 'application', id);
  });

  it('asks in its conditions only for context keys that the code sets', () => {
    const known = new Set<string>(Object.values(contextKeys));
    const conditions = [
      ...contributes.commands.map(({ enablement }) => enablement),
      ...contributes.viewsWelcome.map(({ when }) => when),
      ...Object.values(contributes.menus).flatMap((menu) => menu.map(({ when }) => when)),
    ];
    for (const condition of conditions) {
      for (const [key] of (condition ?? '')
        .replace(/== agentWorkspace\.\w+/g, '')
        .matchAll(/agentWorkspace\.\w+/g)) {
        assert.ok(known.has(key), `${key} in “${condition}”`);
      }
    }
  });

  it('has words for everything, and none too many', () => {
    const used = [...text.matchAll(/"%([^"%]+)%"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
  });

  it('links in its welcome texts to commands that exist', () => {
    const commands = new Set<string>(Object.values(commandIds));
    for (const [key, value] of Object.entries(words)) {
      for (const [, id] of value.matchAll(/\(command:(agentWorkspace\.[\w.]+)/g)) {
        assert.ok(commands.has(id ?? ''), `${id} in ${key}`);
      }
    }
  });

  it('offers every command that is not for a row alone in the palette', () => {
    const hidden = contributes.menus['commandPalette']?.map(({ command }) => command);
    assert.deepEqual(hidden, [commandIds.viewLoadMore]);
  });
});
