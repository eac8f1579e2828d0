import {
  type AccessTokenFormats,
  accessTokenFormats,
  type Clock,
  clientsInMemory,
  type DpopProofs,
  dpopProofs,
  KeyRing,
  profileChecks,
  proofNonces,
  type Random,
  type Tracer,
  traced,
  type UserClaims,
} from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { longTokens } from '../runtime/log/long-tokens.ts';
import type { Signing } from '../signing/signing.ts';
import { composeOpenid, type Openid } from './openid.ts';
import { composeSigning, type KeyHolders } from './signing.ts';

/** The secrets of the server, and what is made with them. */
export interface Secrets {
  readonly sealer: KeyRing;
  /** Signs JWTs, and publishes the keys for it. */
  readonly signing: Signing;
  /** The key of all subjects. */
  readonly subjectSecret: Uint8Array;
  /** ID tokens, and claims of users. */
  readonly openid: Openid;
  readonly accessTokenFormats: AccessTokenFormats;
  /** Checks that clients have the keys of their tokens. */
  readonly dpopProofs: DpopProofs;
}

interface Parts {
  readonly store: ServerStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly baseUrl: string;
  readonly userClaims: UserClaims;
  readonly tracer: Tracer | undefined;
  readonly logger: Logger;
}

/** @throws ConfigurationError, KeyManagementError, StoreUnavailableError */
export async function secretsOf(
  configuration: Configuration,
  holders: KeyHolders,
  { store, baseUrl: issuer, userClaims, tracer, logger, ...system }: Parts,
): Promise<Secrets> {
  const { random } = system;
  const signing = tracedSigning(await composeSigning(configuration, holders, store, random), tracer);
  const { signer } = signing;
  const subjectSecret = await store.subjectKey.read();
  const parts = { ...store, ...system, signer, subjectSecret, issuer, userClaims };
  const openid = composeOpenid(configuration, parts);
  const formats = accessTokenFormats({
    ...store,
    clients: clientsInMemory(store.registry),
    issuer,
    random,
    signer,
    userClaims,
    publicSubject: openid.subjects.publicSubject,
    nearsLongest: longTokens(logger),
  });
  const sealer = await KeyRing.open({ ...store, ...system });
  const nonces = proofNonces({ ...system, openSealer: async () => sealer });
  return {
    sealer,
    signing,
    subjectSecret,
    openid,
    accessTokenFormats: { of: formats.of, find: traced(tracer, 'find access token', formats.find) },
    dpopProofs: tracedProofs(
      dpopProofs({
        ...store,
        ...system,
        proofNonces: nonces,
        requiresNonce: configuration['dpop.requireNonce'],
        profile: profileChecks(configuration.profile),
      }),
      tracer,
    ),
  };
}

function tracedProofs({ check }: DpopProofs, tracer: Tracer | undefined): DpopProofs {
  return { check: traced(tracer, 'check DPoP proof', check) };
}

function tracedSigning(signing: Signing, tracer: Tracer | undefined): Signing {
  if (tracer === undefined) return signing;
  const { signer } = signing;
  return {
    ...signing,
    signer: {
      algorithms: signer.algorithms,
      sign: traced(tracer, 'sign JWT', (claims, options) => signer.sign(claims, options)),
      verify: traced(tracer, 'verify JWT', (text, options) => signer.verify(text, options)),
    },
  };
}
