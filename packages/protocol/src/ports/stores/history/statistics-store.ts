import type { Client } from '../../../model/records/client.ts';
import type { Identity } from '../../../model/resource-owner.ts';
import type { Scopes } from '../../../model/scope.ts';

/** Statistics for people. The cost of each query has a bound that does not depend on the number of tokens. */
export interface StatisticsStore {
  /** Counts the valid tokens and grants of one client, among its newest `limit` tokens and its newest `limit` grants. */
  countOf(client: Pick<Client, 'id' | 'tokensValidFrom'>, now: number, limit: number): Promise<ClientCounts>;
  /**
   * What resource owners gave each of these clients by valid grants among its newest `limit` grants; a client without one is left out.
   * One query for all of them.
   */
  accessTo(
    clients: readonly Pick<Client, 'id' | 'tokensValidFrom'>[],
    now: number,
    limit: number,
  ): Promise<ClientAccess[]>;
  /** Adds the numbers to the stored counts, all or none. Thousands at a time keep no other write waiting for long. */
  addIssued(counts: readonly IssuedCount[]): Promise<void>;
  /** Notes when secrets of clients were last used. An earlier time changes nothing, so nodes can note in any order. */
  noteSecretUses(uses: readonly SecretUse[]): Promise<void>;
  /** When the secrets of a client were last used, in epoch milliseconds by id; one that was never used is left out. */
  secretUses(clientRecordId: number): Promise<ReadonlyMap<number, number>>;
  /** Tokens issued in each hour by each grant type; an hour without issued tokens is left out. */
  issued(query: IssuedQuery): Promise<IssuedInHour[]>;
  /** The numbers of tokens issued to each of these clients; a client to which none was issued is left out. */
  issuedTo(clientRecordIds: readonly number[], hours: Hours): Promise<IssuedToClient[]>;
  /**
   * The clients to which most tokens were issued, among those that were of the busiest clients of an hour. At most `limit`, the
   * busiest first.
   */
  busiest(hours: Hours, limit: number): Promise<IssuedToClient[]>;
}

export interface ClientCounts {
  readonly tokens: number;
  /** Resource owners with a valid grant. */
  readonly resourceOwners: number;
  /** Number of tokens and grants that were read. */
  readonly read: number;
}

export interface ClientAccess {
  readonly clientRecordId: number;
  /** Resource owners with such a grant. */
  readonly resourceOwners: number;
  /** The scopes of these grants, each combination once. */
  readonly scopes: readonly Scopes[];
}

export interface SecretUse {
  readonly clientRecordId: number;
  readonly secretId: number;
  /** Epoch milliseconds. */
  readonly lastUsed: number;
}

export interface IssuedCount extends IssuedInHour {
  readonly clientRecordId: number;
}

export interface IssuedInHour {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly grantType: string;
  readonly tokens: number;
}

/** Hours since the epoch. */
export interface Hours {
  /** The first hour. */
  readonly from: number;
  /** The hour after the last. */
  readonly until: number;
}

export interface IssuedToClient {
  readonly clientRecordId: number;
  /** Tokens issued in these hours. */
  readonly tokens: number;
  /** Hours since the epoch: the last one in which a token was issued, also before these hours. */
  readonly lastHour: number;
}

export interface IssuedQuery extends Hours {
  /** Only tokens of clients, also deleted ones, of the resource servers of this owner. */
  readonly owner?: Identity;
}
