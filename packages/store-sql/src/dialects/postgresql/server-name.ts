/** Servers are known by the first word of the name of their connections. A URL or a pooler can add words to it. */
export const serverName = 'watchword';

/** The name of a server's connections, with its release if that is known. */
export function namedServer(release: string | undefined): string {
  return release === undefined ? serverName : `${serverName} ${release}`;
}

/** The release in the name of a connection. */
export function releaseOf(applicationName: string): string | undefined {
  const [, release = ''] = applicationName.split(' ');
  return /^\d+\.\d+\.\d+/.test(release) ? release : undefined;
}
