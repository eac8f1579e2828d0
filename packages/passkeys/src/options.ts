import { type AskedCeremony, ceremonyTimeout, type Passkey } from './ceremony.ts';
import { algorithms } from './public-key.ts';

/** Where people probably have the passkey (WebAuthn Level 3 §5.8.7): browsers offer this way first. */
export type Hint = 'security-key' | 'client-device' | 'hybrid';

/** A passkey that a browser looks for. */
export type KnownPasskey = Pick<Passkey, 'id' | 'transports'>;

export interface PasskeyUser {
  /** base64url of at most 64 octets, without personal data. A login with the passkey names it. */
  readonly handle: string;
  readonly name: string;
  readonly displayName: string;
}

export interface AskedCreation extends AskedCeremony {
  /** Of the relying party: browsers show it. */
  readonly name: string;
  readonly user: PasskeyUser;
  /** The passkeys of the user: their authenticators make no other one. */
  readonly known: readonly KnownPasskey[];
  readonly hints?: readonly Hint[];
}

export interface AskedRequest extends AskedCeremony {
  /** Absent: whichever passkey the user chooses. */
  readonly allowed?: readonly KnownPasskey[];
  readonly hints?: readonly Hint[];
}

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.9), for `parseCreationOptionsFromJSON` of the browser. */
export type CreationOptions = ReturnType<typeof creationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` (§5.1.10). */
export type RequestOptions = ReturnType<typeof requestOptions>;

export function creationOptions({ relyingParty, name, challenge, user, known, hints = [] }: AskedCreation) {
  return {
    rp: { id: relyingParty.id, name },
    user: { id: user.handle, name: user.name, displayName: user.displayName },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg }) as const),
    timeout: ceremonyTimeout,
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: {
      residentKey: 'required',
      // For browsers of Level 1.
      requireResidentKey: true,
      userVerification: 'required',
    },
    hints,
    attestation: 'none',
    extensions: { credProps: true },
  } as const;
}

export function requestOptions({ relyingParty, challenge, allowed = [], hints = [] }: AskedRequest) {
  return {
    challenge,
    timeout: ceremonyTimeout,
    rpId: relyingParty.id,
    allowCredentials: allowed.map(descriptor),
    userVerification: 'required',
    hints,
  } as const;
}

function descriptor({ id, transports }: KnownPasskey) {
  return { type: 'public-key', id, transports } as const;
}
