import type { Page } from 'playwright-core';

/**
 * Everything that the editor keeps in the browser for this origin, as one text. Its state database (global and
 * workspace state, including drafts) is in IndexedDB; its secrets are encrypted in `localStorage`.
 */
export function browserStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
      });
    const text = (value: unknown): string =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? new TextDecoder().decode(value)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
    const parts = [...Object.entries(localStorage), ...Object.entries(sessionStorage)].flat();
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
        parts.push(name, store, ...keys.map(text), ...values.map(text));
      }
      database.close();
    }
    return parts.join('\n');
  });
}
