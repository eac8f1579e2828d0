import { AdminError } from '@watchword/admin-client';

/** What the server answers where another record has the value of a field already. */
const taken: readonly (readonly [message: RegExp, field: string])[] = [
  [/^There is a record with the key /, 'key'],
  [/^There is a record with the clientId /, 'clientId'],
  [/^There is an account with this username /, 'username'],
  [/^The owner has a resource server of this name /, 'name'],
];

/** Whether another user has saved the record since it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof AdminError && error.code === 'precondition_failed';
}

/** The broken rules that the server names, `field: what is wrong`; that a value is taken is one of them. */
export function violationsOf(error: unknown): readonly string[] {
  if (!(error instanceof AdminError)) return [];
  const [, field] = taken.find(([message]) => error.code === 'conflict' && message.test(error.message)) ?? [];
  return field === undefined ? error.violations : [`${field}: ${error.message}`];
}
