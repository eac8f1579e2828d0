import type { PublicKeyMembers } from '../../model/records/signing-key.ts';
import type { SigningAlgorithm } from '../../model/signing-algorithm.ts';

/**
 * A key management system that holds the private halves of signing keys, such as a cloud service or a PKCS#11 token. The server
 * never sees them. Each call has a time limit, at which its signal is aborted.
 */
export interface KeyManagement {
  /** Shown to operators. */
  readonly name: string;
  /**
   * Makes a key pair, which is used with this algorithm only: RSA of 2048 bits or more for RS256 and PS256, P-256 for ES256,
   * Ed25519 for EdDSA.
   *
   * @returns its reference: a text by which the other methods find it, also after a restart and at other nodes
   */
  create(algorithm: SigningAlgorithm, call: KeyManagementCall): Promise<string>;
  /** The public half as a JSON Web Key (RFC 7517). Members that are not of the public key are left out. */
  publicKey(reference: string, call: KeyManagementCall): Promise<PublicKeyMembers>;
  /**
   * The signature as JWS has it (RFC 7518 §3, RFC 8037 §3.1): for ES256 the 64 bytes of R and S, and not ASN.1.
   *
   * @param data the JWS signing input, which the system hashes with SHA-256, for EdDSA not
   */
  sign(
    reference: string,
    algorithm: SigningAlgorithm,
    data: Uint8Array,
    call: KeyManagementCall,
  ): Promise<Uint8Array>;
  /** Removes a key that does not sign any more. Absent if operators remove keys. */
  remove?(reference: string, call: KeyManagementCall): Promise<void>;
}

export interface KeyManagementCall {
  /** Aborted when the server does not wait any longer. */
  readonly signal: AbortSignal;
}

/** The argument of the factory, which is the default export of a module. */
export interface KeyManagementOptions {
  /** `signing.kmsOptions` of the configuration, unchanged. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The factory can reject its options with any error: its message is shown to the operator. */
export type KeyManagementFactory = (options: KeyManagementOptions) => KeyManagement | Promise<KeyManagement>;

/** The private half of a signing key cannot be used, or none can be made. The message has advice for the operator. */
export class KeyManagementError extends Error {
  override readonly name = 'KeyManagementError';
}
