import { OAuthError, type OAuthErrorDetails, RedirectableError } from '../model/errors/errors.ts';
import { fapiAlgorithms } from '../model/profiles/fapi-rules.ts';
import type { Profile, StricterProfile } from '../model/profiles/profile.ts';
import type {
  AuthorizationFacts,
  BrokenPart,
  FactsOf,
  ProfiledClient,
  ProfiledResourceServer,
  ProfiledSettings,
  ProfileRule,
  RecordRule,
  RequestKind,
  RequestObjectFacts,
  RequestRule,
} from '../model/profiles/profile-rule.ts';
import { type ProfileRuleName, profileRules } from '../model/profiles/profile-rules.ts';
import { withBothNames } from '../model/signing-algorithm.ts';
import type { Violations } from './registration.ts';

/** What breaks a rule of a profile. */
export interface ProfileFinding extends BrokenPart {
  readonly rule: ProfileRuleName;
  readonly section: string;
  readonly requirement: string;
  readonly advice: string;
  /** Mends a record, with a placeholder for its name; `undefined` for a setting. */
  readonly command: string | undefined;
}

/** What a profile asks. Made once, with the rules of the profile alone. */
export interface ProfileChecks {
  readonly profile: StricterProfile;
  /** @param onlyAdministers whether the client administers this server, and does nothing else. Default: `false` */
  ofClient(client: ProfiledClient, onlyAdministers?: boolean): readonly ProfileFinding[];
  ofResourceServer(resourceServer: ProfiledResourceServer): readonly ProfileFinding[];
  ofSettings(settings: ProfiledSettings): readonly ProfileFinding[];
  /** The error for a request that breaks a rule. */
  refusal<Kind extends RequestKind>(kind: Kind, facts: FactsOf<Kind>): OAuthError | undefined;
  /** The same as an error that the client gets. */
  authorizationRefusal(facts: AuthorizationFacts): RedirectableError | undefined;
  requestObjectRefusal(facts: RequestObjectFacts): RedirectableError | undefined;
  takesResponseType(name: string): boolean;
  /** Whether clients but those of the administration can authenticate by the method. */
  takesMethod(name: string): boolean;
  /** Whether it takes request objects of the algorithm whose claims are as it asks. */
  takesRequestObjects(algorithm: string): boolean;
  /** Whether confidential clients keep their refresh tokens (FAPI 2.0 Security Profile §5.3.2.1). Otherwise each is used once. */
  readonly keepsRefreshTokens: boolean;
  /** Whether clients must push their authorization requests (RFC 9126). */
  readonly requiresPushedRequests: boolean;
  /** The algorithms by which clients sign, if it takes fewer than the server knows: for assertions and DPoP proofs. */
  readonly clientAlgorithms: readonly string[] | undefined;
}

interface NamedRule extends ProfileRule {
  readonly name: ProfileRuleName;
  readonly section: string;
}

/** `undefined` for a profile without rules: then no request is looked at. */
export function profileChecks(profile: Profile): ProfileChecks | undefined {
  if (profile === 'compatible') return undefined;
  const rules = rulesOf(profile);
  const forClient =
    <Kind extends 'authorization' | 'requestObject'>(kind: Kind) =>
    (facts: FactsOf<Kind>) => {
      const found = firstRefusal(rules, kind, facts);
      return found && new RedirectableError(found.error as RedirectableError['kind'], found.why);
    };
  const refusal: ProfileChecks['refusal'] = (kind, facts) => {
    const found = firstRefusal(rules, kind, facts);
    return found && new OAuthError(found.error, found.why);
  };
  const authorizationRefusal = forClient('authorization');
  const requestObjectRefusal = forClient('requestObject');
  return {
    profile,
    ofClient: (client, onlyAdministers = false) =>
      rules
        .filter(({ exemptsAdministration = false }) => !(exemptsAdministration && onlyAdministers))
        .flatMap((rule) => findings(rule, rule.client, client)),
    ofResourceServer: (server) => rules.flatMap((rule) => findings(rule, rule.resourceServer, server)),
    ofSettings: (settings) =>
      rules.flatMap((rule) => {
        const part = rule.settings?.(settings);
        return part === undefined ? [] : [findingOf(rule, part, undefined)];
      }),
    refusal,
    authorizationRefusal,
    requestObjectRefusal,
    keepsRefreshTokens: profile === 'fapi-2.0',
    requiresPushedRequests: profile === 'fapi-2.0',
    clientAlgorithms: profile === 'fapi-2.0' ? withBothNames(fapiAlgorithms) : undefined,
    takesResponseType: (responseType) =>
      authorizationRefusal({
        responseType,
        hasChallenge: true,
        namesResource: true,
        isOfAdministration: false,
        onlyAdministers: false,
        isPushed: true,
        namesRedirectUri: true,
      }) === undefined,
    takesMethod: (method) => refusal('client', { method, onlyAdministers: false }) === undefined,
    takesRequestObjects: (algorithm) =>
      requestObjectRefusal({ algorithm, claims: { aud: '', nbf: 0, exp: 60 } }) === undefined,
  };
}

function rulesOf(profile: StricterProfile): readonly NamedRule[] {
  return Object.entries<ProfileRule>(profileRules).flatMap(([name, rule]) => {
    const section = rule.sections[profile];
    return section === undefined ? [] : [{ ...rule, name: name as ProfileRuleName, section }];
  });
}

function findings<Registered>(
  rule: NamedRule,
  of: RecordRule<Registered> | undefined,
  record: Registered,
): ProfileFinding[] {
  return of?.broken(record).map((part) => findingOf(rule, part, of.mend(record))) ?? [];
}

function findingOf(
  { name: rule, section, requirement, advice }: NamedRule,
  part: BrokenPart,
  command: string | undefined,
): ProfileFinding {
  return { ...part, rule, section, requirement, advice, command };
}

function firstRefusal<Kind extends RequestKind>(
  rules: readonly NamedRule[],
  kind: Kind,
  facts: FactsOf<Kind>,
): (Pick<RequestRule<never>, 'error'> & { readonly why: OAuthErrorDetails }) | undefined {
  for (const { name, requests } of rules) {
    const rule = requests?.[kind] as RequestRule<FactsOf<Kind>> | undefined;
    const refusal = rule?.refusal(facts);
    if (rule !== undefined && refusal !== undefined)
      return { error: rule.error, why: { ...refusal, rule: name } };
  }
  return undefined;
}

/**
 * Adds what a registration breaks of a profile. A record keeps what it had before the profile, so that its other fields can be changed: requests
 * are refused for it.
 *
 * @param found of the record as it would be
 * @param before of the record that is to be changed; none for a new one
 */
export function addViolations(
  violations: Violations,
  { profile }: ProfileChecks,
  found: readonly ProfileFinding[],
  before: readonly ProfileFinding[] = [],
): void {
  const known = new Set(before.map(({ rule, problem }) => `${rule} ${problem}`));
  for (const { field, problem, rule, section } of found) {
    if (known.has(`${rule} ${problem}`)) continue;
    violations.add(field, `${problem} (profile ${profile}, ${rule}: ${section})`);
  }
}
