/**
 * The host that identifies the sector of a client (OpenID Connect Core §8.1); `''` if the URI has none. Only the owner of a host gets
 * what is sent there by https. Every application can receive responses at a loopback host, and in a private-use scheme
 * (`com.example.app://host`) the host is only a word.
 */
export function sectorHost(uri: string): string {
  const { protocol, hostname = '' } = URL.parse(uri) ?? {};
  return protocol === 'https:' ? hostname : '';
}
