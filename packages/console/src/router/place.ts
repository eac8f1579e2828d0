import { useSyncExternalStore } from 'react';
import { startRoute } from '../session/arrive.ts';
import { readFragment } from '../session/fragment.ts';

/** Where in the application one is: it stands behind the `#`, where the server never sees it. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const changed = 'watchword:place';
let route = startRoute;

/** Goes somewhere; `replace` leaves no step behind for the back button. */
export function goTo(to: string, { replace = false } = {}): void {
  if (to === route) return;
  route = to;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  window.dispatchEvent(new Event(changed));
}

/** Watches the address bar, for the back button and for what people type there. */
export function watchAddress(first: string): void {
  route = first;
  history.replaceState(null, '', `#${first}`);
  window.addEventListener('hashchange', () => {
    const fragment = readFragment(location.hash);
    // Nobody here asked for a token: what looks like an answer is erased and not read.
    if (fragment.kind === 'answer') history.replaceState(null, '', `#${route}`);
    else route = fragment.kind === 'route' ? fragment.route : startRoute;
    window.dispatchEvent(new Event(changed));
  });
}

export function currentRoute(): string {
  return route;
}

export function usePlace(): Place {
  const current = useSyncExternalStore(subscribe, currentRoute);
  return placeOf(current);
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
