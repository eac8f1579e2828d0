import { isLoopbackHost } from '@watchword/protocol';

/** Whether a server that listens on `host` as `baseUrl` can be reached from this machine alone. */
export function isLoopbackOnly(host: string, baseUrl: string): boolean {
  const hostname = host.includes(':') ? `[${host}]` : host;
  return isLoopbackHost(hostname) && isLoopbackHost(new URL(baseUrl).hostname);
}
