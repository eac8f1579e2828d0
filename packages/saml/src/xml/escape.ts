const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Text as Canonical XML writes it (§2.3). */
export function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replaceAll(/[&<>\r]/g, (character) => entities[character] ?? '') : text;
}

/** A value of an attribute as Canonical XML writes it (§2.3). */
export function escapeAttribute(value: string): string {
  return /[&<"\t\n\r]/.test(value)
    ? value.replaceAll(/[&<"\t\n\r]/g, (character) => entities[character] ?? '')
    : value;
}
