import type { AdminRequest } from '../route.ts';

// Record ids begin with 1.
const noRecord = 0;
/** The id of no grant, session or token: a UUIDv7 begins with the time of its creation. */
export const noUuid = '00000000-0000-0000-0000-000000000000';

/** A record id of the path. */
export function recordId({ path }: AdminRequest, name: string): number {
  return recordIdOf(path[name] ?? '');
}

/** A text that cannot be a record id is the id of no record, so that it is not found. */
export function recordIdOf(given: string): number {
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : noRecord;
  return Number.isSafeInteger(id) ? id : noRecord;
}

/** The id of a grant or a session in the path. A text that cannot be an id is the id of none. */
export function uuid({ path }: AdminRequest): string {
  const given = path.id ?? '';
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : noUuid;
}
