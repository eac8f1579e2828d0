// Below the 16 KiB that all headers of a request may have together.
const maxBytes = 8 * 1024;

const handlePattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The texts that wait in cookies of a browser, by their handles. A cookie is named `{name}_{handle}`; of two of one name
 * the first one counts.
 *
 * @param pairs `name=value` of all cookies of a request
 */
export function waitingTexts(pairs: readonly string[], name: string): ReadonlyMap<string, string> {
  const waiting = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals === -1 || !pair.startsWith(`${name}_`)) continue;
    const handle = pair.slice(name.length + 1, equals);
    if (handlePattern.test(handle) && !waiting.has(handle)) waiting.set(handle, pair.slice(equals + 1));
  }
  return waiting;
}

/**
 * The handles of those that have to go so that one more can come, the oldest first: somebody who tries again and
 * again, or in many windows, must not end with headers that no server takes. Handles are ordered by time.
 */
export function outdatedHandles(waiting: ReadonlyMap<string, string>, added: string): string[] {
  let bytes = added.length;
  return [...waiting]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .filter(([handle, text]) => {
      bytes += handle.length + text.length;
      return bytes > maxBytes;
    })
    .map(([handle]) => handle);
}
