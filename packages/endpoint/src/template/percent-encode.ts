/** Whether a value means the same in every place of a path: it needs no encoding, and has no dot. */
export const isWord = (text: string): boolean => !/[^\w~-]/.test(text);

/** What has no partner, such as half of an emoji, becomes U+FFFD, as `toWellFormed` of newer runtimes makes it. */
const toWellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd');

/** RFC 6570 section 3.2.1, allow "U": everything but unreserved characters is encoded. */
export const encodeUnreserved = (text: string): string => {
  // Most names and values need no encoding. This test finds that at once.
  if (!/[^\w.~-]/.test(text)) return text;
  if (!/[!'()*\ud800-\udfff]/.test(text)) return encodeURIComponent(text);
  // encodeURIComponent leaves alone what RFC 3986 section 2.2 reserves for later: %21 %27 %28 %29 %2A
  return encodeURIComponent(toWellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
};

/** RFC 6570 section 3.2.1, allow "U+R": reserved characters and pct-encoded triplets stay too. */
export const encodeReserved = (text: string): string =>
  // What needs no encoding, such as most paths
  /[^\w!#$&'()*+,./:;=?@[\]~-]/.test(text)
    ? // What encodeURI encodes although it must stay: brackets (reserved), and the % of a pct-encoded triplet.
      encodeURI(toWellFormed(text)).replace(/%5[BD]|%25(?=[\dA-F]{2})/gi, decodeURIComponent)
    : text;
