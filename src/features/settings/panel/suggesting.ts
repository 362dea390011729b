import type { ApiClient } from '../../../api/service/client';
import type { SuggestedField } from '../shared/messages';
import type { OpenForm } from './openForm';
import type { FormPorts } from './ports';
import { errorWords } from '../../../editor/errorText';

interface Host {
  readonly open: OpenForm | undefined;
  readonly ports: FormPorts;
  show(): void;
}

/** Asks the service for suggestions, and sends each list to the form when it arrives. */
export async function suggest(host: Host, client: ApiClient, signal: AbortSignal): Promise<void> {
  const lists: [SuggestedField, Promise<string[]>][] = [
    ['llm_model', client.listModels(signal)],
    ['agent', client.listAgents(signal)],
    ['security_analyzer', client.listSecurityAnalyzers(signal)],
  ];
  await Promise.all(
    lists.map(async ([field, list]) => {
      try {
        const values = (await list).slice(0, 5_000);
        if (host.open?.client !== client) return;
        host.open.suggestions = { ...host.open.suggestions, [field]: values };
        host.show();
      } catch (error) {
        // Not every service has these lists; the field then has no suggestions.
        host.ports.log.info(`No suggestions for ${field}: ${errorWords(error)}`);
      }
    }),
  );
}
