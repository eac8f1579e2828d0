import type { SigningAlgorithm } from '../../model/signing-algorithm.ts';

/** The claims of a JWT (RFC 7519 §4): a JSON object. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** `typ` of a JWT. It keeps one kind from being taken for another (RFC 8725 §3.11). */
export type JwtType = 'JWT' | 'at+jwt' | 'logout+jwt' | 'revocations+jwt';

/** Signs JWTs, and verifies the ones that this server signed. */
export interface TokenSigner {
  /** The algorithms that the server signs with. The first is the default. */
  readonly algorithms: readonly SigningAlgorithm[];

  /**
   * Signs with the key of the algorithm that signs now.
   *
   * @param claims or their JSON in UTF-8, for many
   * @throws StoreUnavailableError or an error of the key management when no key can sign
   */
  sign(
    claims: JwtClaims | Uint8Array,
    options: { readonly algorithm: SigningAlgorithm; readonly type: JwtType },
  ): Promise<string>;

  /**
   * The claims of a JWT that this server signed; `undefined` for every other text. It checks signature, key, `typ`, and
   * the algorithm, which the key decides. The caller checks the claims, `exp` among them.
   *
   * `keys`: `published` are the keys in the JWKS; `everSigned` are these and the keys that were retired less than
   * `session.lifetime` ago (for `id_token_hint`). A compromised key never verifies.
   */
  verify(
    text: string,
    options: { readonly type: JwtType; readonly keys: 'published' | 'everSigned' },
  ): Promise<JwtClaims | undefined>;
}
