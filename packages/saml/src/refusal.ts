import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';

/** What was checked when a login was refused: for the log, and in the details of the error page. */
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

/** A login that is refused, or a logout. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal';
  readonly check: Check;

  /** @param detail for the operator: what was expected and what came, nothing about the person and no assertion */
  constructor(check: Check, detail: string) {
    super(detail);
    this.check = check;
  }
}

interface Answer {
  readonly kind: ProtocolErrorName;
  /** Of `locales`: title and advice. */
  readonly text: string;
}

const malformed: Answer = { kind: 'invalid_request', text: 'saml.malformed' };
// Whoever tries to break in learns no more than this.
const refused: Answer = { kind: 'access_denied', text: 'saml.refused' };

const answers: Readonly<Partial<Record<Check, Answer>>> = {
  encoding: malformed,
  xml: malformed,
  structure: refused,
  status: { kind: 'invalid_request', text: 'saml.status' },
  provider: { kind: 'access_denied', text: 'saml.provider' },
  time: { kind: 'access_denied', text: 'saml.time' },
  request: { kind: 'invalid_request', text: 'saml.stale' },
  replay: { kind: 'access_denied', text: 'saml.stale' },
  name: { kind: 'access_denied', text: 'saml.name' },
  membership: { kind: 'access_denied', text: 'saml.member' },
  groups: { kind: 'temporarily_unavailable', text: 'saml.groups' },
};

/** What the person is told. */
export function answerTo({ check }: SamlRefusal, of: 'login' | 'logout'): OAuthError {
  const { kind, text } = answers[check] ?? refused;
  return new OAuthError(kind, {
    description: `The ${of} through the identity provider was refused by the check: ${nameOf(check)}.`,
    text: { key: of === 'logout' ? 'saml.logout' : text },
  });
}

/** Of a decrypted assertion nobody learns whether its padding, its form or its signature was wrong. */
function nameOf(check: Check): string {
  return answers[check] === undefined || answers[check] === refused ? 'assertion' : check;
}
