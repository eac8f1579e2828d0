import type { AccessToken } from '../../model/records/access-token.ts';
import type { Grant } from '../../model/records/grant.ts';
import { longestJwtLifetime } from '../../model/records/signing-key.ts';
import type { Scopes } from '../../model/scope.ts';
import { withoutTargets } from '../../model/targeted-scope.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { TokenSigner } from '../../ports/crypto/token-signer.ts';
import type { GrantStore } from '../../ports/stores/grants/grant-store.ts';
import type { RevocationStore, RevokedToken } from '../../ports/stores/grants/revocation-store.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import { checkUnambiguous } from '../token-audience.ts';
import type { AccessTokenFormat } from './access-token-format.ts';
import { type JwtClaimsDependencies, jwtClaims, readJwtClaims } from './jwt-claims.ts';
import type { RegisteredClients } from './registered-clients.ts';
import { checkLength, type NearsLongest } from './token-length.ts';

export interface JwtDependencies extends JwtClaimsDependencies {
  readonly random: Random;
  readonly signer: TokenSigner;
  readonly grants: Pick<GrantStore, 'find'>;
  readonly revocations: Pick<RevocationStore, 'findToken'>;
  readonly clients: RegisteredClients;
  readonly nearsLongest: NearsLongest;
}

const second = 1000;

/** The header of every JWT begins with `{"`. */
export function isJwt(value: string): boolean {
  return value.startsWith('eyJ');
}

/** A signed text that has the meaning of the token (RFC 9068). It is not stored. */
export function jwtFormat(deps: JwtDependencies): AccessTokenFormat {
  const { random, signer, issuer, clients } = deps;
  return {
    name: 'jwt',
    timeUnit: second,
    longestLifetime: longestJwtLifetime,

    async write(content) {
      checkUnambiguous(content);
      // The id names the shard of the grant, where its revocation is stored.
      const id = timeOrderedId(content.creationDate, random, content.grant?.id);
      const [algorithm] = signer.algorithms;
      if (algorithm === undefined) throw new Error('the server has no signing algorithm');
      const value = await signer.sign(jwtClaims(id, content, deps), { algorithm, type: 'at+jwt' });
      checkLength(value, content, deps.nearsLongest);
      return { id, verifierHash: undefined, value };
    },

    async find(value) {
      const claims = await signer.verify(value, { type: 'at+jwt', keys: 'published' });
      const read = claims && readJwtClaims(claims, issuer);
      if (read === undefined) return undefined;
      const { clientId, ...token } = read;
      const [unrevoked, client] = await Promise.all([
        findUnrevoked(token, deps),
        clients.findByClientId(clientId),
      ]);
      if (unrevoked === undefined || client === undefined) return undefined;
      const { grant, scopes } = unrevoked;
      // A client that was deleted can have had the same clientId.
      if (grant !== undefined && grant.clientRecordId !== client.id) return undefined;
      return { token: { ...token, scopes, clientRecordId: client.id, grant, format: 'jwt' }, client };
    },
  };
}

/**
 * What is left of a JWT, with its grant: a client-credentials token has none. `undefined` if the token is revoked, or if its grant is
 * revoked or removed. Both are read at once, so from one snapshot.
 */
export async function findUnrevoked(
  { id, grantId, scopes }: Pick<AccessToken, 'id' | 'grantId' | 'scopes'>,
  { grants, revocations }: Pick<JwtDependencies, 'grants' | 'revocations'>,
): Promise<{ readonly grant: Grant | undefined; readonly scopes: Scopes } | undefined> {
  const [revoked, grant] = await Promise.all([
    revocations.findToken(id),
    grantId === undefined ? undefined : grants.find(grantId),
  ]);
  if (grantId !== undefined && grant === undefined) return undefined;
  if (revoked === undefined) return { grant, scopes };
  return revoked.at && { grant, scopes: withoutTargets(scopes, revoked.at) };
}

/** The expiry of a revocation is that of its token. */
export function revocationOf(
  { id, clientRecordId, expires }: Pick<AccessToken, 'id' | 'clientRecordId' | 'expires'>,
  now: number,
): RevokedToken {
  return { id, clientRecordId, expires, revokedAt: now };
}
