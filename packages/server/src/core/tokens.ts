import {
  type AccessTokenFormats,
  accessTokenFormats,
  claimMapping,
  clientsInMemory,
  KeyRing,
  type Random,
  UserClaims,
} from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Signing } from '../signing/signing.ts';
import { composeSigning, type KeyHolders } from './signing.ts';

/** What tokens are made of, and found by. */
export interface Tokens {
  readonly sealer: KeyRing;
  readonly subjectSecret: Uint8Array;
  /** Signs JWTs, and publishes the keys for it. */
  readonly signing: Signing;
  /** What tokens say about users. */
  readonly userClaims: UserClaims;
  readonly accessTokenFormats: AccessTokenFormats;
}

interface Parts {
  readonly configuration: Configuration;
  readonly holders: KeyHolders;
  readonly store: ServerStore;
  readonly issuer: string;
  readonly random: Random;
}

/** @throws KeyManagementError */
export async function composeTokens({
  configuration,
  holders,
  store,
  issuer,
  random,
}: Parts): Promise<Tokens> {
  const signing = await composeSigning(configuration, holders, store, random);
  const userClaims = new UserClaims(claimMapping({}));
  const { signer } = signing;
  const clients = clientsInMemory(store.registry);
  return {
    sealer: await KeyRing.open({ ...store, random }),
    subjectSecret: await store.subjectKey.read(),
    signing,
    userClaims,
    accessTokenFormats: accessTokenFormats({ ...store, clients, issuer, random, signer, userClaims }),
  };
}
