import type { ApiClient } from '../api/client';
import type { HostMessage, SuggestedField } from '../shared/messages';
import type { FormHost } from './formHost';
import { errorWords } from './words';

/** Asks the service for what it proposes, and tells the form as it comes. */
export async function suggest(host: FormHost, client: ApiClient, signal: AbortSignal): Promise<void> {
  const lists: [SuggestedField, Promise<string[]>][] = [
    ['llm_model', client.listModels(signal)],
    ['agent', client.listAgents(signal)],
    ['security_analyzer', client.listSecurityAnalyzers(signal)],
  ];
  await Promise.all(
    lists.map(async ([field, list]) => {
      try {
        const message: HostMessage = { type: 'suggestions', field, values: (await list).slice(0, 5_000) };
        if (host.open?.client !== client) return;
        host.open.suggestions.push(message);
        host.ports.post(message);
      } catch (error) {
        // Not every service has these lists; the field is then typed without proposals.
        host.ports.log.info(`No suggestions for ${field}: ${errorWords(error)}`);
      }
    }),
  );
}
