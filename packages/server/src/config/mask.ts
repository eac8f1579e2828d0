/** Masks the passwords of URLs in a text: `scheme://user:password@host` → `scheme://user:***@host`, `?password=`. */
export function maskCredentials(text: string): string {
  return text
    .replaceAll(/(:\/\/[^\s:/@]*:)[^\s"']*@/g, '$1***@')
    .replaceAll(/((?:password|secret|token)=)[^&\s"']*/gi, '$1***');
}
