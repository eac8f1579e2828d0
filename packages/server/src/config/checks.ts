/** Checks of texts of settings, in addition to their kind. */

export function isModuleName(value: string): boolean {
  return /^[^\s\0]{1,1000}$/.test(value);
}

/** Excludes `:memory:` and `file:`. SQLite gives both a special meaning, and would not store the data of `:memory:`. */
export function isFilePath(value: string): boolean {
  return /^(?!:|file:)[^\0]*[^/\0]$/i.test(value) && !value.includes('://');
}

export function isPath(value: string): boolean {
  return value !== '' && !value.includes('\0');
}

export function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  // Compared as written, because clients compare the issuer in the same way (RFC 8414 §3.3).
  const canonical = url.pathname === '/' ? url.origin : `${url.origin}${url.pathname}`;
  return /^https?:$/.test(url.protocol) && isBare && !value.endsWith('/') && value === canonical;
}
