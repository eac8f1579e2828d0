/** The redirect URI of a form, as pages need it. */
export interface RedirectTarget {
  /** For `PageRequest.formTargets`. */
  readonly formTarget: string;
  /** For `ConsentPage.client.redirectHost`. */
  readonly redirectHost: string;
}

/** @param uri an absolute URI, e.g. a registered redirect URI */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host, origin } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // A private-use scheme (RFC 8252 §7.1) is the only part of such a URI that identifies the application.
  return isWeb
    ? { formTarget: origin, redirectHost: host }
    : { formTarget: protocol, redirectHost: protocol.slice(0, -1) };
}
