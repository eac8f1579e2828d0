/** An identity provider, described by its metadata or by the configuration. */
export interface IdentityProvider {
  readonly entityId: string;
  /** Display names by language (BCP 47, lower case); `''` for a name without a language. */
  readonly names: ReadonlyMap<string, string>;
  /** Other words by which users search for it. */
  readonly keywords: readonly string[];
  /** URL of its logo, or `''`. */
  readonly logo: string;
  /** URLs for AuthnRequests, by binding; at least one is set. */
  readonly signOn: { readonly redirect?: string; readonly post?: string };
  /** URLs for logout messages by HTTP-Redirect. */
  readonly logout: { readonly request: string; readonly response: string } | undefined;
  /** DER, base64; at least one. The key of any of them can sign. */
  readonly certificates: readonly string[];
  readonly wantsSignedRequests: boolean;
  /** The domains that scoped attributes can have; empty when the metadata names none. */
  readonly scopes: readonly Scope[];
  /** Discovery pages must not show it (REFEDS Hide From Discovery). */
  readonly isHidden: boolean;
  /** Epoch milliseconds after which it must not be used; `Infinity` without an expiry. */
  readonly validUntil: number;
  /** It forwards logins of other identity providers, and names them in `AuthenticatingAuthority` (Core §2.7.2.2). */
  readonly isProxy: boolean;
}

export interface Scope {
  readonly value: string;
  readonly isPattern: boolean;
}

/**
 * Whether a text is an entity id: an absolute URI (Core §8.3.6). Principals are stored with the entity id of their identity
 * provider, so it must differ from the names of modules, such as `password`, and from the form `proxy!provider`.
 */
export function isEntityId(text: string): boolean {
  return text.length <= 1024 && /^[a-z][a-z0-9+.-]*:[^\s!]+$/i.test(text);
}

/** The name in this language, else in English, else in any language, else the entity id. */
export function nameOf({ names, entityId }: IdentityProvider, language: string): string {
  const [base = ''] = language.toLowerCase().split('-');
  return (
    names.get(language.toLowerCase()) ??
    names.get(base) ??
    names.get('en') ??
    names.get('') ??
    names.values().next().value ??
    entityId
  );
}
