import { placeOfUrl } from './url';

/** Names without a prefix that LiteLLM knows the provider of. Others, such as `deepseek-chat`, need a prefix. */
const wellKnown: readonly (readonly [name: RegExp, provider: string])[] = [
  [/^(?:(?:ft:)?gpt-|chatgpt-|codex-|o\d(?:-|$))/, 'openai'],
  [/^claude-/, 'anthropic'],
  // The prefix `gemini/` is for another service of Google’s, with other keys.
  [/^gemini-/, 'vertex_ai'],
];

const plainName = (model: string) => model.trim().toLowerCase();

/**
 * The provider that a model's key goes to while no address is set, as LiteLLM names it: `openai` for `openai/gpt-5` and
 * for `gpt-5`. '' if the model's name doesn't say.
 */
export function modelProvider(model: string): string {
  const name = plainName(model);
  const [prefix = '', ...rest] = name.split('/');
  return rest.length > 0 ? prefix : (wellKnown.find(([form]) => form.test(name))?.[1] ?? '');
}

/** Where a model's key goes: to the origin of its address, else to a provider. */
export interface ModelPlace {
  /** '' for the provider's own address. */
  origin: string;
  /** '' if it isn't known. */
  provider: string;
  /** The model’s name; '' for the service’s default. */
  model: string;
}

/** @param address empty or null for the provider's own */
export const modelPlace = (
  model: string | null | undefined,
  address: string | null | undefined,
): ModelPlace => ({
  origin: placeOfUrl(address ?? ''),
  provider: modelProvider(model ?? ''),
  model: plainName(model ?? ''),
});

/** A place as text, which is the model’s name where nothing else is known; '' if that isn't, either. */
export const placeName = ({ origin, provider, model }: ModelPlace): string => origin || provider || model;

/** Whether a key could go to somebody else. A provider that isn't known is the same only for the same model. */
export function goesElsewhere(from: ModelPlace, to: ModelPlace): boolean {
  if (from.origin !== to.origin) return true;
  if (to.origin !== '') return false;
  return from.provider !== to.provider || (to.provider === '' && from.model !== to.model);
}
