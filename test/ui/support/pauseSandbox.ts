import type { UiSuite } from '../../support/ui';
import { lastRequest } from './awaited';

/** Pauses a sandbox by its row’s button, and agrees if it’s asked about a working agent. */
export async function pauseSandbox(
  { service, workbench }: Pick<UiSuite, 'service' | 'workbench'>,
  label: string,
): Promise<void> {
  const say = (english: string) => workbench.words.say(english);
  const isPausing = service.waitForRequest(({ path }) => path.endsWith('/pause'), {
    after: lastRequest({ service }),
  });
  await workbench.view('Sandboxes').clickInline(label, say('Pause Sandbox'));
  const agree = workbench.dialog().getByRole('button', { name: say('Pause'), exact: true });
  const isAsked = agree.waitFor().then(
    () => true,
    () => false,
  );
  if (await Promise.race([isAsked, isPausing.then(() => false)])) await agree.click();
}
