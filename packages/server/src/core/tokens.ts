import {
  type AccessTokenFormats,
  accessTokenFormats,
  claimMapping,
  clientsInMemory,
  type Random,
  UserClaims,
} from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Signing } from '../signing/signing.ts';
import { composeSigning } from './signing.ts';

/** What tokens are made of, and found by. */
export interface Tokens {
  /** Signs JWTs, and publishes the keys for it. */
  readonly signing: Signing;
  /** What tokens say about users. */
  readonly userClaims: UserClaims;
  readonly accessTokenFormats: AccessTokenFormats;
}

interface Parts {
  readonly configuration: Configuration;
  readonly store: ServerStore;
  readonly issuer: string;
  readonly random: Random;
}

/** @throws ConfigurationError, KeyManagementError */
export async function composeTokens({ configuration, store, issuer, random }: Parts): Promise<Tokens> {
  const signing = await composeSigning(configuration, store, random);
  const userClaims = new UserClaims(claimMapping({}));
  const formats = accessTokenFormats({
    ...store,
    ...signing,
    clients: clientsInMemory(store.registry),
    issuer,
    random,
    userClaims,
  });
  return { signing, userClaims, accessTokenFormats: formats };
}
