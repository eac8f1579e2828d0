// Below the 16 KiB that all headers of a request may have together.
const maxBytes = 8 * 1024;

const handlePattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The texts that wait in cookies of a browser, by their handles. A cookie is named `{name}_{handle}`.
 *
 * @param cookies all cookies of a request
 */
export function waitingTexts(
  cookies: Readonly<Record<string, string | undefined>>,
  name: string,
): ReadonlyMap<string, string> {
  const waiting = new Map<string, string>();
  for (const [cookie, value] of Object.entries(cookies)) {
    const handle = cookie.startsWith(`${name}_`) ? cookie.slice(name.length + 1) : '';
    if (handlePattern.test(handle) && value !== undefined) waiting.set(handle, value);
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
