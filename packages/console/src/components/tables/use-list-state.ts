import { goTo, routeTo, usePlace } from '../../router/place.ts';
import type { Sorting } from './rows.ts';

/** Search, order and page of a list: they stand in the address, so that a link or the back button brings them back. */
export interface ListState {
  readonly q: string;
  readonly sorting: Sorting;
  readonly page: number;
  /** Another parameter of the address. */
  get(name: string): string;
  /** Changes parameters, and goes back to the first page. */
  set(changes: Readonly<Record<string, string>>): void;
  setSorting(sorting: Sorting): void;
  setPage(page: number): void;
}

export function useListState(standard: Sorting): ListState {
  const { path, query } = usePlace();
  const change = (changes: Readonly<Record<string, string | undefined>>, replace: boolean) => {
    goTo(routeTo(path, { ...Object.fromEntries(query), ...changes }), { replace });
  };
  return {
    q: query.get('q') ?? '',
    sorting: {
      key: query.get('sort') ?? standard.key,
      isDescending: query.has('sort') ? query.get('order') === 'down' : standard.isDescending,
    },
    page: Number(query.get('page') ?? 1) || 1,
    get: (name) => query.get(name) ?? '',
    // The back button ends a filter or a whole search, and does not go through its letters.
    set: (changes) => change({ ...changes, page: undefined }, changes.q !== undefined && query.has('q')),
    setSorting: ({ key, isDescending }) =>
      change({ sort: key, order: isDescending ? 'down' : undefined, page: undefined }, true),
    setPage: (page) => change({ page: page === 1 ? undefined : String(page) }, false),
  };
}
