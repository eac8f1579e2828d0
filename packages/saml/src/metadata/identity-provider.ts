/** An identity provider, as its metadata or the configuration describes it. */
export interface IdentityProvider {
  readonly entityId: string;
  /** Display names by language (BCP 47, lower case); `''` for one without. */
  readonly names: ReadonlyMap<string, string>;
  /** Other words by which people search for it. */
  readonly keywords: readonly string[];
  /** URL of a picture, or `''`. */
  readonly logo: string;
  /** Where AuthnRequests go, by binding; at least one of them is there. */
  readonly signOn: { readonly redirect?: string; readonly post?: string };
  /** Where logout messages go, by HTTP-Redirect. */
  readonly logout: { readonly request: string; readonly response: string } | undefined;
  /** DER, base64: any of them may have signed. At least one. */
  readonly certificates: readonly string[];
  readonly wantsSignedRequests: boolean;
  /** What the values of scoped attributes may end with; empty when the metadata says nothing. */
  readonly scopes: readonly Scope[];
  /** It does not want to be offered to everybody. */
  readonly isHidden: boolean;
  /** Epoch milliseconds after which it must not be used; `Infinity` when there is no end. */
  readonly validUntil: number;
  /** It passes on people of other identity providers, and says of whom it was vouched for. */
  readonly isProxy: boolean;
}

export interface Scope {
  readonly value: string;
  readonly isPattern: boolean;
}

/**
 * Whether it is an absolute URI, as an entity id has to be (Core §8.3.6). It names the authority of principals too, and
 * must not be taken for one of this server's own, such as `password`, or for that of a proxy and somebody behind it.
 */
export function isEntityId(text: string): boolean {
  return text.length <= 1024 && /^[a-z][a-z0-9+.-]*:[^\s!]+$/i.test(text);
}

/** The name in the language that was asked for, else in English, else in any. */
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
