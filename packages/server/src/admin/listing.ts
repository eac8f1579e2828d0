import { type Caller, OAuthError, type Page, type PageRequest, type Sealer } from '@watchword/protocol';
import type { AdminAnswer, AdminRequest, QueryParameter } from './route.ts';

const defaultLimit = 100;
const maxLimit = 1000;

/** @param most how long a page may be */
export function pagingParameters(most: number = maxLimit): QueryParameter[] {
  return [
    {
      name: 'limit',
      description: 'At most so many records.',
      schema: { type: 'integer', minimum: 1, maximum: most, default: defaultLimit },
    },
    {
      name: 'cursor',
      description:
        'Where the list goes on: taken from the Link header of the page before, together with the same filters.',
      schema: { type: 'string' },
    },
  ];
}

export const linkNote =
  'As long as a Link header with rel="next" is there, the list goes on; a page may be shorter than the limit, or empty, and not be the last.';

export const totalNote = 'The first page of a list without a search has its whole length in X-Total-Count.';

export function searchParameter(of: string): QueryParameter {
  return {
    name: 'q',
    description: `Only records with this text in ${of}, whatever the case of its letters.`,
    schema: { type: 'string', maxLength: maxFilterLength },
  };
}

const maxFilterLength = 255;

/** A filter of the query. @throws OAuthError `invalid_request` */
export function filterOf({ query }: AdminRequest, name: string): string | undefined {
  const value = query.get(name) || undefined;
  if (value === undefined || value.length <= maxFilterLength) return value;
  throw new OAuthError('invalid_request', {
    description: `The parameter ${name} is longer than ${maxFilterLength} characters.`,
  });
}

interface ListDescription {
  readonly path: string;
  readonly filters: readonly string[];
  readonly maxLimit?: number;
  /** How long the whole list is; returned with its first page where no filter is given. */
  readonly total?: () => number;
}

/**
 * Answers a page of a list. The cursor is sealed for this caller, this list and these filters: what anybody else made
 * or got opens nothing.
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
  const limit = limitOf(query.get('limit'), list.maxLimit ?? maxLimit);
  const cursor = query.get('cursor');
  const after = cursor ? ((await sealer.open(purpose, cursor)) as Position | undefined) : undefined;
  if (cursor && after === undefined) {
    throw new OAuthError('invalid_request', {
      description: 'The cursor is not one of this list with these filters, or it is too old.',
    });
  }
  const { items, next } = await read({ limit, after });
  const body = items.map(show);
  const isFirst = after === undefined && filters.length === 0;
  const total = isFirst && list.total !== undefined ? { 'x-total-count': String(list.total()) } : {};
  if (next === undefined) return { status: 200, body, headers: total };
  const parameters = [
    ...filters,
    ['limit', String(limit)] as const,
    ['cursor', sealer.seal(purpose, next)] as const,
  ];
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { status: 200, body, headers: { ...total, link: `<${prefix}${list.path}?${search}>; rel="next"` } };
}

function limitOf(given: string | undefined, most: number): number {
  if (!given) return defaultLimit;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= most) return limit;
  throw new OAuthError('invalid_request', {
    description: `The parameter limit is no whole number from 1 to ${most}.`,
  });
}

function cursorPurpose(
  path: string,
  { identity, isAdministrator }: Caller,
  filters: readonly (readonly [string, string])[],
): string {
  return `cursor ${JSON.stringify([path, identity.authority, identity.name, isAdministrator, filters])}`;
}
