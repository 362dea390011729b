import * as z from 'zod/mini';
import * as l10n from '@vscode/l10n';
import { parseUrl } from './url';

/**
 * The settings record of the service (specification: "Settings"), as the form and the client both see it.
 * The three kinds of field never mix: plain values travel in clear, secrets only as intentions, and the rest is shown
 * and kept but never edited.
 */

const text = z.nullable(z.string());
const flag = z.boolean();
const optionalFlag = z.nullable(z.boolean());

/**
 * Fields that the form edits, with the strict schema of a value that may be sent. `null` means "use the service's
 * default". The specification gives no bounds; those below only refuse what cannot mean anything.
 */
export const plainFieldSchemas = {
  llm_model: text,
  llm_base_url: z.nullable(
    z.string().check(
      z.refine((value) => value === '' || isHttpUrl(value), {
        error: () => l10n.t('Enter an address that begins with http:// or https://, or leave it empty.'),
      }),
    ),
  ),
  agent: text,
  language: text,
  confirmation_mode: optionalFlag,
  security_analyzer: text,
  enable_default_condenser: flag,
  max_iterations: wholeNumber(),
  max_budget_per_task: z.nullable(
    z.number().check(z.gte(0, { error: () => l10n.t('Enter zero or a positive number.') })),
  ),
  remote_runtime_resource_factor: wholeNumber(),
  sandbox_base_container_image: text,
  sandbox_runtime_container_image: text,
  git_user_name: text,
  git_user_email: z.nullable(
    z.string().check(
      z.refine((value) => value === '' || /^[^\s@]+@[^\s@]+$/.test(value), {
        error: () => l10n.t('Enter an e-mail address such as ada@example.com, or leave it empty.'),
      }),
    ),
  ),
  enable_sound_notifications: flag,
  enable_proactive_conversation_starters: flag,
  enable_solvability_analysis: flag,
  user_consents_to_analytics: optionalFlag,
} as const;

function wholeNumber() {
  return z.nullable(
    z.number().check(
      z.refine((value) => Number.isSafeInteger(value) && value >= 1, {
        error: () => l10n.t('Enter a whole number of 1 or more.'),
      }),
    ),
  );
}

/** True for an absolute http or https URL with a host. */
export function isHttpUrl(value: string): boolean {
  const url = parseUrl(value);
  return url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

/** Wire name of a settings field that the form edits. */
export type PlainField = keyof typeof plainFieldSchemas;

/** Every plain field in the order of the form. */
export const plainFields = Object.keys(plainFieldSchemas) as PlainField[];

/** Values of the plain fields; `null` means the service's default. */
export type PlainValues = { [F in PlainField]: z.infer<(typeof plainFieldSchemas)[F]> };

/** Defaults of the specification ("Settings", column Default); "none" is null. */
export const plainDefaults: PlainValues = {
  llm_model: null,
  llm_base_url: null,
  agent: null,
  language: null,
  confirmation_mode: null,
  security_analyzer: null,
  enable_default_condenser: true,
  max_iterations: null,
  max_budget_per_task: null,
  remote_runtime_resource_factor: null,
  sandbox_base_container_image: null,
  sandbox_runtime_container_image: null,
  git_user_name: null,
  git_user_email: null,
  enable_sound_notifications: false,
  enable_proactive_conversation_starters: true,
  enable_solvability_analysis: true,
  user_consents_to_analytics: null,
};

/** Secret settings: their values are sent, never shown. */
export const secretFields = ['llm_api_key', 'search_api_key', 'sandbox_api_key'] as const;
export type SecretField = (typeof secretFields)[number];

/** Shown by the form, never edited; sent back as they came. */
export const shownFields = ['email', 'email_verified'] as const;
export type ShownField = (typeof shownFields)[number];

/** Only in the response of `GET /api/settings`; never sent. */
export const responseOnlyFields = ['llm_api_key_set', 'provider_tokens_set', 'search_api_key_set'] as const;

/** Whether the service holds a value for a secret. `unknown`: the service does not tell. */
export type SecretPresence = 'set' | 'notSet' | 'unknown';

/** What is to become of a secret at the next save. The new value itself stays in the extension host. */
export type SecretIntention = 'keep' | 'replace' | 'clear';
