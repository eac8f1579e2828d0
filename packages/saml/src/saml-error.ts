import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';

/** The check that a login or logout did not pass: for the log and the details of the error page. */
export type Check =
  | 'encoding'
  | 'xml'
  | 'structure'
  | 'status'
  | 'provider'
  | 'signature'
  | 'algorithm'
  | 'issuer'
  | 'destination'
  | 'recipient'
  | 'confirmation'
  | 'audience'
  | 'time'
  | 'request'
  | 'replay'
  | 'name'
  | 'membership'
  | 'groups';

/** A message of an identity provider is rejected, so the login or logout ends. */
export class SamlError extends Error {
  override readonly name = 'SamlError';
  readonly check: Check;

  /** @param detail for the operator: the expected and the received value, without personal data and without the assertion */
  constructor(check: Check, detail: string) {
    super(detail);
    this.check = check;
  }
}

interface Answer {
  readonly kind: ProtocolErrorName;
  /** Key of title and advice in `locales`. */
  readonly text: string;
}

const malformed: Answer = { kind: 'invalid_request', text: 'saml.malformed' };
// An attacker must not learn which check failed.
const rejected: Answer = { kind: 'access_denied', text: 'saml.refused' };

const answers: Readonly<Partial<Record<Check, Answer>>> = {
  encoding: malformed,
  xml: malformed,
  structure: rejected,
  status: { kind: 'invalid_request', text: 'saml.status' },
  provider: { kind: 'access_denied', text: 'saml.provider' },
  time: { kind: 'access_denied', text: 'saml.time' },
  request: { kind: 'invalid_request', text: 'saml.stale' },
  replay: { kind: 'access_denied', text: 'saml.stale' },
  name: { kind: 'access_denied', text: 'saml.name' },
  membership: { kind: 'access_denied', text: 'saml.member' },
  groups: { kind: 'temporarily_unavailable', text: 'saml.groups' },
};

/** The error page for the user. */
export function errorAnswer({ check }: SamlError, of: 'login' | 'logout'): OAuthError {
  const { kind, text } = answers[check] ?? rejected;
  return new OAuthError(kind, {
    description: `The ${of} through the identity provider was rejected by the check: ${nameOf(check)}.`,
    rule: 'identity_provider_response',
    text: { key: of === 'logout' ? 'saml.logout' : text },
  });
}

/**
 * Padding, form and signature of a decrypted assertion have one name. An attacker who could distinguish them could decrypt
 * assertions by trial (XML Encryption 1.1 §6.1).
 */
function nameOf(check: Check): string {
  return answers[check] === undefined || answers[check] === rejected ? 'assertion' : check;
}
