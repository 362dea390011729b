import { ApiError } from '../../../api/http/errors';
import { agreesToEmpty } from './asking';
import type { FormHost } from './formHost';

/**
 * Reads again because the user asks. If the service says again that no settings are saved, the user decides whether to
 * believe it.
 */
export async function retry(host: FormHost): Promise<void> {
  const wasNoneSaved = saysNoneSaved(host.last?.failure);
  await host.load();
  const { last } = host;
  if (!wasNoneSaved || last?.client === undefined || !saysNoneSaved(last.failure)) return;
  const agreed = await agreesToEmpty(host.ports, last.client.baseUrl, 'open');
  if (agreed && host.last === last) await host.load();
}

function saysNoneSaved(failure: unknown): boolean {
  return failure instanceof ApiError && failure.reason === 'noneSaved';
}
