import type { Principal } from '@watchword/admin-client';

/** Tells people apart, also those who have one name at different identity providers. */
export function personKey({ name, attributes }: Principal): string {
  return JSON.stringify([name, attributes.IDENTITY_PROVIDER ?? '']);
}
