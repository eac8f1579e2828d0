/** What a browser brings with every request. */
export interface Browser {
  /** Binding cookie: ties a form to the browser that it was shown to, and a session to the one that logged in. */
  readonly binding: string | undefined;
  /** Session cookie. */
  readonly session: string | undefined;
  /** Its network address. */
  readonly source: string;
  /** Id of its request in the log. */
  readonly requestId: string;
  /** `auth_state` texts that wait in cookies while it is elsewhere, by their handles. */
  readonly waiting?: ReadonlyMap<string, string>;
  /** The authenticator of the last login in this browser, as the browser says; anybody can write it. */
  readonly lastAuthenticator?: string | undefined;
}

/**
 * How much a state that waits may have: so many cookies, each of so many characters. With its name and attributes a cookie
 * must stay below the 4,096 bytes that browsers keep of one (RFC 6265 §6.1).
 */
export const waitingLimits = { cookies: 3, length: 3900 } as const;

/** Cookies that an answer sets; an absent one stays as it is, `null` removes it. */
export interface BrowserCookies {
  readonly binding?: string;
  readonly session?: string | null;
  /** An `auth_state` that waits, or with `null` waits no longer. */
  readonly waiting?: { readonly handle: string; readonly authState: string | null };
  /** Name of the authenticator that stands first when the user chooses the next time. */
  readonly lastAuthenticator?: string;
}
