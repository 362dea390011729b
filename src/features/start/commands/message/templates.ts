import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../../editor/handler';
import { askPick, askText, back, confirmed } from '../../../../editor/inputs';
import { plainText } from '../../../../shared/plainText';
import { longestTemplate, mostTemplates, type Template, type Templates } from '../../model/templates';
import { presentDraft, type DraftNeeds } from './draft';

type Needs = DraftNeeds & { templates: Templates };

const longestName = 80;

/** Save as Template…: the message that is being written. */
export function saveTemplate(needs: Needs): Handler {
  return async () => {
    const { templates } = needs;
    const { text } = await presentDraft(needs);
    if (text.trim() === '') {
      tellNone(l10n.t('There is no message to save. Write one first.'));
      return;
    }
    if (text.length > longestTemplate) {
      const most = longestTemplate.toLocaleString();
      tellNone(l10n.t('A template can have up to {0} characters. This message is longer.', most));
      return;
    }
    const name = await askName(templates, templateLines(text)[0]);
    if (name === undefined) return;
    templates.save({ name, text });
    const saved = templates.named(name);
    const words =
      saved?.text === text
        ? l10n.t('Template “{0}” was saved on this computer.', name)
        : l10n.t('Template “{0}” was saved on this computer, without the secrets in it.', name);
    void vscode.window.showInformationMessage(words);
  };
}

const tellNone = (words: string) => void vscode.window.showInformationMessage(words);

/** A name that no template other than `own` has, unless the user wants to replace that. */
async function askName(templates: Templates, value: string, own?: Template): Promise<string | undefined> {
  const isOther = (text: string) => {
    const taken = templates.named(nameIn(text) ?? '');
    return taken !== undefined && taken.name !== own?.name;
  };
  const answer = await askText({
    title: own ? l10n.t('Rename Template') : l10n.t('Save as Template'),
    prompt: l10n.t('Name of the template'),
    placeholder: l10n.t('For example, Fix the login test'),
    value: plainText(value, longestName),
    validate: (text) => {
      if (nameIn(text) === undefined) return l10n.t('Enter a name of up to {0} characters.', longestName);
      if (!own && !isOther(text) && templates.all.length >= mostTemplates)
        return l10n.t('There are {0} templates already. Delete one first.', mostTemplates);
      return undefined;
    },
    warn: (text) =>
      isOther(text) ? l10n.t('A template with this name exists. It will be replaced.') : undefined,
  });
  return typeof answer === 'string' ? nameIn(answer) : undefined;
}

/** The name that a text makes, as it can be shown; undefined if it’s empty or too long. */
function nameIn(text: string): string | undefined {
  const name = plainText(text, longestName + 1);
  return name === '' || Array.from(name).length > longestName ? undefined : name;
}

/** The first line of a message, and enough of the rest to find it. */
export function templateLines(text: string): [first: string, rest: string] {
  const [first = '', ...rest] = text.trim().split('\n');
  return [plainText(first, 120), plainText(rest.join('\n'), 400)];
}

type Row = vscode.QuickPickItem & { text: string; template: Template };

/** A template as pickers show it. */
export function templateRow(template: Template): Row {
  const { name, text } = template;
  const detail = plainText(text, 400);
  return { label: plainText(name, longestName), detail, text, template };
}

/** Manage Templates…: inserts, renames, and deletes them. */
export function manageTemplates(needs: Needs): Handler {
  return async () => {
    for (;;) {
      const all = needs.templates.all;
      if (all.length === 0) {
        tellNone(l10n.t('No templates yet. Write a message, and run Save as Template.'));
        return;
      }
      const picked = await askPick({
        title: l10n.t('Templates'),
        placeholder: l10n.t('Select a template'),
        items: all.map(templateRow),
      });
      if (typeof picked !== 'object' || !(await change(needs, picked.template))) return;
    }
  };
}

/** Asks what to do with a template; whether to show them again. */
async function change(needs: Needs, template: Template): Promise<boolean> {
  const { templates } = needs;
  const name = plainText(template.name, longestName);
  const insert = { label: l10n.t('Insert into Message') };
  const rename = { label: l10n.t('Rename…') };
  const remove = { label: l10n.t('Delete') };
  const picked = await askPick<vscode.QuickPickItem>({
    title: l10n.t('Template {0}', name),
    placeholder: l10n.t('Select what to do'),
    canGoBack: true,
    items: [insert, rename, remove],
  });
  if (picked === insert) await (await presentDraft(needs)).insert(template.text);
  if (picked === rename) {
    const now = await askName(templates, template.name, template);
    if (now !== undefined) templates.save({ ...template, name: now }, template.name);
  }
  if (
    picked === remove &&
    (await confirmed(l10n.t('Delete “{0}”?', name), l10n.t('It’s on this computer only.'), l10n.t('Delete')))
  )
    templates.delete(template.name);
  return picked === back || picked === rename || picked === remove;
}
