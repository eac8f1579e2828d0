import { parseBearerValue } from '@watchword/protocol';
import { query, type Row } from '@watchword/testkit/postgresql';
import type { Cluster } from './cluster.ts';
import type { Ledger } from './ledger.ts';
import { lookUp, lookUpEverywhere } from './load/access-tokens.ts';
import type { Part } from './load/part.ts';
import { refresh } from './load/refreshes.ts';
import type { AnsweredToken } from './tokens.ts';

/** What the database has at the end. */
export interface DatabaseFigures {
  readonly accessTokens: number;
  /** Access tokens that no client was answered: their requests had no answer. */
  readonly unanswered: number;
  readonly grants: number;
}

const parallel = 8;

/** Holds the ledger against the cluster, which has recovered from all faults, and against its database. */
export async function check(part: Part, cluster: Cluster): Promise<DatabaseFigures> {
  const { ledger } = part;
  for (const [place, node] of cluster.nodes.nodes.entries()) {
    if (!node.isRunning) ledger.violate(`node ${place} ended, and nobody had killed it`);
  }
  await checkTokens(part);
  const figures = await checkDatabase(part, cluster.nodes.database);
  // Last, because it changes what the database has.
  await forEach([...part.families], async (family) => {
    if (family.ending.isImpossible) await refresh({ ...part, stop: new AbortController().signal }, family);
  });
  return figures;
}

/** Each token is valid, or has ended, or is one of both at every node. */
async function checkTokens(part: Part): Promise<void> {
  await forEach(part.tokens, async (token) => {
    if (token.state() !== 'either') {
      await lookUp(part, token);
      return;
    }
    const statuses = await lookUpEverywhere(part, token);
    if (new Set(statuses).size > 1) {
      part.ledger.violate(
        `a token without an answer to its revocation is ${statuses.join(', ')} at the nodes`,
      );
    }
  });
}

async function checkDatabase({ ledger, tokens }: Part, url: string): Promise<DatabaseFigures> {
  const read = (columns: string, table: string) => query(url, `select ${columns} from ${table}`);
  const accessTokens = byId(await read('id, verifier_hash, grant_id', 'access_token'));
  const refreshTokens = byId(await read('id, grant_id, rotated_at, successor_id', 'refresh_token'));
  const codes = byId(await read('id, grant_id, redeemed_at', 'authorization_code'));
  const grants = byId(await read('id, revoked_at', 'authorization_grant'));
  const grantsWithCode = new Set([...codes.values()].map((row) => hex(row.grant_id)));

  const known = new Set(
    tokens.filter(({ isJwt }) => !isJwt).map((token) => checkRow(ledger, token, accessTokens)),
  );
  // Those of the implicit grant are of the administrator, who logged in before the load.
  const unanswered = [...accessTokens].filter(
    ([id, { grant_id }]) => !known.has(id) && (grant_id === null || grantsWithCode.has(hex(grant_id))),
  ).length;
  const requests = lostRequests(ledger);
  if (unanswered > requests) {
    ledger.violate(
      `${unanswered} tokens are stored that nobody was answered, but ${requests} requests had no answer`,
    );
  }
  for (const [table, rows] of Object.entries({ accessTokens, refreshTokens, codes })) {
    const orphans = [...rows.values()].filter(
      (row) => row.grant_id !== null && !grants.has(hex(row.grant_id)),
    );
    if (orphans.length > 0) ledger.violate(`${orphans.length} rows of ${table} have no grant`);
  }
  checkGrants(ledger, { accessTokens, refreshTokens, codes, grants });
  return { accessTokens: accessTokens.size, unanswered, grants: grants.size };
}

/** Resolves with the id of the token. */
function checkRow(ledger: Ledger, token: AnsweredToken, rows: ReadonlyMap<string, Row>): string {
  const { id, verifierHash } = parseBearerValue('access', token.text) ?? {};
  const key = id?.replaceAll('-', '') ?? '';
  const stored = rows.get(key)?.verifier_hash;
  const isStored =
    stored instanceof Uint8Array && verifierHash !== undefined && hex(stored) === hex(verifierHash);
  if (token.state() === 'valid' && !isStored) ledger.violate('an answered token is not in the database');
  return key;
}

/** Each code and each refresh token of a grant that goes on was used once at most, and issued one access token. */
function checkGrants(
  ledger: Ledger,
  { accessTokens, refreshTokens, codes, grants }: Readonly<Record<string, ReadonlyMap<string, Row>>>,
): void {
  const of = (rows: ReadonlyMap<string, Row> | undefined) =>
    Object.groupBy(rows?.values() ?? [], (row) => (row.grant_id === null ? '' : hex(row.grant_id)));
  const [issued, rotating, redeemable] = [of(accessTokens), of(refreshTokens), of(codes)];
  for (const [id, grant] of grants ?? []) {
    const redeemed = redeemable[id]?.filter((row) => row.redeemed_at !== null);
    if (redeemed === undefined || grant.revoked_at !== null) continue;
    const refreshes = rotating[id] ?? [];
    const used = refreshes.filter((row) => row.rotated_at !== null);
    const successors = new Set(used.map((row) => hex(row.successor_id)));
    const tokens = issued[id]?.length ?? 0;
    if (redeemed.length + used.length !== tokens) {
      ledger.violate(
        `a grant has ${tokens} access tokens for ${redeemed.length} codes and ${used.length} refreshes`,
      );
    }
    if (refreshes.length - used.length > 1 || successors.size !== used.length) {
      ledger.violate(`a grant has ${refreshes.length - used.length} refresh tokens that can be used`);
    }
  }
}

/** Requests for tokens that had no answer: each can have stored one. */
function lostRequests(ledger: Ledger): number {
  const kinds = ['issue', 'redeem', 'refresh', 'refresh again'] as const;
  return ledger.count(kinds, 503) + ledger.count(kinds, 'broken');
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [hex(row.id), row]));
}

function hex(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

async function forEach<Value>(
  values: readonly Value[],
  work: (value: Value) => Promise<unknown>,
): Promise<void> {
  const next = values.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const value of next) await work(value);
    }),
  );
}
