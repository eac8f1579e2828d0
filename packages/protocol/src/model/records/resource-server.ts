import type { StoredFields } from '../fields/field.ts';
import type { resourceServerFields } from '../fields/resource-server.ts';
import type { MachineSecret } from '../machine-secret.ts';

/**
 * An API that asks this server about tokens: its fields as {@link resourceServerFields} describes them, and what the
 * server keeps. `owner` and `ownerAuthority` are the two parts of an `Identity`.
 */
export interface ResourceServer extends StoredFields<typeof resourceServerFields> {
  readonly secret: MachineSecret;
  /** Grows with each change of the record. */
  readonly revision: number;
}
