import { authenticateResourceServer } from '../clients/authentication/authenticate-resource-server.ts';
import { basicCredentials } from '../clients/authentication/client-secret-basic.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { secretMatches } from '../clients/authentication/machine-secret.ts';
import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { JwtClaims, TokenSigner } from '../ports/crypto/token-signer.ts';
import { nodeClockTolerance } from '../ports/system/clock.ts';
import type { RecentRevocations, Revocations } from '../tokens/revocations/recent-revocations.ts';
import {
  type CursorAt,
  certainUntil,
  cursorsOf,
  formatCursor,
  parseCursor,
  type RevocationCursor,
} from '../tokens/revocations/revocation-cursor.ts';
import { ofResourceServer, type RevokedKey, revokedClaim } from '../tokens/revocations/revocation-list.ts';
import { WholeLists } from '../tokens/revocations/whole-lists.ts';
import type { WholeRevocations } from '../tokens/revocations/whole-revocations.ts';

/** The resource server of a request that waits, and its owner. */
export type WaitingResourceServer = Pick<ResourceServer, 'id' | 'owner' | 'ownerAuthority'>;

/** Lets requests wait for revocations. */
export interface RevocationWaits {
  /**
   * Resolves with whether anything can have changed since the last read, of any node; `false` after the time, when too many
   * requests wait, and when the server ends. Then a read has ended shortly before.
   *
   * @param isOver whether the request need not wait any longer for another reason
   * @param deadline monotonic milliseconds
   * @throws StoreUnavailableError
   */
  forChange(server: WaitingResourceServer, isOver: () => boolean, deadline: number): Promise<boolean>;
}

export interface RevocationFeedDependencies extends AuthenticationDependencies {
  readonly recent: RecentRevocations;
  readonly whole: WholeRevocations;
  readonly waits: RevocationWaits;
  readonly signer: TokenSigner;
  /** The issuer identifier of this server (RFC 8414 §2). */
  readonly issuer: string;
  /** Compromised keys of tokens that could still be valid. */
  readonly revokedKeys: () => readonly RevokedKey[];
  /** Milliseconds that only go forward. */
  readonly monotonic: () => number;
}

export interface RevocationsRequest {
  /** The cursor of the list that the caller has; `undefined` if it has none. */
  readonly since: string | undefined;
  /** Milliseconds. */
  readonly wait: number;
  /** Whether the caller gets a signed answer also if nothing has changed. */
  readonly isSigned: boolean;
}

/** `list` is `undefined` if nothing has changed, and the caller did not ask for a signature of that. */
export interface RevocationsAnswer {
  readonly cursor: string;
  readonly list: string | Uint8Array | undefined;
}

export type RevocationsEndpoint = (
  head: RequestHead,
  request: RevocationsRequest,
) => Promise<RevocationsAnswer>;

/** Milliseconds after which a caller gets a new cursor, although nothing has changed. */
const cursorAge = 120_000;
const mostChanges = 5000;

/** What a caller can be told of a moment. */
interface View {
  readonly cursor: RevocationCursor;
  readonly entries: Revocations;
  readonly keys: readonly RevokedKey[];
}

/**
 * Answers a resource server with the revocations that concern JWT access tokens of its clients: as a signed list, or what has
 * changed since the list that it has. It can wait for a change (RFC 7240 §4.3).
 *
 * @throws OAuthError `invalid_client`, `not_found`, `too_many_requests`, StoreUnavailableError, or an error of the key management
 */
export function revocationsEndpoint(deps: RevocationFeedDependencies): RevocationsEndpoint {
  const { monotonic, recent, registry, revokedKeys, waits } = deps;
  const cursorAt = cursorsOf(recent);
  const changesSince = changesOf(deps, cursorAt);
  const answer = signedAnswers(deps, cursorAt, changesSince);
  return async (head, { since = '', wait, isSigned }) => {
    const deadline = monotonic() + wait;
    const { id } = await authenticateResourceServer(head, deps);
    const cursor = parseCursor(since);
    answer.forgetOld();
    await recent.refresh();
    for (let hasWaited = false; ; ) {
      const server = currentServer(id, head, deps);
      const view = cursor && changesSince(id, cursor);
      if (cursor === undefined || view === undefined) return answer.whole(id);
      if (view.cursor !== cursor)
        return isMany(view.entries) ? answer.whole(id) : answer.changes(server.key, view, since);
      if (hasWaited) {
        if (!isSigned && recent.readAt - cursor.time < cursorAge) return { cursor: since, list: undefined };
        const renewed = cursorAt(recent.readAt, id, view.entries, view.keys);
        return answer.changes(server.key, { cursor: renewed, entries: nothing, keys: [] }, since);
      }
      const isOver = () => {
        const { accessTokenFormat, secret } = registry.resourceServerById(id) ?? {};
        return accessTokenFormat !== 'jwt' || secret !== server.secret;
      };
      const { version } = recent;
      const keys = revokedKeys().length;
      const isChanged = () => isOver() || recent.version !== version || revokedKeys().length !== keys;
      hasWaited = !(await waits.forChange(server, isChanged, deadline));
    }
  };
}

