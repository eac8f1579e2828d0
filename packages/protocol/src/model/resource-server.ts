import type { MachineSecret } from './machine-secret.ts';
import type { Scopes } from './scope.ts';

/** An API that asks this server about tokens, and the scopes that its clients may be given. */
export interface ResourceServer {
  readonly id: number;
  readonly name: string;
  /** User name of its HTTP Basic credentials; issued on creation, never changed. */
  readonly key: string;
  readonly secret: MachineSecret;
  readonly description: string;
  readonly scopes: Scopes;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
  /** Principal name of the creator. */
  readonly owner: string;
  /** Whose principal of that name it is (see `Identity`). */
  readonly ownerAuthority: string;
  /** Grows with each change of the record. */
  readonly revision: number;
}
