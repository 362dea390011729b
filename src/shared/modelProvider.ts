import { placeOfUrl } from './url';

/** Names that the public services take without a prefix. */
const wellKnown: readonly (readonly [name: RegExp, provider: string])[] = [
  [/^(?:gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'gemini'],
];

/**
 * The provider that a model's key goes to while no address is set, as LiteLLM names it: `openai` for `openai/gpt-5` and
 * for `gpt-5`. '' if the model's name doesn't say.
 */
export function modelProvider(model: string): string {
  const name = model.trim().toLowerCase();
  const [prefix = '', ...rest] = name.split('/');
  return rest.length > 0 ? prefix : (wellKnown.find(([form]) => form.test(name))?.[1] ?? '');
}

/** Where a model's key goes: to the origin of its address, else to a provider. */
export interface ModelPlace {
  /** '' for the provider's own address. */
  origin: string;
  /** '' if it isn't known. */
  provider: string;
}

/** @param address empty or null for the provider's own */
export const modelPlace = (
  model: string | null | undefined,
  address: string | null | undefined,
): ModelPlace => ({
  origin: placeOfUrl(address ?? ''),
  provider: modelProvider(model ?? ''),
});

/** A place as text; '' if it isn't known. */
export const placeName = ({ origin, provider }: ModelPlace): string => origin || provider;

/** Whether a key would go to somebody else. A provider that isn't known is taken for the same. */
export function goesElsewhere(from: ModelPlace, to: ModelPlace): boolean {
  if (from.origin !== to.origin) return true;
  return to.origin === '' && from.provider !== to.provider && from.provider !== '' && to.provider !== '';
}
