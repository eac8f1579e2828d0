import type { AdminRequest } from './route.ts';

// Record ids begin with 1, and a UUIDv7 with the time of its creation.
const noRecord = 0;
const noUuid = '00000000-0000-0000-0000-000000000000';

/** A record id of the path. */
export function recordId({ path }: AdminRequest, name: string): number {
  return recordIdOf(path[name] ?? '');
}

/** A text that cannot be a record id is the id of no record, so that it is not found. */
export function recordIdOf(given: string): number {
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : noRecord;
  return Number.isSafeInteger(id) ? id : noRecord;
}

/** The id of a token or a grant in the path. A text that cannot be an id is the id of none. */
export function uuid({ path }: AdminRequest): string {
  return idOf(path.id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
}

/** The id of an access token: of a JWT, a UUID and a sealed text. */
export function tokenId({ path }: AdminRequest): string {
  return idOf(path.id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[\w-]+\.[\w-]+)?$/);
}

function idOf(given = '', pattern: RegExp): string {
  return pattern.test(given) ? given : noUuid;
}
