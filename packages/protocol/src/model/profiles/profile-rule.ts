import type { ErrorRule, Refusal } from '../errors/rules/error-rule.ts';
import type { Client } from '../records/client.ts';
import type { ResourceServer } from '../records/resource-server.ts';
import type { StricterProfile } from './profile.ts';

/** A rule of profiles: what it asks of records, of requests and of the settings. */
export interface ProfileRule extends Omit<ErrorRule, 'section' | 'refusal'> {
  /** The profiles that have the rule, and the section that each has it from. */
  readonly sections: Readonly<Partial<Record<StricterProfile, string>>>;
  readonly client?: RecordRule<ProfiledClient>;
  /** Whether clients of the administration itself may break the rule of records. */
  readonly exemptsAdministration?: boolean;
  readonly resourceServer?: RecordRule<ProfiledResourceServer>;
  readonly settings?: (settings: ProfiledSettings) => BrokenPart | undefined;
  readonly requests?: RequestRules;
}

export type ProfiledClient = Pick<
  Client,
  | 'allowedHybrid'
  | 'allowedImplicitGrant'
  | 'redirectUris'
  | 'confidential'
  | 'tokenEndpointAuthMethod'
  | 'dpopBoundAccessTokens'
  | 'tokenEndpointAuthSigningAlg'
  | 'idTokenSignedResponseAlg'
  | 'userinfoSignedResponseAlg'
  | 'authorizationSignedResponseAlg'
  | 'requestObjectSigningAlg'
>;
export type ProfiledResourceServer = Pick<ResourceServer, 'resources'>;

/** The settings that rules ask for, by their paths. */
export interface ProfiledSettings {
  readonly baseUrl: string;
  readonly 'clients.metadataDocuments': unknown;
  /** Seconds. */
  readonly 'code.lifetime': number;
  readonly 'refresh.graceStreak': number;
  readonly 'refresh.publicGraceSeconds': number;
  readonly 'scope.commaSeparated': boolean;
  readonly 'signing.algorithms': readonly string[];
}

/** What breaks the rule. */
export interface BrokenPart {
  /** The field of a record, or the path of a setting. */
  readonly field: string;
  /** The part of a sentence that follows the name of the field. */
  readonly problem: string;
}

export interface RecordRule<Registered> {
  readonly broken: (record: Registered) => readonly BrokenPart[];
  /**
   * The command that mends the record, with `{client}` or `{resourceServer}` in the place of its name. Words in capitals stand for what
   * the record owner must decide.
   */
  readonly mend: (record: Registered) => string;
}

/** What requests of each kind are asked for. Each kind has the errors of its RFC. */
interface RequestRules {
  /** That the client has registered. The error is for the resource owner: such a redirect URI gets no response. */
  readonly redirectUri?: RequestRule<string>;
  readonly authorization?: RequestRule<AuthorizationFacts, RedirectableErrors>;
  /** An object that has the parameters of an authorization request. */
  readonly requestObject?: RequestRule<RequestObjectFacts, 'invalid_request_object'>;
  readonly token?: RequestRule<TokenFacts>;
  /** Of a client that authenticates with it. */
  readonly assertion?: RequestRule<AssertionFacts>;
  /** A client that has authenticated. */
  readonly client?: RequestRule<ClientFacts>;
  /** A code that a client redeems. */
  readonly code?: RequestRule<CodeFacts>;
  /** A question of a resource server about a token. */
  readonly tokenInfo?: RequestRule<TokenInfoFacts>;
}

export type RequestKind = keyof RequestRules;

/** What rules know of a request of a kind. */
export type FactsOf<Kind extends RequestKind> = Parameters<NonNullable<RequestRules[Kind]>['refusal']>[0];

// The table of errors has the rules, so it cannot type them.
type RedirectableErrors =
  | 'invalid_request'
  | 'invalid_request_object'
  | 'invalid_target'
  | 'unsupported_response_type';
type Errors = RedirectableErrors | 'invalid_client' | 'invalid_dpop_proof' | 'invalid_grant';

export interface RequestRule<Facts, ErrorName extends Errors = Errors> {
  readonly error: ErrorName;
  /** What the error says of a request that breaks the rule; `undefined` for one that does not. */
  readonly refusal: (facts: Facts) => Refusal | undefined;
}

export interface TokenFacts extends NamedFacts {
  /** Whether the sender has proved a key to which the tokens are bound. */
  readonly isBound: boolean;
}

interface NamedFacts {
  /** Whether it names a resource (RFC 8707). */
  readonly namesResource: boolean;
  /** Whether the client administers this server: its API has no URI. */
  readonly isOfAdministration: boolean;
  /** Whether it does nothing else. */
  readonly onlyAdministers: boolean;
}

export interface AssertionFacts {
  readonly algorithm: string;
  /** As the assertion has it. */
  readonly audience: unknown;
  readonly issuer: string;
}

export interface ClientFacts {
  /** The method by which it authenticated; `none` for a public client. */
  readonly method: string;
  readonly onlyAdministers: boolean;
}

export interface AuthorizationFacts extends NamedFacts {
  /** Whether the client sent it itself, before the browser came (RFC 9126). */
  readonly isPushed: boolean;
  readonly namesRedirectUri: boolean;
  readonly responseType: string;
  /** Whether it has a challenge of PKCE. */
  readonly hasChallenge: boolean;
}

export interface RequestObjectFacts {
  /** `none` for one without a signature. */
  readonly algorithm: string;
  /** Nothing of them is verified. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface CodeFacts {
  readonly hasChallenge: boolean;
}

export interface TokenInfoFacts {
  readonly hasTokenInQuery: boolean;
}
