import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';

/** The check that a login or logout did not pass: for the log and the details of the error page. */
export type Check =
  | 'unreachable'
  | 'metadata'
  | 'keys'
  | 'request'
  | 'response'
  | 'issuer'
  | 'status'
  | 'client'
  | 'code'
  | 'signature'
  | 'audience'
  | 'time'
  | 'nonce'
  | 'token'
  | 'subject'
  | 'userinfo'
  | 'events'
  | 'replay'
  | 'name'
  | 'size'
  | 'membership';

/** What a provider says, or that it says nothing, ends the login or logout. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly check: Check;

  /** @param detail for the operator: what was expected and what came, without tokens, codes and personal data */
  constructor(check: Check, detail: string) {
    super(detail);
    this.check = check;
  }
}

interface Answer {
  readonly kind: ProtocolErrorName;
  /** Key of title and advice in `locales`. */
  readonly text: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

// An attacker must not learn more than the name of the check.
const rejected: Answer = { kind: 'access_denied', text: 'upstream.refused' };
const unavailable: Answer = {
  kind: 'temporarily_unavailable',
  text: 'upstream.unavailable',
  retryAfter: 30,
};

const answers: Readonly<Partial<Record<Check, Answer>>> = {
  unreachable: unavailable,
  metadata: unavailable,
  keys: unavailable,
  client: { kind: 'access_denied', text: 'upstream.setup' },
  request: { kind: 'invalid_request', text: 'upstream.stale' },
  code: { kind: 'access_denied', text: 'upstream.stale' },
  name: { kind: 'access_denied', text: 'upstream.name' },
  size: { kind: 'access_denied', text: 'upstream.name' },
  membership: { kind: 'access_denied', text: 'upstream.member' },
};

/** Whether the provider could not be asked, so that the same can succeed later. */
export function isTemporary({ check }: UpstreamError): boolean {
  return answers[check] === unavailable;
}

/** The error page for the user. */
export function errorAnswer({ check }: UpstreamError, of: 'login' | 'logout'): OAuthError {
  const { kind, text, retryAfter } = answers[check] ?? rejected;
  return new OAuthError(kind, {
    description: `The ${of} at the identity provider was rejected by the check: ${check}.`,
    rule: 'identity_provider_response',
    text: { key: text },
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
