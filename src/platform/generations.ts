import type * as vscode from 'vscode';
import type { Generation, GenerationMemory } from '../api/service/generation';
import { generationState } from '../ids';

const generations: readonly unknown[] = ['first', 'current', 'agentServer'] satisfies Generation[];

/** Remembers for all windows of which generation the service at each base URL is. */
export function rememberedGenerations(memento: Pick<vscode.Memento, 'get' | 'update'>): GenerationMemory {
  /** What this window saw, whatever becomes of the memento. */
  const here = new Map<string, Generation>();
  const stored = (baseUrl: string): Generation | undefined => {
    const value = memento.get<unknown>(generationState(baseUrl));
    return generations.includes(value) ? (value as Generation) : undefined;
  };
  return {
    get: (baseUrl) => here.get(baseUrl) ?? stored(baseUrl),
    set: (baseUrl, generation) => {
      here.set(baseUrl, generation);
      void memento.update(generationState(baseUrl), generation);
    },
  };
}
