/** What a scope lets a client do, in words for users. The form is that of the administration interface. */
export interface ScopeDescription {
  readonly name: string;
  /** For users whose language has no text of its own. */
  readonly description?: string;
  /** By language tag (BCP 47, RFC 5646) in its canonical form. */
  readonly descriptions?: Readonly<Record<string, string>>;
}

/** The language tag in its canonical form (RFC 5646 §4.5); `undefined` for a text that is none. */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
