// What encodeURI encodes although it must stay: brackets (reserved), and the % of a pct-encoded triplet.
const OVERDONE = /%5[BD]|%25(?=[\dA-F]{2})/gi;

const IS_UNRESERVED = Array.from({ length: 128 }, (_, code) => /[\w.~-]/.test(String.fromCharCode(code)));

// For texts as short as names and values are, faster than a regular expression.
function isUnreserved(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (!IS_UNRESERVED[text.charCodeAt(index)]) return false;
  }
  return true;
}

/** RFC 6570 section 3.2.1, allow "U": everything but unreserved characters is encoded. */
export function encodeUnreserved(text: string): string {
  if (isUnreserved(text)) return text;
  // encodeURIComponent leaves alone what RFC 3986 section 2.2 reserves for later: %21 %27 %28 %29 %2A
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%2${'1789A'["!'()*".indexOf(character)]}`,
  );
}

/** RFC 6570 section 3.2.1, allow "U+R": reserved characters and pct-encoded triplets stay too. */
export function encodeReserved(text: string): string {
  return encodeURI(text.toWellFormed()).replace(OVERDONE, decodeURIComponent);
}
