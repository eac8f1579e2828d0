/** Whoever has the passkeys: this server. */
export interface RelyingParty {
  /** A domain: the host of the server, a parent domain of it, or the domain that names the origin among its related ones. */
  readonly id: string;
  /** The origin of the pages that ask for passkeys, such as `https://login.example.org`. */
  readonly origin: string;
}

/** What one ceremony asked for. */
export interface AskedCeremony {
  readonly relyingParty: RelyingParty;
  /** base64url, of the options. The caller lets it be answered once. */
  readonly challenge: string;
}

/** A passkey, as it is stored. */
export interface Passkey {
  /** The credential id: base64url of at most 1,023 octets. */
  readonly id: string;
  /** SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string;
  /** COSE algorithm: -8 (EdDSA), -7 (ES256), -257 (RS256). */
  readonly algorithm: number;
  /** Signature counter. 0: the authenticator counts nothing. */
  readonly counter: number;
  /** It can be on several devices. It never changes. */
  readonly isBackupEligible: boolean;
  /** It is on several devices now. */
  readonly isBackedUp: boolean;
  /** How browsers reach the authenticator, such as `internal`, `hybrid`, `usb`. */
  readonly transports: readonly string[];
}

/** What a login has proved. The user was present and verified. */
export interface UsedPasskey {
  readonly counter: number;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
}

/** Milliseconds that browsers let people think. */
export const ceremonyTimeout = 5 * 60 * 1000;
