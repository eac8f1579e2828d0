import { authenticateResourceServer } from '../clients/authenticate-resource-server.ts';
import { clientSecretBasic } from '../clients/client-secret-basic.ts';
import type { AuthenticationDependencies } from '../clients/guard.ts';
import { secretMatches } from '../clients/machine-secret.ts';
import { OAuthError } from '../model/errors.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import { nodeClockTolerance } from '../ports/clock.ts';
import type { TokenSigner } from '../ports/token-signer.ts';
import type { RecentRevocations, Revocations } from '../tokens/revocations/recent-revocations.ts';
import {
  certainUntil,
  formatCursor,
  parseCursor,
  type RevocationCursor,
  revocationCursor,
} from '../tokens/revocations/revocation-cursor.ts';
import { ofResourceServer, type RevokedKey, revokedClaim } from '../tokens/revocations/revocation-list.ts';
import type { WholeRevocations } from '../tokens/revocations/whole-revocations.ts';

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
  forChange(resourceServerId: number, isOver: () => boolean, deadline: number): Promise<boolean>;
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
  readonly list: string | undefined;
}

export type RevocationsEndpoint = (
  head: RequestHead,
  request: RevocationsRequest,
) => Promise<RevocationsAnswer>;

/** Milliseconds after which a caller gets a new cursor, although nothing has changed. */
const cursorAge = 120_000;

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
  const { clock, issuer, monotonic, recent, registry, revokedKeys, waits, whole } = deps;
  const sign = sharedLists(deps.signer);

  /** What has been revoked since the cursor; `undefined` if that is not known. */
  const changesSince = ({ id }: ResourceServer, cursor: RevocationCursor): View | undefined => {
    const { readAt } = recent;
    if (cursor.time > readAt + nodeClockTolerance) return undefined;
    const all = recent.since(certainUntil(cursor.time));
    if (all === undefined) return undefined;
    const keys = revokedKeys();
    const entries = ofResourceServer(all, id, registry);
    if (revocationCursor(cursor.time, entries, keys).digest === cursor.digest)
      return { cursor, entries, keys };
    return { cursor: cursorAt(readAt, entries, keys), entries, keys };
  };

  const wholeList = async ({ id }: ResourceServer): Promise<View> => {
    const keys = revokedKeys();
    const { readAt } = recent;
    const latest = ofResourceServer(recent.since(certainUntil(readAt)) ?? nothing, id, registry);
    return { cursor: cursorAt(readAt, latest, keys), entries: await whole.of(id), keys };
  };

  const answer = async (server: ResourceServer, view: View, since?: string): Promise<RevocationsAnswer> => {
    const cursor = formatCursor(view.cursor);
    const list = await sign(`${server.key} ${since ?? ''} ${cursor}`, () => ({
      iss: issuer,
      aud: server.key,
      // Not when it was signed: a revocation can have been committed since.
      iat: Math.floor(view.cursor.time / 1000),
      cursor,
      ...(since !== undefined && { since }),
      revoked: revokedClaim(view.entries, view.keys, clock.now()),
    }));
    return { cursor, list };
  };

  return async (head, { since = '', wait, isSigned }) => {
    const deadline = monotonic() + wait;
    const { id } = await authenticateResourceServer(head, deps);
    const cursor = parseCursor(since);
    await recent.refresh();
    for (let hasWaited = false; ; ) {
      const server = currentServer(id, head, deps);
      const view = cursor && changesSince(server, cursor);
      if (cursor === undefined || view === undefined) return answer(server, await wholeList(server));
      if (view.cursor !== cursor) return answer(server, view, since);
      if (hasWaited) {
        if (!isSigned && recent.readAt - cursor.time < cursorAge) return { cursor: since, list: undefined };
        const renewed = cursorAt(recent.readAt, view.entries, view.keys);
        return answer(server, { cursor: renewed, entries: nothing, keys: [] }, since);
      }
      const isOver = () => {
        const { accessTokenFormat, secret } = registry.resourceServerById(id) ?? {};
        return accessTokenFormat !== 'jwt' || secret !== server.secret;
      };
      const { version } = recent;
      const keys = revokedKeys().length;
      const isChanged = () => isOver() || recent.version !== version || revokedKeys().length !== keys;
      hasWaited = !(await waits.forChange(id, isChanged, deadline));
    }
  };
}

/** The record as it is now. Its secret can have been replaced while the request waited. @throws OAuthError */
function currentServer(
  id: number,
  head: RequestHead,
  { registry, clock, slowSecrets }: Pick<RevocationFeedDependencies, 'registry' | 'clock' | 'slowSecrets'>,
): ResourceServer {
  const server = registry.resourceServerById(id);
  const secret = clientSecretBasic.read(head)?.proof ?? '';
  if (server === undefined || !secretMatches(server.secret, secret, clock.now(), slowSecrets))
    throw new OAuthError('invalid_client');
  if (server.accessTokenFormat === 'jwt') return server;
  throw new OAuthError('not_found', {
    description:
      'The resource server has opaque access tokens (accessTokenFormat), so it has no list of revocations.',
  });
}

const nothing: Revocations = { grants: [], tokens: [], clients: [] };

/** @param entries those after {@link certainUntil} of an earlier time, or of this one */
function cursorAt(time: number, entries: Revocations, keys: readonly RevokedKey[]): RevocationCursor {
  const isLater = ({ revokedAt }: { readonly revokedAt: number }) => revokedAt > certainUntil(time);
  const latest = {
    grants: entries.grants.filter(isLater),
    tokens: entries.tokens.filter(isLater),
    clients: entries.clients.filter(isLater),
  };
  return revocationCursor(time, latest, keys);
}

// Lists that wait for the same change are the same, and are signed once.
const mostShared = 100;
// Characters. Longer ones are shared only while they are signed.
const longestShared = 100_000;

function sharedLists(signer: TokenSigner) {
  const lists = new Map<string, Promise<string>>();
  const [first = 'RS256', ...others] = signer.algorithms;
  // A signature of RSA costs about as much as twenty of ECDSA.
  const algorithm = [first, ...others].find((name) => name === 'ES256' || name === 'EdDSA') ?? first;
  return (name: string, claims: () => Readonly<Record<string, unknown>>): Promise<string> => {
    const known = lists.get(name);
    if (known !== undefined) return known;
    const signed = signer.sign(claims(), { algorithm, type: 'revocations+jwt' });
    lists.set(name, signed);
    const forget = () => lists.get(name) === signed && lists.delete(name);
    signed.then((list) => list.length > longestShared && forget(), forget);
    for (const [oldest] of lists) if (lists.size > mostShared) lists.delete(oldest);
    return signed;
  };
}
