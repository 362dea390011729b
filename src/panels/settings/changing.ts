import type { FormHost } from './formHost';
import type { OpenForm } from './openForm';

/** Changes the service, while nothing else of the form may. False if that ended unexpectedly, which the log tells. */
export async function changing(
  { ports }: Pick<FormHost, 'ports'>,
  open: OpenForm,
  work: () => Promise<void>,
): Promise<boolean> {
  open.saving = true;
  try {
    await work();
    return true;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    ports.log.error(`A change of the settings failed: ${text}`);
    return false;
  } finally {
    open.saving = false;
  }
}
