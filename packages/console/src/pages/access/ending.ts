import type { Grant } from '@watchword/admin-client';

/** What ends: one grant, or all of its person, of its client, or of the person to the client. */
export interface Ending {
  readonly of: 'one' | 'person' | 'client' | 'both';
  readonly grant: Grant;
}
