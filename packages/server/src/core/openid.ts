import {
  type ClaimMapping,
  type Clock,
  claimMapping,
  type IdTokenIssuer,
  idTokenIssuer,
  isProtocolClaim,
  named,
  type Registry,
  Subjects,
  scopeOfClaim,
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

/** @throws ConfigurationError for a claim that the protocol has, and for another scope than that of a standard claim */
export function composeUserClaims({ [claimsSetting]: chosen }: Configuration): UserClaims {
  const problems = Object.entries(chosen).flatMap(([claim, source]) => claimProblem(claim, source) ?? []);
  if (problems.length === 0) return new UserClaims(claimMapping(chosen));
  throw new ConfigurationError(
    problems.map((problem) => ({ path: claimsSetting, place: flagName(claimsSetting), problem })),
  );
}

function claimProblem(claim: string, source: ClaimMapping[string]): string | undefined {
  if (claim === 'address')
    return 'expected the members of the address, such as address.locality, got address';
  if (isProtocolClaim(claim))
    return `expected a claim of users, got ${named(claim)}, which the server itself decides`;
  const fixed = scopeOfClaim(claim);
  if (!('scope' in source) || fixed === undefined || fixed === 'groups' || source.scope === fixed) {
    return undefined;
  }
  return `expected the claim ${claim} in the scope ${fixed}, to which OpenID Connect Core section 5.4 assigns it, got ${source.scope}`;
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
