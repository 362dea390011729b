import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/service/client';
import type { DeviceAuthorization, DeviceSignIn } from '../../api/service/deviceSignIn';
import type { Connection, Organization } from '../../shared/connection';
import { sentences } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import { askPick, type Answer, type InputStep } from '../inputs';
import type { KeptSignIn } from '../keptSignIn';
import { openAddress } from '../openAddress';
import { showError, unlessCanceled } from '../progress';

/** How users prove who they are. */
export type SignInWay = 'signIn' | 'key';

/** Asks whether to sign in or to enter a key. */
export async function askWay(connection: Connection, step: InputStep): Promise<Answer<SignInWay>> {
  const items: (vscode.QuickPickItem & { way: SignInWay })[] = [
    {
      label: l10n.t('Sign In with Your Browser…'),
      detail: l10n.t('You get a code to enter on a page of the service'),
      way: 'signIn',
    },
    { label: l10n.t('Enter an API Key…'), way: 'key' },
  ];
  const placeholder = l10n.t('Select how to sign in to {0}', plainText(connection.name, 60));
  const answer = await askPick({ ...step, placeholder, items });
  return typeof answer === 'object' ? answer.way : answer;
}

/**
 * Signs in in the browser. Undefined if the user cancels or declines, or the code expires, which a message says. Throws
 * an ApiError if the service can’t be asked. Until the end, only what is needed to continue after a reload is stored.
 * @param kept undefined for what can’t be continued after a reload
 * @param left a sign-in that was begun before a reload
 */
export async function askSignIn(
  at: DeviceSignIn,
  connection: Connection,
  kept?: Pick<KeptSignIn, 'keep' | 'forget'>,
  left?: DeviceAuthorization,
): Promise<string | undefined> {
  const service = plainText(connection.name, 60);
  for (let resumed = left; ; resumed = undefined) {
    const begun =
      resumed ??
      (await unlessCanceled(
        l10n.t('Signing in to {0}…', service),
        async (_report, signal) => (await at.begin(signal)) ?? 'notOffered',
      ));
    if (begun === undefined) return undefined;
    if (begun === 'notOffered') {
      void vscode.window.showWarningMessage(l10n.t('{0} doesn’t offer to sign in in the browser.', service));
      return undefined;
    }
    if (!resumed && !(await openPage(begun, service))) return undefined;
    await kept?.keep(connection, begun);
    const title = l10n.t('Waiting for you to enter the code {0} in the browser…', begun.userCode);
    const ended = await unlessCanceled(title, (_report, signal) => at.finish(begun, signal)).finally(() =>
      kept?.forget(),
    );
    if (!ended) return undefined;
    if (ended.kind === 'signedIn') return ended.token;
    const again = l10n.t('Try Again');
    const picked = await vscode.window.showWarningMessage(
      ended.kind === 'denied'
        ? l10n.t('The sign-in to {0} was declined in the browser.', service)
        : l10n.t('The code to sign in to {0} has expired.', service),
      again,
    );
    if (picked !== again) return undefined;
  }
}

/** Shows the code, and opens the page where it’s entered. False if the user doesn’t want to, or it can’t be opened. */
async function openPage({ userCode, page }: DeviceAuthorization, service: string): Promise<boolean> {
  if (!page) {
    void vscode.window.showErrorMessage(
      l10n.t('{0} sends you to a page that can’t be opened safely, so nothing was opened.', service),
    );
    return false;
  }
  const { url, isOwn } = page;
  const copy = l10n.t('Copy Code and Open Browser');
  const open = l10n.t('Open Browser');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('Your code is {0}', userCode),
    {
      modal: true,
      detail: sentences(
        l10n.t('Enter it at {0} to sign in to {1}.', url.origin + plainText(url.pathname, 100), service),
        isOwn
          ? ''
          : l10n.t('This page isn’t on the service’s own address. Continue only if you know {0}.', url.host),
        l10n.t('Enter a code only if you requested it here.'),
      ),
    },
    copy,
    open,
  );
  if (picked === copy) await vscode.env.clipboard.writeText(userCode);
  if (picked === undefined) return false;
  await openAddress(url);
  return true;
}

/** The user’s organizations; undefined if the user leaves, or they can’t be read, which a message says. */
export async function organizationsAt(
  client: Pick<ApiClient, 'listOrganizations'>,
): Promise<Organization[] | undefined> {
  try {
    const title = l10n.t('Reading…');
    return await unlessCanceled(title, (_report, signal) => client.listOrganizations(signal));
  } catch (error) {
    void showError(l10n.t('Couldn’t read your organizations.'), error);
    return undefined;
  }
}

/** An organization’s name as one line, which is never empty. */
const organizationName = ({ id, name }: Organization): string => plainText(name, 80) || plainText(id, 80);

/** Asks which organization to work for; those with the same name are told apart by their ids. */
export async function askOrganization(
  organizations: readonly Organization[],
  connection: Connection,
): Promise<Organization | undefined> {
  const names = organizations.map(organizationName);
  const isAlone = (name: string) => names.filter((other) => other === name).length === 1;
  const answer = await askPick({
    title: l10n.t('Organization on {0}', plainText(connection.name, 60)),
    placeholder: l10n.t('Select the organization to work for'),
    items: organizations.map((organization, at) => {
      const label = names[at] ?? '';
      return { label, ...(!isAlone(label) && { description: plainText(organization.id, 80) }), organization };
    }),
    isCurrent: ({ organization }) => organization.id === connection.organization?.id,
  });
  return typeof answer === 'object' ? answer.organization : undefined;
}
