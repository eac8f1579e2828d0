import type { Client } from '../model/client.ts';
import type { Identity } from '../model/resource-owner.ts';

/** Numbers for people to look at. Each question costs little however many tokens there are. */
export interface StatisticsStore {
  /** Counts what lives among the newest tokens and the newest grants of one client, looking at `limit` of each. */
  countOf(client: Pick<Client, 'id' | 'tokensValidFrom'>, now: number, limit: number): Promise<ClientCounts>;
  /** Adds to what was counted before. */
  addIssued(counts: readonly IssuedCount[]): Promise<void>;
  /** Tokens issued in each hour by each grant type; an hour without any is left out. */
  issued(query: IssuedQuery): Promise<IssuedInHour[]>;
}

export interface ClientCounts {
  readonly tokens: number;
  /** Persons with a living grant. */
  readonly resourceOwners: number;
  /** How many tokens and grants were looked at. */
  readonly read: number;
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

export interface IssuedQuery {
  /** The first hour. */
  readonly from: number;
  /** The hour after the last. */
  readonly until: number;
  /** Only tokens of clients, deleted ones too, whose resource server this one owns. */
  readonly owner?: Identity;
}
