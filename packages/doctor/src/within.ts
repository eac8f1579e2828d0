/** Whether a URL is the base URL, or one below it. Secrets and cookies are for no other address. */
export function isWithin(baseUrl: string, url: string): boolean {
  const [base, target] = [new URL(baseUrl), URL.parse(url)];
  // With a slash at both ends, so that /auth does not permit /authority.
  return (
    target?.origin === base.origin &&
    `${target.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`)
  );
}
