import { isQuotable, isScopeToken } from './options/kinds.ts';
import { responseOf, type WebResponse } from './platform/platform.ts';

/**
 * The table of errors: the status that an API answers (RFC 6750 §3.1), and the `error` of the challenge. The
 * challenge to a request without a token names no error.
 */
export const accessErrors = {
  missing_token: { status: 401, error: undefined },
  invalid_request: { status: 400, error: 'invalid_request' },
  invalid_token: { status: 401, error: 'invalid_token' },
  invalid_dpop_proof: { status: 401, error: 'invalid_dpop_proof' },
  use_dpop_nonce: { status: 401, error: 'use_dpop_nonce' },
  insufficient_user_authentication: { status: 401, error: 'insufficient_user_authentication' },
  insufficient_scope: { status: 403, error: 'insufficient_scope' },
  temporarily_unavailable: { status: 503, error: undefined },
} as const;

/** Stable: callers branch on these, while messages may be reworded. */
export type AccessErrorCode = keyof typeof accessErrors;

/**
 * Why a request gets no access. It has the members of errors of `http-errors`, and `getResponse`, so frameworks answer it when it is
 * thrown in a handler. The message may be shown to the API's callers.
 */
export abstract class AccessError extends Error {
  readonly code: AccessErrorCode;
  readonly status: number;
  /** The same as {@link status}. */
  readonly statusCode: number;
  /** Whether it is an error of the caller: frameworks show its message, and write it to no log. */
  readonly expose: boolean;
  /** What the answer has to carry. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: AccessErrorCode,
    message: string,
    { challenge = {}, headers = {}, cause }: AccessErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    const { status, error } = accessErrors[code];
    const description = error === undefined ? {} : { error, error_description: message };
    this.code = code;
    this.status = status;
    this.statusCode = status;
    this.expose = status < 500;
    this.headers = {
      ...(status < 500 && { 'www-authenticate': formatChallenge(challenge, description) }),
      'cache-control': 'no-store',
      ...headers,
    };
  }

  /** The body of an answer, in JSON. */
  get body(): string {
    return JSON.stringify({ error: this.code, error_description: this.message });
  }

  /** A whole `Response`, for fetch handlers. */
  getResponse(): WebResponse {
    return responseOf(this);
  }
}

interface AccessErrorDetails {
  readonly challenge?: Challenge | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** 401: the request has no access token. */
export class TokenMissing extends AccessError {
  override readonly name = 'TokenMissing';

  constructor(challenge?: Challenge) {
    super('missing_token', 'The request needs an access token: Authorization: Bearer.', { challenge });
  }
}

/** 400: the `Authorization` header cannot be read, or there are several. */
export class RequestMalformed extends AccessError {
  override readonly name = 'RequestMalformed';

  constructor(challenge?: Challenge) {
    super('invalid_request', 'Expected one Authorization header with one token after Bearer or DPoP.', {
      challenge,
    });
  }
}

/**
 * `unknown`: the authorization server does not distinguish unknown tokens, revoked tokens and those of other APIs. `bound`: the
 * token is bound to a key, and the request does not prove that its sender possesses the key. `unbound`: a token that is not bound came with
 * the scheme DPoP.
 */
export type TokenRejection = 'unknown' | 'expired' | 'malformed' | 'bound' | 'unbound';

export const rejections: Readonly<Record<TokenRejection, string>> = {
  unknown: 'The access token is not valid.',
  expired: 'The access token has expired.',
  malformed: 'The access token is malformed.',
  bound: 'The access token is bound to a key, and the request does not prove the possession of that key.',
  unbound: 'The access token is not bound to a key: send it with Bearer.',
};

/** 401: the authorization server was asked, now or shortly before, and the token gives no access. */
export class TokenRejected extends AccessError {
  override readonly name = 'TokenRejected';
  readonly reason: TokenRejection;

  constructor(reason: TokenRejection, challenge?: Challenge) {
    super('invalid_token', rejections[reason], { challenge });
    this.reason = reason;
  }
}

/**
 * Why a request has no good DPoP proof: the check that failed, `missing`, or `replay` for a proof that has come before. `nonce` asks for
 * another proof, with the nonce of the answer. `many`: this process remembers no more proofs of the key.
 */
export type ProofRejection =
  | 'missing'
  | 'form'
  | 'type'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'method'
  | 'url'
  | 'time'
  | 'id'
  | 'token'
  | 'nonce'
  | 'replay'
  | 'many';

const proofMessages: Partial<Record<ProofRejection, string>> = {
  missing: 'Expected one DPoP proof in the header DPoP; got none.',
  replay: 'Expected a new DPoP proof; got one that has been used.',
  many: 'Too many DPoP proofs of this key came within a minute; expected fewer.',
};

/** 401: the token is bound to a key, and its sender has not proved to possess it (RFC 9449 §7.1). */
export class ProofRejected extends AccessError {
  override readonly name = 'ProofRejected';
  readonly reason: ProofRejection;

