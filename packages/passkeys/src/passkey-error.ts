/** The check of WebAuthn that an answer of a browser did not pass. */
export type PasskeyCheck =
  | 'size'
  | 'form'
  | 'type'
  | 'challenge'
  | 'origin'
  | 'frame'
  | 'relying_party'
  | 'user_presence'
  | 'user_verification'
  | 'backup'
  | 'discoverable'
  | 'algorithm'
  | 'attestation'
  | 'credential'
  | 'user'
  | 'signature'
  | 'counter';

/** An answer of a browser is refused. Every answer that is refused has this error, and no other. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
  readonly check: PasskeyCheck;

  /** @param detail what was expected and what came: for the log, without challenges, keys and personal data */
  constructor(check: PasskeyCheck, detail: string) {
    super(detail);
    this.check = check;
  }
}
