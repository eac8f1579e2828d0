import type { ResourceServerRecord, ResourceServerRegistration } from '@watchword/administration';
import type { Identity } from '@watchword/protocol';
import type { ListedRows } from '../command/output.ts';
import type { ListOptions } from '../command/paging.ts';
import type { AccountTools } from './accounts.ts';
import type { Dependents } from './dependents.ts';

export interface ListedTokens extends ListOptions<string | undefined> {
  /** The clientId. */
  readonly client: string | undefined;
}

/**
 * What a command does on a database that it cannot do over the network: it sets owners and passwords, and reads whole tables.
 * Records have the JSON names of the administration interface.
 */
export interface OnDatabase {
  readonly accounts: AccountTools;
  createResourceServer(
    fields: Partial<ResourceServerRegistration>,
    chosen: { readonly owner: Identity | undefined; readonly key: string | undefined },
  ): Promise<ResourceServerRecord & { readonly secret: string }>;
  changeOwner(resourceServerId: number, owner: Identity): Promise<ResourceServerRecord>;
  dependentsOfResourceServer(id: number): Promise<Dependents>;
  dependentsOfClient(id: number): Promise<Dependents>;
  oldestTokens(options: ListedTokens): Promise<ListedRows>;
  /** The error of a request that was not found: the database has only a part of them. */
  unexplained(error: unknown): unknown;
}
