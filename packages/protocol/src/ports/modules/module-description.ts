/** What administrators see of an authentication module, beside its settings. */
export interface ModuleDescription {
  /** What the other side must know of this server. */
  readonly addresses: readonly DescribedAddress[];
  /** The identity providers of the module, at most {@link maxDescribedProviders} of them. */
  readonly identityProviders: readonly DescribedProvider[];
  /** Number of all of them. */
  readonly total: number;
}

export const maxDescribedProviders = 20;

export interface DescribedAddress {
  /** `entityId`, `metadata`, `acs` and `logout` of SAML; `callback`, `backchannelLogout` and `signedOut` of OpenID Connect. */
  readonly name: string;
  readonly value: string;
}

export interface DescribedProvider {
  /** As `authenticated` names it. */
  readonly identityProvider: string;
  readonly name: string;
  /** Epoch milliseconds after which its description must not be used; absent if it does not expire. */
  readonly validUntil?: number | undefined;
  /** Whose keys sign for it. */
  readonly certificates: readonly DescribedCertificate[];
}

export interface DescribedCertificate {
  readonly subject: string;
  /** SHA-256 of the certificate: hexadecimal, in pairs with colons. */
  readonly fingerprint: string;
  /** Epoch milliseconds of its end. */
  readonly validUntil: number;
}
