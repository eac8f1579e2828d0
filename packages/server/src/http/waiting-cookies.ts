import { waitingLimits } from '@watchword/protocol';

// What several may have together. One alone may have more (`waitingLimits`), and then is alone.
const maxBytes = 8 * 1024;

const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9]))?$/;

/** A cookie that holds a part of a text that waits. */
export interface WaitingCookie {
  readonly name: string;
  readonly value: string;
}

/** The cookies in which a text waits: `{name}_{handle}`, and where that is not enough `{name}_{handle}.1` and so on. */
export function waitingCookies(name: string, handle: string, text: string): WaitingCookie[] {
  const { length } = waitingLimits;
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) => ({
    name: `${name}_${handle}${index === 0 ? '' : `.${index}`}`,
    value: text.slice(index * length, (index + 1) * length),
  }));
}

/**
 * The texts that wait in cookies of a browser, by their handles. Of two cookies of one name the first one counts; a
 * text of which a part is missing cannot be opened.
 *
 * @param pairs `name=value` of all cookies of a request
 */
export function waitingTexts(pairs: readonly string[], name: string): ReadonlyMap<string, string> {
  const waiting = new Map<string, string[]>();
  for (const pair of pairs) {
    if (!pair.startsWith(`${name}_`)) continue;
    const equals = pair.indexOf('=');
    const [, handle = '', index = '0'] = namePattern.exec(pair.slice(name.length + 1, equals)) ?? [];
    if (handle === '') continue;
    const parts = waiting.get(handle) ?? [];
    parts[Number(index)] ??= pair.slice(equals + 1);
    waiting.set(handle, parts);
  }
  return new Map([...waiting].map(([handle, parts]) => [handle, parts.join('')]));
}

/** The names of the cookies in which the text of a handle waits. */
export function waitingNames(pairs: readonly string[], name: string, handle: string): string[] {
  const names = pairs.map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))));
  return names.filter((own) => own === `${name}_${handle}` || own.startsWith(`${name}_${handle}.`));
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
