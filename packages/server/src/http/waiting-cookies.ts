import { waitingLimits } from '@watchword/protocol';

// Bytes that several waiting texts can have together. A single text can have more (`waitingLimits`).
const maxBytes = 8 * 1024;

const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9]))?$/;

/** A cookie with a part of a waiting text. */
export interface WaitingCookie {
  readonly name: string;
  readonly value: string;
}

/** The cookies of a waiting text: `{name}_{handle}`, then if needed `{name}_{handle}.1` and so on. */
export function waitingCookies(name: string, handle: string, text: string): WaitingCookie[] {
  const { length } = waitingLimits;
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) => ({
    name: `${name}_${handle}${index === 0 ? '' : `.${index}`}`,
    value: text.slice(index * length, (index + 1) * length),
  }));
}

/**
 * The texts that wait in cookies of a browser, by their handles. Of two cookies with the same name the first is used. A text
 * with a missing part cannot be opened.
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
 * The handles of the texts to remove, the oldest first, so that there is space for one more. A user who repeats a login many
 * times, or in many windows, must not get headers that are too large for a server. Handles are ordered by time.
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
