import { useSyncExternalStore } from 'react';
import { startRoute } from '../session/arrive.ts';
import { readFragment } from '../session/fragment.ts';

/** Where in the application one is: it stands behind the `#`, where the server never sees it. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A step of the history of this window. */
export interface Visit {
  readonly route: string;
  /** Distinguishes steps, also those to the same place. */
  readonly step: number;
  /** How far down the page was when this step was left; `undefined` when it is a new one. */
  readonly top: number | undefined;
}

const changed = 'watchword:place';
const tops = new Map<number, number>();
// Steps of the document before a reload are still in the history: none of them is to have the number of a new one.
let steps = Date.now();
let visit: Visit = { route: startRoute, step: steps, top: undefined };

/** Goes somewhere; `replace` leaves no step behind for the back button. */
export function goTo(to: string, { replace = false } = {}): void {
  if (to === visit.route) return;
  if (replace) {
    history.replaceState(history.state, '', `#${to}`);
    arriveAt({ ...visit, route: to });
  } else {
    leave();
    steps += 1;
    history.pushState({ step: steps }, '', `#${to}`);
    arriveAt({ route: to, step: steps, top: undefined });
  }
}

/** Watches the address bar, for links, for the back button and for what people type there. */
export function watchAddress(first: string): void {
  // How far down a page was is put back by us: when the browser would do it, the page is not there yet.
  history.scrollRestoration = 'manual';
  visit = { route: first, step: steps, top: undefined };
  history.replaceState({ step: steps }, '', `#${first}`);
  window.addEventListener('hashchange', () => {
    const fragment = readFragment(location.hash);
    // This window did not ask for a token: an answer in the address is erased and not read.
    if (fragment.kind === 'answer') history.replaceState({ step: visit.step }, '', `#${visit.route}`);
    else followAddress(fragment.kind === 'route' ? fragment.route : startRoute);
  });
}

/** After the browser itself has gone along a link, or back. */
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
  tops.set(visit.step, window.scrollY);
}

function arriveAt(next: Visit): void {
  visit = next;
  window.dispatchEvent(new Event(changed));
}

export function currentRoute(): string {
  return visit.route;
}

export function usePlace(): Place {
  return placeOf(useSyncExternalStore(subscribe, currentRoute));
}

export function useVisit(): Visit {
  return useSyncExternalStore(subscribe, () => visit);
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

/** The values of a pattern's `:names` when the path fits it. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) values[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return values;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  return () => window.removeEventListener(changed, listener);
}
