/** What a proof must be, by the name of the rule. Each text completes the sentence "Expected …". */
export const proofRules = {
  form: 'one signed JWT of at most 8192 characters',
  type: 'the type dpop+jwt',
  algorithm: 'an algorithm of this list',
  key: 'a public key that fits the algorithm',
  signature: 'a signature by the key of the header',
  method: 'the method of the request (htm)',
  url: 'the URL of the request (htu)',
  time: 'a time of issue near that of this server (iat)',
  id: 'an identifier of 1 to 256 characters (jti)',
  token: 'the digest of the access token of the request (ath)',
  nonce: 'a nonce of this server that is still usable',
} as const;

export type ProofRule = keyof typeof proofRules;

/** A proof is refused. Every proof that is refused has this error, and no other. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly rule: ProofRule;
  /** In ASCII, and never a key, a token or a nonce. */
  readonly expected: string;
  readonly came: string;

  constructor(rule: ProofRule, came: string, detail?: string) {
    const expected = detail === undefined ? proofRules[rule] : `${proofRules[rule]}: ${detail}`;
    super(`Expected ${expected}; got ${came}.`);
    this.rule = rule;
    this.expected = expected;
    this.came = came;
  }
}

/** A value of a proof as a message can have it: short, in ASCII without quotes and backslashes, so that it also fits into a header. */
export function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value).replaceAll(/[^ !#-[\]-~]/g, '?');
  return text.length > 200 ? `${text.slice(0, 200)}...` : text === '' ? 'an empty text' : text;
}
