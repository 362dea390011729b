import type * as vscode from 'vscode';
import { allGenerations, type Generation, type GenerationMemory } from '../api/service/generation';
import { containersState, generationState, updatedServiceState } from '../ids';

/** A memory that also knows when a service was updated. */
export interface RememberedGenerations extends GenerationMemory {
  /** True once after a service of the first generation has become one of the current. */
  takeUpdate(baseUrl: string): boolean;
}

/** Remembers, for all windows, the generation of the service at each base URL. */
export function rememberedGenerations(
  memento: Pick<vscode.Memento, 'get' | 'update'>,
): RememberedGenerations {
  /** What this window saw, even if the memento fails. */
  const here = new Map<string, Generation>();
  const get = (baseUrl: string): Generation | undefined => {
    const value = here.get(baseUrl) ?? memento.get<unknown>(generationState(baseUrl));
    return allGenerations.find((generation) => generation === value);
  };
  return {
    get,
    set: (baseUrl, generation) => {
      if (get(baseUrl) === 'first' && generation === 'current')
        void memento.update(updatedServiceState(baseUrl), true);
      here.set(baseUrl, generation);
      void memento.update(generationState(baseUrl), generation);
    },
    hasContainers: (baseUrl) => memento.get<unknown>(containersState(baseUrl)) === true,
    setHasContainers: (baseUrl, has) => {
      if (memento.get<unknown>(containersState(baseUrl)) !== has)
        void memento.update(containersState(baseUrl), has);
    },
    takeUpdate: (baseUrl) => {
      const isUpdated = memento.get<unknown>(updatedServiceState(baseUrl)) === true;
      if (isUpdated) void memento.update(updatedServiceState(baseUrl), undefined);
      return isUpdated;
    },
  };
}
