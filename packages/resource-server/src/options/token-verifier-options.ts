import type { Fetch } from '../platform/platform.ts';

export interface CacheOptions {
  /** Milliseconds for which token info is used, at most until the token expires; 0 = not at all. Default 5 minutes. */
  readonly ttl?: number | undefined;
  /**
   * Maximum number of stored answers for valid tokens, and of those for invalid tokens. The answer that was unused for
   * the longest time is removed first. Default 10,000.
   */
  readonly maxEntries?: number | undefined;
  /** Milliseconds for which a stored rejection is used. Default 5 seconds. */
  readonly negativeTtl?: number | undefined;
  /**
   * Milliseconds beyond `ttl`, and for JWTs beyond `jwt.maxListAge`, for which what is known may serve while the authorization
   * server does not answer. Never beyond the token's expiry. Default 0, not at all.
   */
  readonly staleIfError?: number | undefined;
}

export interface JwtOptions {
  /** Whether JWT access tokens are verified here; otherwise each is a lookup, as an opaque token is. Default true. */
  readonly local?: boolean | undefined;
  /**
   * Milliseconds by which the clocks of API and server can differ: a token is accepted for so long after its expiry, and an answer
   * of the revocation feed counts as so much younger than its time says; at most a minute. Default 5 seconds.
   */
  readonly clockTolerance?: number | undefined;
  /**
   * Milliseconds for which the list of revocations is relied on after the server has confirmed it by a signature. When it is older,
   * each JWT is a lookup, and 503 where that fails. Default 10 seconds.
   */
  readonly maxListAge?: number | undefined;
}

/** Remembers which proofs were used. One for all processes of an API refuses a proof that another process has seen. */
export interface UsedProofs {
  /**
   * Remembers a proof, and says whether it is new. Of several calls at the same time with one id, only one may get true.
   *
   * @param id a digest
   * @param until epoch milliseconds; after that the proof is refused for its age, and can be forgotten
   * @param jkt thumbprint of its key, so that a store can be fair: one client can send very many
   */
  use(id: string, until: number, jkt: string): boolean | Promise<boolean>;
}

/** Where a proxy that ends TLS names the certificate of the client (RFC 8705). It must take the header away from requests of others. */
export interface ClientCertificateOptions {
  /** The name of the header. */
  readonly header: string;
  /**
   * `pem`: percent-encoded or not, as `$ssl_client_escaped_cert` of nginx. `rfc9440`: `Client-Cert`. `base64`: DER. `xfcc`:
   * `x-forwarded-client-cert` of Envoy.
   */
  readonly form: 'pem' | 'rfc9440' | 'base64' | 'xfcc';
  /**
   * Addresses and ranges of the proxies, `10.0.0.0/8`. `*`: nobody but the proxy reaches this API; for platforms that do not tell the
   * peer, such as Workers.
   */
  readonly trustedProxies: '*' | readonly string[];
}

/** How proofs of possession are checked (RFC 9449). */
export interface DpopOptions {
  /** Of proofs. Default: those that the metadata of the server name, which are read for `url` and by `check()`; else ES256, ES384, ES512, EdDSA, Ed25519, PS256, RS256. */
  readonly algorithms?: readonly string[] | undefined;
  /** Milliseconds by which the time of a proof can differ from that of this machine, either way. Default a minute. */
  readonly window?: number | undefined;
  /** Remembers used proofs for several processes of this API. Default: each process for itself. */
  readonly usedProofs?: UsedProofs | undefined;
  /**
   * Makes proofs need a nonce of this API (RFC 9449 §9), which it sends with the status 401; all processes of the API have the same secret, of
   * 32 characters or more. Default: no nonces.
   */
  readonly nonceSecret?: string | undefined;
}

/** What the metadata of this API say beside, with the names of RFC 9728 §2. */
export interface ResourceMetadata {
  /** Issuers that tokens for this API come from. Default: `issuer`, else `url`. */
  readonly authorization_servers?: readonly string[] | undefined;
  /** Scopes that clients ask for. Default: those of the `protect` that serves the document. */
  readonly scopes_supported?: readonly string[] | undefined;
  /** The name of this API, for people. */
  readonly resource_name?: string | undefined;
  /** Web page for developers. */
  readonly resource_documentation?: string | undefined;
  /** Web page with the rules for the use of its data. */
  readonly resource_policy_uri?: string | undefined;
  /** Web page with its terms of service. */
  readonly resource_tos_uri?: string | undefined;
}

export interface TokenVerifierOptions {
  /**
   * Base URL of the authorization server, which is its issuer: `https://id.example.com`. The server names all other addresses in its
   * metadata (RFC 8414), which are fetched for the first token.
   */
  readonly url?: string | undefined;
  /** In place of `url`: token info of the authorization server, `https://id.example.com/v1/tokeninfo`. */
  readonly tokenInfoUrl?: string | undefined;
  /** Key of this API, a resource server in the authorization server's words. */
  readonly key: string;
  readonly secret: string;
  /**
   * The same as the server's setting `adminService.jsonTypeInfoIncluded`. Default: with `url` what the metadata of the server say, else
   * false.
   */
  readonly jsonTypeInfoIncluded?: boolean | undefined;
  /**
   * `iss` of JWT access tokens, and the issuer of the metadata. Default: `url`; without it, what the server states when this API
   * authenticates to it.
   */
  readonly issuer?: string | undefined;
  /**
   * The URI of this API, as its clients name it (RFC 8707) and as its resource server has it in `resources`; several if clients know it by
   * several. With it, a token for another one is refused, and `protect` serves the metadata of this API (RFC 9728).
   */
  readonly resource?: string | readonly string[] | undefined;
  readonly resourceMetadata?: ResourceMetadata | undefined;
  /**
   * The URL by which clients reach what this API sees as `/`, or several: a proof of possession names the URL of its request. Default: the
   * origin of each `resource`. Without either, tokens that are bound to a key are accepted at addresses of this machine alone.
   */
  readonly publicUrl?: string | readonly string[] | undefined;
  readonly dpop?: DpopOptions | undefined;
  /** Without it, tokens that are bound to a certificate are refused. */
  readonly clientCertificate?: ClientCertificateOptions | undefined;
  readonly jwt?: JwtOptions | undefined;
  readonly cache?: CacheOptions | undefined;
  /** Milliseconds that a lookup may take, waiting and a second attempt included. Default 5,000. */
  readonly timeout?: number | undefined;
  /** Sends requests in place of the platform's `fetch`, for a proxy, a private certificate authority, tracing. */
  readonly fetch?: Fetch | undefined;
  /** Takes messages for operators, at most one a second of a kind. Default `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
}
