/** Whether addresses that are not public are permitted, or the hosts for which they are. */
export type PrivateHosts = boolean | readonly string[];

/** Whether a provider can be asked at the URL: by https, or by http where the operator permits a host of the own network. */
export function isWebUrl(text: unknown, hosts: PrivateHosts): text is string {
  if (typeof text !== 'string' || !/^https?:\/\/[\x21-\x7e]+$/i.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isPrivate(url, hosts);
}

function isPrivate({ host, hostname }: URL, hosts: PrivateHosts): boolean {
  return typeof hosts === 'boolean' ? hosts : hosts.includes(host) || hosts.includes(hostname);
}
