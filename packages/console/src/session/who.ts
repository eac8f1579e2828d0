import type { Principal } from '@watchword/admin-client';

/** Distinguishes people, also those with the same name at different identity providers. */
export function personKey({ name, attributes }: Principal): string {
  return JSON.stringify([name, attributes.IDENTITY_PROVIDER ?? '']);
}