  constructor(reason: ProofRejection, challenge?: Challenge, { message, nonce }: ProofRejectedDetails = {}) {
    const code = reason === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof';
    super(code, message ?? proofMessages[reason] ?? 'The DPoP proof is not valid.', {
      challenge,
      headers: nonce === undefined ? {} : { 'dpop-nonce': nonce },
    });
    this.reason = reason;
  }
}

interface ProofRejectedDetails {
  readonly message?: string;
  /** For the next proof. */
  readonly nonce?: string | undefined;
}

/** 401: the token is good, and the login behind it too weak or too old (RFC 9470 §3). The client sends the user to log in again. */
export class InsufficientAuthentication extends AccessError {
  override readonly name = 'InsufficientAuthentication';
  /** `level`: none of the required `acr` values. `age`: the login is older than `maxAge`. */
  readonly reason: 'level' | 'age';

  /** @param challenge what the request needs, met or not, so that one login gives all of it */
  constructor(reason: 'level' | 'age', challenge: Challenge = {}) {
    const message =
      reason === 'level'
        ? 'The request requires another level of authentication.'
        : 'The request requires a more recent login.';
    super('insufficient_user_authentication', message, { challenge });
    this.reason = reason;
  }
}

/** 403: the token is good, and does not allow what was asked for. */
export class InsufficientPrivileges extends AccessError {
  override readonly name = 'InsufficientPrivileges';

  /** @param challenge its `scope` is what the request would need */
  constructor(challenge: Challenge = {}) {
    const scope = nameableScope(challenge);
    const message =
      scope === undefined
        ? 'The request requires higher privileges than the access token gives.'
        : `The request requires the scope ${scope}.`;
    super('insufficient_scope', message, { challenge });
  }
}

/** Why the token could not be verified; completes the sentence "The authorization server …". */
export const unavailabilities = {
  unreachable: 'could not be reached',
  timeout: 'did not answer in time',
  server_error: 'failed to answer',
  rate_limited: 'asked to be asked less often',
  credentials_refused: 'rejected the credentials of this API',
  redirected: 'answered with a redirect, which is never followed',
  invalid_answer: 'gave an answer that is no token info',
  wrong_address: 'has nothing at the address that was asked',
  other_issuer: 'is not the issuer that this API expects',
  unexpected_answer: 'gave an answer that is not in its contract',
  login_untold:
    'does not tell this API of the login of the user: set the field loginDetails of its resource server to true',
  circuit_open: 'failed just now and is given a pause',
  overloaded: 'is asked about too many tokens at once',
} as const;

export type Unavailability = keyof typeof unavailabilities;

interface UnavailabilityDetails {
  /** Whole seconds after which it may be worth to try again, if known. */
  readonly retryAfter?: number | undefined;
  /** For operators: what was expected and what came. Never holds a token or a secret. */
  readonly detail?: string;
  readonly cause?: unknown;
}

/** 503: the token could not be verified, so the request gets no access. */
export class AuthorizationServerUnavailable extends AccessError {
  override readonly name = 'AuthorizationServerUnavailable';
  readonly reason: Unavailability;
  readonly retryAfter: number | undefined;
  readonly detail: string | undefined;

  constructor(reason: Unavailability, { retryAfter, detail, cause }: UnavailabilityDetails = {}) {
    super('temporarily_unavailable', `The authorization server ${unavailabilities[reason]}.`, {
      headers: { 'retry-after': String(retryAfter ?? 1) },
      cause,
    });
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.detail = detail;
  }
}

/** The members of a `WWW-Authenticate` header in addition to the error. */
export interface Challenge {
  /** Name of the protected space; default `api`. */
  readonly realm?: string | undefined;
  /** The scope that the request needs. */
  readonly scope?: readonly string[] | undefined;
  /** One of these the login must have, the preferred first (RFC 9470 §3). */
  readonly acrValues?: readonly string[] | undefined;
  /** Seconds since the login, at most. */
  readonly maxAge?: number | undefined;
  /** Where the metadata of this API are (RFC 9728 §5.1). */
  readonly resourceMetadata?: string | undefined;
  /** Of the answer to a request; default Bearer. */
  readonly scheme?: 'Bearer' | 'DPoP' | undefined;
  /** The algorithms of DPoP proofs (RFC 9449 §7.1). With the scheme Bearer, DPoP is offered beside it. */
  readonly algorithms?: readonly string[] | undefined;
}

/** The scope as one text; `undefined` if there is none, or one that no token can have, which may come from the request. */
function nameableScope({ scope = [] }: Challenge): string | undefined {
  return scope.length > 0 && scope.every(isScopeToken) ? scope.join(' ') : undefined;
}

/** The value of a `WWW-Authenticate` header (RFC 6750 §3, RFC 9470 §3, RFC 9728 §5.1), without the attributes that cannot be quoted. */
export function formatChallenge(challenge: Challenge, error: Readonly<Record<string, string>> = {}): string {
  const realm = isQuotable(challenge.realm) ? challenge.realm : 'api';
  const login = { acr_values: challenge.acrValues?.join(' '), max_age: challenge.maxAge?.toString() };
  const members = { realm, scope: nameableScope(challenge), ...error, ...login };
  const pairs = Object.entries({ ...members, resource_metadata: challenge.resourceMetadata }).flatMap(
    ([name, value]) => (isQuotable(value) ? [`${name}="${value}"`] : []),
  );
  const algorithms = challenge.algorithms && `algs="${challenge.algorithms.join(' ')}"`;
  if (challenge.scheme === 'DPoP')
    return `DPoP ${[...pairs, ...(algorithms ? [algorithms] : [])].join(', ')}`;
  return `Bearer ${pairs.join(', ')}${algorithms ? `, DPoP ${algorithms}` : ''}`;
}