/** What has been revoked since the cursor, for the clients of a resource server; `undefined` if that is not known. */
type ChangesSince = (resourceServerId: number, cursor: RevocationCursor) => View | undefined;

function changesOf(
  { recent, registry, revokedKeys }: RevocationFeedDependencies,
  cursorAt: CursorAt,
): ChangesSince {
  return (id, cursor) => {
    const { readAt } = recent;
    if (cursor.time > readAt + nodeClockTolerance) return undefined;
    const all = recent.since(certainUntil(cursor.time));
    if (all === undefined) return undefined;
    const keys = revokedKeys();
    const entries = ofResourceServer(all, id, registry);
    const isSame = cursorAt(cursor.time, id, entries, keys).digest === cursor.digest;
    return { cursor: isSame ? cursor : cursorAt(readAt, id, entries, keys), entries, keys };
  };
}

/** More changes are answered as the whole list, whose bytes all callers share. */
function isMany({ grants, tokens, clients }: Revocations): boolean {
  return grants.length + tokens.length + clients.length > mostChanges;
}

function signedAnswers(deps: RevocationFeedDependencies, cursorAt: CursorAt, changesSince: ChangesSince) {
  const { clock, issuer, recent, registry, revokedKeys, whole } = deps;
  const sign = signerOfLists(deps.signer);
  const signShared = sharedLists(sign);
  const claimsOf = (key: string, cursor: RevocationCursor) => ({
    iss: issuer,
    aud: key,
    // Not when it was signed: a revocation can have been committed since.
    iat: Math.floor(cursor.time / 1000),
    cursor: formatCursor(cursor),
  });
  const wholeLists = new WholeLists(
    async (id) => {
      const server = registry.resourceServerById(id);
      if (server === undefined) throw new OAuthError('invalid_client');
      const keys = revokedKeys();
      const { readAt } = recent;
      const latest = ofResourceServer(recent.since(certainUntil(readAt)) ?? nothing, id, registry);
      const cursor = cursorAt(readAt, id, latest, keys);
      const signed = await sign(await whole.claims(id, claimsOf(server.key, cursor), keys));
      return { cursor, list: Buffer.from(signed, 'latin1') };
    },
    (id, cursor) => changesSince(id, cursor)?.cursor === cursor,
    clock,
  );
  return {
    async whole(id: number): Promise<RevocationsAnswer> {
      const { cursor, list } = await wholeLists.of(id);
      return { cursor: formatCursor(cursor), list };
    },

    async changes(key: string, view: View, since: string): Promise<RevocationsAnswer> {
      const claims = claimsOf(key, view.cursor);
      const list = await signShared(`${key} ${since} ${claims.cursor}`, () => ({
        ...claims,
        since,
        revoked: revokedClaim(view.entries, view.keys, clock.now()),
      }));
      return { cursor: claims.cursor, list };
    },

    forgetOld(): void {
      wholeLists.forgetOld();
      whole.forgetOld();
    },
  };
}

/** The record as it is now. Its secret can have been replaced while the request waited. @throws OAuthError */
function currentServer(
  id: number,
  head: RequestHead,
  { registry, clock, slowSecrets }: Pick<RevocationFeedDependencies, 'registry' | 'clock' | 'slowSecrets'>,
): ResourceServer {
  const server = registry.resourceServerById(id);
  const secret = basicCredentials(head)?.proof ?? '';
  if (server === undefined || !secretMatches(server.secret, secret, clock.now(), slowSecrets))
    throw new OAuthError('invalid_client');
  if (server.accessTokenFormat === 'jwt') return server;
  throw new OAuthError('not_found', because('known_record'));
}

const nothing: Revocations = { grants: [], tokens: [], clients: [] };

function signerOfLists(signer: TokenSigner) {
  const [first = 'RS256', ...others] = signer.algorithms;
  // A signature of RSA costs about as much as twenty of ECDSA.
  const algorithm = [first, ...others].find((name) => name === 'ES256' || name === 'EdDSA') ?? first;
  return (claims: JwtClaims | Uint8Array) => signer.sign(claims, { algorithm, type: 'revocations+jwt' });
}

// Changes for which requests wait are the same, and are signed once.
const mostShared = 100;
// Characters. Longer ones are shared only while they are signed.
const longestShared = 100_000;

function sharedLists(sign: ReturnType<typeof signerOfLists>) {
  const lists = new Map<string, Promise<string>>();
  return (name: string, claims: () => JwtClaims): Promise<string> => {
    const known = lists.get(name);
    if (known !== undefined) return known;
    const signed = sign(claims());
    lists.set(name, signed);
    const forget = () => lists.get(name) === signed && lists.delete(name);
    signed.then((list) => list.length > longestShared && forget(), forget);
    for (const [oldest] of lists) if (lists.size > mostShared) lists.delete(oldest);
    return signed;
  };
}
