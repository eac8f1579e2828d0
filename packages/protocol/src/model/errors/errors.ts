import { type ProtocolErrorName, protocolErrors, type RedirectableErrorName } from './error-table.ts';
import type { Refusal } from './rules/error-rule.ts';
import type { ErrorRuleName } from './rules/error-rules.ts';

export interface OAuthErrorDetails extends Refusal {
  /** The rule that the request breaks. Default: that of the error in the table. */
  readonly rule?: ErrorRuleName | undefined;
  /** Seconds after which a retry can succeed; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Scopes that an access token would need; becomes `scope` of the challenge (RFC 6750 §3). */
  readonly scope?: string;
  /** Seconds since the login, at most; becomes `max_age` of the challenge (RFC 9470 §3). */
  readonly maxAge?: number;
  /** For the next DPoP proof of the client; becomes `DPoP-Nonce` (RFC 9449 §8). */
  readonly dpopNonce?: string;
  /** The access token can also come after DPoP: the challenge says so (RFC 9449 §7.2). */
  readonly takesDpop?: boolean;
  /** Every rule that a submitted record violates, for `violations` in the answer. */
  readonly violations?: readonly string[];
  /** Replaces the texts of the error page by `{key}.title` and `{key}.advice` of the locale files. */
  readonly text?: ErrorText;
  /** The resource owner of the grant in the request. Only the log contains it. */
  readonly account?: FailedAccount | undefined;
  /** The id of the grant that the request has revoked, because its code or refresh token was used before. Only the audit log contains it. */
  readonly revokedGrant?: string | undefined;
  readonly cause?: unknown;
}

type FailedAccount = { readonly identityProvider: string; readonly name: string };

export interface ErrorText {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** An error of the table. The rules throw it, and the server turns it into an answer in one place. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly kind: ProtocolErrorName;
  readonly reason: string | undefined;
  readonly rule: ErrorRuleName;
  readonly expected: string | undefined;
  readonly came: string | undefined;
  readonly retryAfter: number | undefined;
  readonly scope: string | undefined;
  readonly maxAge: number | undefined;
  readonly dpopNonce: string | undefined;
  readonly takesDpop: boolean | undefined;
  readonly violations: readonly string[] | undefined;
  readonly text: ErrorText | undefined;
  readonly account: FailedAccount | undefined;
  readonly revokedGrant: string | undefined;

  constructor(kind: ProtocolErrorName, details: OAuthErrorDetails = {}) {
    super(details.description ?? protocolErrors[kind].description, { cause: details.cause });
    this.kind = kind;
    this.reason = details.reason;
    this.rule = details.rule ?? protocolErrors[kind].rule;
    this.expected = details.expected;
    this.came = details.came;
    this.retryAfter = details.retryAfter;
    this.scope = details.scope;
    this.maxAge = details.maxAge;
    this.dpopNonce = details.dpopNonce;
    this.takesDpop = details.takesDpop;
    this.violations = details.violations;
    this.text = details.text;
    this.account = details.account;
    this.revokedGrant = details.revokedGrant;
  }
}

/**
 * An error that the authorization endpoint can send to the client through the browser (RFC 6749 §4.1.2.1). Any other
 * `OAuthError` is shown only to the resource owner, and the types prevent its redirect.
 */
export class RedirectableError extends OAuthError {
  declare readonly kind: RedirectableErrorName;

  constructor(kind: RedirectableErrorName, details?: OAuthErrorDetails) {
    super(kind, details);
  }
}
