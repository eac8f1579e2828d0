import type { AccessToken } from '../../model/access-token.ts';
import type { Random } from '../../ports/random.ts';
import type { RevokedTokenStore } from '../../ports/revoked-token-store.ts';
import type { TokenSigner } from '../../ports/token-signer.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';
import type { AccessTokenFormat } from './access-token-format.ts';
import { jwtClaims, readJwtClaims } from './jwt-claims.ts';
import type { RegisteredClients } from './registered-clients.ts';

export interface JwtDependencies {
  readonly random: Random;
  readonly signer: TokenSigner;
  /** The issuer identifier of this server (RFC 8414 §2). */
  readonly issuer: string;
  readonly revokedTokens: Pick<RevokedTokenStore, 'findUnrevoked'>;
  readonly clients: RegisteredClients;
}

/** Seconds. So long after a change, no JWT is left that was issued before it. */
export const longestJwtLifetime = 86_400;

const second = 1000;

/** The header of every JWT begins with `{"`. */
export function isJwt(value: string): boolean {
  return value.startsWith('eyJ');
}

/** A signed text that has the meaning of the token (RFC 9068). It is not stored. */
export function jwtFormat({
  random,
  signer,
  issuer,
  revokedTokens,
  clients,
}: JwtDependencies): AccessTokenFormat {
  return {
    name: 'jwt',
    timeUnit: second,
    longestLifetime: longestJwtLifetime,

    async write(content) {
      // The id names the shard of the grant, where its revocation is stored.
      const id = timeOrderedId(content.creationDate, random, content.grant?.id);
      const [algorithm] = signer.algorithms;
      if (algorithm === undefined) throw new Error('the server has no signing algorithm');
      const value = await signer.sign(jwtClaims(id, content, issuer), { algorithm, type: 'at+jwt' });
      return { id, verifierHash: undefined, value };
    },

    async find(value) {
      const claims = await signer.verify(value, { type: 'at+jwt', keys: 'published' });
      const read = claims && readJwtClaims(claims, issuer);
      if (read === undefined) return undefined;
      const { clientId, ...token } = read;
      const [found, client] = await Promise.all([
        revokedTokens.findUnrevoked(token),
        clients.findByClientId(clientId),
      ]);
      if (found === undefined || client === undefined) return undefined;
      const { grant } = found;
      // A client that was deleted can have had the same clientId.
      if (grant !== undefined && grant.clientRecordId !== client.id) return undefined;
      return { token: { ...token, clientRecordId: client.id, grant, format: 'jwt' }, client };
    },
  };
}

/** The expiry of a revocation is that of its token. */
export function revocationOf(
  { id, clientRecordId, grantId, expires }: Omit<AccessToken, 'verifierHash'>,
  now: number,
) {
  return { id, clientRecordId, grantId, expires, revokedAt: now };
}
