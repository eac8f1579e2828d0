import { useSyncExternalStore } from 'react';
import { startRoute } from '../session/arrive.ts';
import { readFragment } from '../session/fragment.ts';

/** The current place in the application. It is the fragment of the address, which the server never gets. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A step of the history of this window. */
export interface HistoryEntry {
  readonly route: string;
  /** Distinguishes steps, also those to the same place. */
  readonly step: number;
  /** Scroll position of the page when the user left this step; `undefined` for a new step. */
  readonly top: number | undefined;
}

const changed = 'watchword:place';
const tops = new Map<number, number>();
// Steps before a reload are still in the history, so a new step must have another number.
let steps = Date.now();
let entry: HistoryEntry = { route: startRoute, step: steps, top: undefined };

/** Opens a route. With `replace`, the back button does not return to the current one. */
export function goTo(to: string, { replace = false } = {}): void {
  if (to === entry.route) return;
  if (replace) {
    history.replaceState(history.state, '', `#${to}`);
    arriveAt({ ...entry, route: to });
  } else {
    leave();
    steps += 1;
    history.pushState({ step: steps }, '', `#${to}`);
    arriveAt({ route: to, step: steps, top: undefined });
  }
}

/** Watches the address bar: links, the back button, and addresses that the user types. */
export function watchAddress(first: string): void {
  // This file restores the scroll position, because the page is not rendered yet when the browser would do it.
  history.scrollRestoration = 'manual';
  entry = { route: first, step: steps, top: undefined };
  history.replaceState({ step: steps }, '', `#${first}`);
  window.addEventListener('hashchange', () => {
    const fragment = readFragment(location.hash);
    // This window did not request a token, so an answer in the address is removed and not read.
    if (fragment.kind === 'answer') history.replaceState({ step: entry.step }, '', `#${entry.route}`);
    else followAddress(fragment.kind === 'route' ? fragment.route : startRoute);
  });
}

/** After the browser has followed a link, or has gone back. */
function followAddress(route: string): void {
  leave();
  const { step: known } = (history.state ?? {}) as { readonly step?: number };
  if (known === undefined) {
    steps += 1;
    history.replaceState({ step: steps }, '');
  }
  const step = known ?? steps;
  arriveAt({ route, step, top: tops.get(step) });
}

function leave(): void {
  tops.set(entry.step, window.scrollY);
}

function arriveAt(next: HistoryEntry): void {
  entry = next;
  window.dispatchEvent(new Event(changed));
}

export function currentRoute(): string {
  return entry.route;
}

export function usePlace(): Place {
  return placeOf(useSyncExternalStore(subscribe, currentRoute));
}

export function useHistoryEntry(): HistoryEntry {
  return useSyncExternalStore(subscribe, () => entry);
}

export function placeOf(text: string): Place {
  const [path = '', query = ''] = text.split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

/** A route with its query; members that are empty are left out. */
export function routeTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The values of a pattern's `:names`, none of which is empty, when the path fits it. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index] ?? '');
    if (value === undefined) return undefined;
    if (part.startsWith(':') && value !== '') values[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return values;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  return () => window.removeEventListener(changed, listener);
}

// Milliseconds after which the page is taken for complete.
const patience = 5000;

const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to where the user was, as soon as the page is long enough for it, unless the user moves before.
 *
 * @returns gives it up
 */
export function scrollBack(top: number): () => void {
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) <= 1) giveUp();
  });
  const timer = setTimeout(giveUp, patience);
  function giveUp() {
    clearTimeout(timer);
    observer.disconnect();
    for (const type of ownMoves) window.removeEventListener(type, giveUp);
  }
  // It is called once at the beginning too.
  observer.observe(document.body);
  for (const type of ownMoves) window.addEventListener(type, giveUp, { passive: true });
  return giveUp;
}
