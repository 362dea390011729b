import assert from 'node:assert/strict';
import { SettingsApp } from '../../../../src/features/settings/page/app';
import type { Form } from '../../../../src/features/settings/page/model';
import type { Kept } from '../../../../src/features/settings/page/state';
import { settingsPage } from '../../../../src/features/settings/page/view/page';
import type {
  HostMessage,
  ShownForm,
  WebviewMessage,
} from '../../../../src/features/settings/shared/messages';
import type { McpServer } from '../../../../src/shared/mcp';
import { drawn } from '../../../support/drawn';
import { formMessage, sampleModel } from '../../../ui/form/samples';

/** The page of the settings without a browser, as the extension told it. */
export function drawnForm(...messages: HostMessage[]) {
  const kept: (Kept | null)[] = [];
  const posted: WebviewMessage[] = [];
  const focused: string[] = [];
  const nothing = () => undefined;
  const app = new SettingsApp(
    {
      post: (message) => posted.push(message),
      focus: (...ids) => focused.push(ids.join(' or ')),
      reveal: (section) => focused.push(`section ${section}`),
      ...{ keep: (one) => kept.push(one), draw: nothing, later: (act) => act() },
    },
    null,
  );
  for (const message of messages) app.receive(message);
  const now = () => {
    const page = drawn(() => settingsPage(app));
    assertNamed(page.html);
    assertDistinct(page.html);
    return page;
  };
  /** What a step of the user asks of the extension. */
  const asks = (act: () => void) => {
    posted.length = 0;
    act();
    return posted.map(({ type }) => type);
  };
  const form = (): Form => {
    const { phase } = app.state;
    assert.ok(phase.at === 'form');
    return phase.form;
  };
  return {
    ...{ app, posted, focused, kept, now, asks, form },
    asked: (name: string, index?: number) => asks(() => now().press(name, index)),
    /** A click on the element of this id. */
    click: (id: string) => now().dispatch(`id="${id}"`, 'click'),
    /** Types a text into the control of this id, or selects it there. */
    type: (id: string, value: string) => now().dispatch(`id="${id}"`, 'input', { target: { value } }),
    /** The tag of this id; undefined if nothing has it. */
    tag: (id: string) => new RegExp(`<[\\w-]+\\b[^>]*\\bid="${id}"[^>]*>`).exec(now().html)?.[0],
    /** The servers of the form as they’re edited. */
    servers: () => form().rows.map(({ server }) => server),
  };
}

/** Fails if two elements have the same id, or if one is labeled or described by an element that isn’t there. */
function assertNamed(html: string): void {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
  // The control of such an element is drawn by itself.
  const drawnLater = [...html.matchAll(/<aw-combobox\b[^>]*field="([^"]+)"/g)].map(
    ([, name]) => `field-${name}`,
  );
  const there = new Set([...ids, ...drawnLater]);
  const named = [...html.matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]*)"/g)].flatMap(
    ([, all]) => all!.split(' '),
  );
  assert.deepEqual(
    // Not every row has a reason why something can’t be done.
    named.filter((id) => !there.has(id) && !id.endsWith('-reason')),
    [],
  );
}

/** Fails if two buttons have the same name and the same description, so that nobody can tell them apart by ear. */
function assertDistinct(html: string): void {
  const buttons = [...html.matchAll(/<button\b([^>]*)>([^]*?)<\/button>/g)].map(
    ([, tag = '', content = '']) =>
      [
        /aria-label="([^"]*)"/.exec(tag)?.[1] ?? content.replace(/<[^>]*>/g, '').trim(),
        /aria-labelledby="([^"]*)"/.exec(tag)?.[1] ?? '',
        /aria-describedby="([^"]*)"/.exec(tag)?.[1] ?? '',
      ].join('|'),
  );
  assert.deepEqual(
    buttons.filter((one, at) => buttons.indexOf(one) !== at),
    [],
  );
}

/** The page of a form with these servers. */
export const withServers = (mcpServers: McpServer[], change: Partial<ShownForm> = {}) =>
  drawnForm(formMessage(sampleModel({ mcpServers }), change));
