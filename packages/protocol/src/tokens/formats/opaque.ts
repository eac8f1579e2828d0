import { timingSafeEqual } from 'node:crypto';
import type { Random } from '../../ports/crypto/random.ts';
import type { AccessTokenStore } from '../../ports/stores/grants/access-token-store.ts';
import { createBearerValue, parseBearerValue } from '../bearer-value.ts';
import type { AccessTokenFormat } from './access-token-format.ts';
import type { RegisteredClients } from './registered-clients.ts';

export interface OpaqueDependencies {
  readonly random: Random;
  readonly accessTokens: Pick<AccessTokenStore, 'find'>;
  readonly clients: RegisteredClients;
}

/** A random text without a meaning: only the store has the meaning of the token. */
export function opaqueFormat({ random, accessTokens, clients }: OpaqueDependencies): AccessTokenFormat {
  return {
    name: 'opaque',
    timeUnit: 1,
    longestLifetime: 0,
    write: ({ creationDate, grant }) => createBearerValue('access', creationDate, random, grant?.id),
    async find(value) {
      const presented = parseBearerValue('access', value);
      if (presented === undefined) return undefined;
      const stored = await accessTokens.find(presented.id);
      if (stored === undefined || !timingSafeEqual(stored.verifierHash, presented.verifierHash))
        return undefined;
      const client = clients.findById(stored.clientRecordId);
      return {
        token: { ...stored, format: 'opaque' },
        client: client instanceof Promise ? await client : client,
      };
    },
  };
}
