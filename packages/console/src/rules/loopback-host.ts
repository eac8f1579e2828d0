/** Whether a host name, as `URL.hostname` gives it, always means the machine on which it is used. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
