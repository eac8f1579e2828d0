import type { AdminRequest } from './route.ts';

// Ids begin with 1, and those of tokens with the time at which they were issued.
const noRecord = 0;
const noToken = '00000000-0000-0000-0000-000000000000';

/** A record id of the path. A text that cannot be an id is the id of no record, so that it is not found. */
export function recordId({ path }: AdminRequest, name: string): number {
  const given = path[name] ?? '';
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : noRecord;
  return Number.isSafeInteger(id) ? id : noRecord;
}

/** The id of a token in the path. A text that cannot be an id is the id of no token. */
export function tokenId({ path }: AdminRequest): string {
  const given = path.id ?? '';
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : noToken;
}
