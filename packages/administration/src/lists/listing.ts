import type { Sealer } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { filterOf, invalidParameter, maxFilterLength, numberOf } from '../requests/parameters.ts';
import type { AdminAnswer, AdminRequest, AnswerDescription, QueryParameter } from '../route.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

const defaultLimit = 100;
const maxLimit = 1000;

/** @param maximum records of a page */
export function pagingParameters(maximum: number = maxLimit): QueryParameter[] {
  return [
    {
      name: 'limit',
      description: 'The maximum number of records in a page.',
      schema: { type: 'integer', minimum: 1, maximum, default: defaultLimit },
    },
    {
      name: 'cursor',
      description:
        'The position at which the page begins: the cursor in the Link header of the previous page. The filters must be the same.',
      schema: { type: 'string' },
    },
  ];
}

export const linkNote =
  'The list continues while the answer has a Link header with rel="next". A page before the last one can be shorter than the limit, and is never empty.';

export const totalNote =
  'The first page of a list without filters has the length of the whole list in X-Total-Count.';

export function pageOf(items: QueryParameter['schema'], hasTotal = false): AnswerDescription {
  return {
    status: 200,
    description: 'A page of the list.',
    schema: { type: 'array', items },
    headers: hasTotal ? ['Link', 'X-Total-Count'] : ['Link'],
  };
}

export function searchParameter(of: string): QueryParameter {
  return {
    name: 'q',
    description: `Only records with this text in ${of}. Upper and lower case are the same, and white space at the ends of the text is ignored.`,
    schema: { type: 'string', maxLength: maxFilterLength },
  };
}

interface ListDescription {
  readonly path: string;
  readonly filters: readonly string[];
  /** Other parameters that the link to the next page keeps. */
  readonly kept?: readonly string[];
  readonly maxLimit?: number;
  /** The length of the whole list; returned with its first page when no filter is given. */
  readonly total?: () => number | Promise<number>;
}

/**
 * Answers a page of a list. The cursor is sealed for this caller, this list and these filters: no other cursor is
 * accepted.
 *
 * @throws OAuthError `invalid_request`
 */
export async function answerPage<Item, Position>(
  request: AdminRequest,
  list: ListDescription,
  sealer: Sealer,
  read: (page: PageRequest<Position>) => Promise<Page<Item, Position>>,
  show: (item: Item) => unknown,
): Promise<AdminAnswer> {
  const { query, caller, prefix } = request;
  const filters = list.filters.flatMap((name) => {
    const value = filterOf(request, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const purpose = cursorPurpose(list.path, caller, filters);
  const limit = numberOf(request, 'limit', list.maxLimit ?? maxLimit, defaultLimit);
  const cursor = query.get('cursor');
  const after = cursor ? ((await sealer.open(purpose, cursor)) as Position | undefined) : undefined;
  if (cursor && after === undefined) {
    throw invalidParameter('The cursor does not belong to this list with these filters, or it has expired.');
  }
  const { items, next } = await read({ limit, after });
  const body = items.map(show);
  const isFirst = after === undefined && filters.length === 0;
  const total = isFirst && list.total !== undefined ? { 'x-total-count': String(await list.total()) } : {};
  if (next === undefined) return { status: 200, body, headers: total };
  const parameters = [
    ...filters,
    ...(list.kept ?? [])
      .map((name) => [name, query.get(name) ?? ''] as const)
      .filter(([, value]) => value !== ''),
    ['limit', String(limit)] as const,
    ['cursor', sealer.seal(purpose, next)] as const,
  ];
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { status: 200, body, headers: { ...total, link: `<${prefix}${list.path}?${search}>; rel="next"` } };
}

function cursorPurpose(
  path: string,
  { identity, isAdministrator }: Caller,
  filters: readonly (readonly [string, string])[],
): string {
  return `cursor ${JSON.stringify([path, identity.identityProvider, identity.name, isAdministrator, filters])}`;
}

/** The pages of a list that is in memory, for {@link answerPage}. */
export function pageOfAll<Item>(all: readonly Item[]) {
  const numbered = all.map((item, index) => ({ item, position: index + 1 }));
  return (page: PageRequest<number>) =>
    readPage(page, {
      fetch: async (after = 0, limit) => numbered.slice(after, after + limit),
      positionOf: ({ position }) => position,
      pick: ({ item }) => item,
    });
}
