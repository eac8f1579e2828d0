import {
  type Clock,
  claimMapping,
  type IdTokenIssuer,
  idTokenIssuer,
  isProtocolClaim,
  type Registry,
  Subjects,
  type TokenSigner,
  UserClaims,
} from '@watchword/protocol';
import { type Configuration, flagName } from '../config/settings.ts';
import { ConfigurationError } from '../configuration-error.ts';

/** What features share of OpenID Connect. */
export interface Openid {
  readonly subjects: Subjects;
  readonly userClaims: UserClaims;
  readonly issueIdToken: IdTokenIssuer;
}

interface Parts {
  readonly userClaims: UserClaims;
  readonly signer: TokenSigner;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly subjectSecret: Uint8Array;
  /** The base URL. */
  readonly issuer: string;
}

const claimsSetting = 'openid.claims';

/** @throws ConfigurationError for a claim that the protocol has */
export function composeUserClaims({ [claimsSetting]: chosen }: Configuration): UserClaims {
  const wrong = Object.keys(chosen).filter((claim) => isProtocolClaim(claim) || claim === 'address');
  if (wrong.length === 0) return new UserClaims(claimMapping(chosen));
  throw new ConfigurationError(
    wrong.map((claim) => ({
      path: claimsSetting,
      place: flagName(claimsSetting),
      problem:
        claim === 'address'
          ? 'expected the members of the address, such as address.locality, got address'
          : `expected a claim of users, got ${claim}, which the server itself decides`,
    })),
  );
}

/** The attribute that has the subjects of an earlier server; `undefined` if there is none. */
export function subjectAttributeOf({ 'openid.subjectFrom': from }: Configuration): string | undefined {
  return from === 'subject' ? undefined : from;
}

export function composeOpenid(configuration: Configuration, parts: Parts): Openid {
  const { userClaims, subjectSecret } = parts;
  const subjects = new Subjects({ subjectSecret, subjectAttribute: subjectAttributeOf(configuration) });
  return {
    subjects,
    userClaims,
    issueIdToken: idTokenIssuer({
      ...parts,
      subjects,
      idTokenLifetime: configuration['openid.idTokenLifetime'],
      claimsInIdToken: configuration['openid.claimsInIdToken'],
    }),
  };
}
