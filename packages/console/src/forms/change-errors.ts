import { AdminError } from '@watchword/admin-client';

/** Whether another user has saved the record since it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof AdminError && error.code === 'precondition_failed';
}

/** The broken rules that the server names, `field: what is wrong`. */
export function violationsOf(error: unknown): readonly string[] {
  return error instanceof AdminError ? error.violations : [];
}
