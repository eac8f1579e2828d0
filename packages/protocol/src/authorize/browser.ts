/** What a browser brings with every request. */
export interface Browser {
  /** Binding cookie: ties a form to the browser that it was shown to, and a session to the one that logged in. */
  readonly binding: string | undefined;
  /** Session cookie. */
  readonly session: string | undefined;
  /** Its network address. */
  readonly source: string;
}

/** Cookies that an answer sets; an absent one stays as it is, `null` removes it. */
export interface BrowserCookies {
  readonly binding?: string;
  readonly session?: string | null;
}
