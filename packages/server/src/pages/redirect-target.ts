/** What pages need to know of the redirect URI that a form leads to. */
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
  // An application's own scheme (RFC 8252 §7.1) is all that such an address says of where it leads.
  return isWeb
    ? { formTarget: origin, redirectHost: host }
    : { formTarget: protocol, redirectHost: protocol.slice(0, -1) };
}
