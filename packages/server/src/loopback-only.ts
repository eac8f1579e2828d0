import { isLoopbackHost } from '@watchword/protocol';

/** Whether only this machine can reach a server that listens on `host` with this base URL. */
export function isLoopbackOnly(host: string, baseUrl: string): boolean {
  const hostname = host.includes(':') ? `[${host}]` : host;
  return isLoopbackHost(hostname) && isLoopbackHost(new URL(baseUrl).hostname);
}
