import { ApiError } from '../../../api/http/errors';
import type { CustomSecret, CustomSecretCalls } from '../../../api/service/current/customSecrets';

/**
 * Gives a custom secret another value. Release 1.8 refuses to replace one, so there it's deleted and added again
 * (docs/protocol/generations.md, “Custom secrets”). It can be called again after any failure, and continues from there.
 *
 * @param deleted called when the old value is gone, before the new one is sent
 */
export async function replaceSecret(
  client: Pick<CustomSecretCalls, 'saveSecret' | 'deleteSecret'>,
  secret: CustomSecret & { value: string },
  deleted: () => void,
): Promise<void> {
  try {
    await client.saveSecret(secret);
  } catch (error) {
    if (!isTaken(error)) throw error;
    await client.deleteSecret(secret.name);
    deleted();
    await client.saveSecret(secret);
  }
}

/** True for the one refusal that deleting the secret fixes. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 400 &&
    error.serverText?.endsWith(' already exists') === true
  );
}
