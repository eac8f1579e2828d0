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
    const part = partOf(pair, name);
    if (part === undefined) continue;
    const parts = waiting.get(part.handle) ?? [];
    parts[part.index] ??= pair.slice(part.name.length + 1);
    waiting.set(part.handle, parts);
  }
  return new Map([...waiting].map(([handle, parts]) => [handle, parts.join('')]));
}

/**
 * The cookies in which texts wait, as the browser sent them. Each pair is read once, because anybody can send a thousand.
 *
 * @param handles absent: of all texts
 */
export function waitingPairs(
  pairs: readonly string[],
  name: string,
  handles?: ReadonlySet<string>,
): WaitingCookie[] {
  return pairs.flatMap((pair) => {
    const part = partOf(pair, name);
    if (part === undefined || handles?.has(part.handle) === false) return [];
    return [{ name: part.name, value: pair.slice(part.name.length + 1) }];
  });
}

interface WaitingPart {
  /** Of the cookie. */
  readonly name: string;
  readonly handle: string;
  readonly index: number;
}

function partOf(pair: string, name: string): WaitingPart | undefined {
  if (!pair.startsWith(`${name}_`)) return undefined;
  const own = pair.slice(0, Math.max(0, pair.indexOf('=')));
  const [, handle, index = '0'] = namePattern.exec(own.slice(name.length + 1)) ?? [];
  return handle === undefined ? undefined : { name: own, handle, index: Number(index) };
}

/**
 * The handles of the oldest texts, which are removed so that there is space for one more. A user who repeats a login many
 * times, or in many windows, must not get headers that are too large for a server. Handles are ordered by time.
 */
export function outdatedHandles(waiting: ReadonlyMap<string, string>, added: string): ReadonlySet<string> {
  let bytes = added.length;
  const outdated = [...waiting]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .filter(([handle, text]) => {
      bytes += handle.length + text.length;
      return bytes > maxBytes;
    });
  return new Set(outdated.map(([handle]) => handle));
}
