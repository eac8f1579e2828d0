import { type ProtocolErrorName, protocolErrors, type RedirectableErrorName } from './error-table.ts';

export interface OAuthErrorDetails {
  /** Replaces the default text. Never holds a secret, token, code or password. */
  readonly description?: string;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Scopes that an access token would need; becomes `scope` of the challenge (RFC 6750 §3). */
  readonly scope?: string;
  /** Every rule that a submitted record breaks, for `violations` in the answer. */
  readonly violations?: readonly string[];
  /** What the error page says instead of the usual: `{key}.title` and `{key}.advice` of the locale files. */
  readonly text?: ErrorText;
  /** Whose grant was refused, for the log alone. */
  readonly account?: RefusedAccount | undefined;
  readonly cause?: unknown;
}

type RefusedAccount = { readonly identityProvider: string; readonly name: string };

export interface ErrorText {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** A refusal from the table: thrown by the rules, turned into bytes by the server's error reply alone. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly kind: ProtocolErrorName;
  readonly retryAfter: number | undefined;
  readonly scope: string | undefined;
  readonly violations: readonly string[] | undefined;
  readonly text: ErrorText | undefined;
  readonly account: RefusedAccount | undefined;

  constructor(kind: ProtocolErrorName, details: OAuthErrorDetails = {}) {
    super(details.description ?? protocolErrors[kind].description, { cause: details.cause });
    this.kind = kind;
    this.retryAfter = details.retryAfter;
    this.scope = details.scope;
    this.violations = details.violations;
    this.text = details.text;
    this.account = details.account;
  }
}

/**
 * An error that the authorization endpoint may send to the client through the browser (RFC 6749 §4.1.2.1). Any other
 * `OAuthError` is for the resource owner alone, and the types keep it from a redirect URI.
 */
export class RedirectableError extends OAuthError {
  declare readonly kind: RedirectableErrorName;

  constructor(kind: RedirectableErrorName, details?: OAuthErrorDetails) {
    super(kind, details);
  }
}
