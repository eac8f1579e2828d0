/** What a browser sends with every request. */
export interface Browser {
  /** The binding cookie. It ties a form to the browser that shows it, and a session to the browser of the login. */
  readonly binding: string | undefined;
  /** The session cookie. */
  readonly session: string | undefined;
  /** Network address of the browser. */
  readonly source: string;
  /** Whether it runs on the machine of the server, as far as the request shows. Default: no. */
  readonly isAtThisMachine?: boolean;
  /** The header `User-Agent`, which can be anything. */
  readonly userAgent?: string | undefined;
  /** The language that the user has chosen, or else the header `Accept-Language`: it can be anything. */
  readonly language?: string | undefined;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** `auth_state` texts by their handles. They wait in cookies while the browser is at another server. */
  readonly waiting?: ReadonlyMap<string, string>;
  /** The authenticator of the last login in this browser, as the browser reports it. The value is not authenticated. */
  readonly lastAuthenticator?: string | undefined;
  /** By which `LoginAttempts` knows this device, as the browser reports it. */
  readonly device?: string | undefined;
  /** By which the browser is known to people who trust it. Whoever has it and their password needs no second factor. */
  readonly trusted?: string | undefined;
}

/**
 * The size of a waiting state: the number of cookies, and the characters of each. With its name and its attributes a cookie
 * must stay below the 4,096 bytes that every browser keeps (RFC 6265 §6.1).
 */
export const waitingLimits = { cookies: 3, length: 3900 } as const;

/** Cookies that an answer sets; an absent cookie does not change, `null` removes it. */
export interface BrowserCookies {
  readonly binding?: string;
  readonly session?: string | null;
  /** An `auth_state` that waits; `null` when it waits no longer. */
  readonly waiting?: { readonly handle: string; readonly authState: string | null };
  /** Name of the authenticator that is the first at the next choice of the user. */
  readonly lastAuthenticator?: string;
  /** By which `LoginAttempts` knows this device from now on. */
  readonly device?: string;
  /** By which the browser is known from now on to people who trust it. */
  readonly trusted?: string;
}
