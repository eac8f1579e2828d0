/** Octets: a client_id is shown, stored, and a key of records. */
const maxLength = 1000;

// RFC 3986 §2: what a URI is made of.
const noUriCharacter = /[^A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%*]/;

// Read from the text: URL parsers repair what is wrong, and two of them repair it differently. A dot at the end of a name is another
// spelling of the same host, which no rule for hosts would match.
const urlPattern =
  /^https:\/\/(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?<path>\/[^?]*)?(?:\?.*)?$/i;

/**
 * Why the URL can be no client_id (draft-ietf-oauth-client-id-metadata-document-02 §3); `undefined` if it can. It is a part of a
 * sentence, in ASCII.
 */
export function documentUrlProblem(url: string): string | undefined {
  if (url.length > maxLength) return `is longer than ${maxLength} characters`;
  if (url.includes('#')) return 'has a fragment';
  if (noUriCharacter.test(url)) return 'has a character that no URL has; encode it';
  if (/^[^/]*\/\/[^/?]*@/.test(url)) return 'has a user name or password';
  const found = urlPattern.exec(url);
  if (found === null || !URL.canParse(url)) return 'has no host that can be read';
  const path = found.groups?.path;
  if (path === undefined) return 'has no path; at least a slash must follow the host';
  return path.split('/').some(isDotSegment) ? 'has a path segment of one or two dots' : undefined;
}

function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
