/** A mail server, as a URL names it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte on. `starttls`: after a command, and never without. `none`: on this machine alone. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string | undefined;
}

const kinds = {
  'smtps:': { tls: 'implicit', port: 465 },
  'smtp+starttls:': { tls: 'starttls', port: 587 },
  'smtp:': { tls: 'none', port: 25 },
} as const;

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a text names a mail server: `smtps://user@mail.example.org`, without the password. */
export function isMailUrl(text: string): boolean {
  return mailServerOf(text) !== undefined;
}

export function mailServerOf(text: string): MailServer | undefined {
  const url = URL.parse(text);
  const kind =
    url === null ? undefined : Object.entries(kinds).find(([scheme]) => scheme === url.protocol)?.[1];
  if (url === null || kind === undefined || url.hostname === '') return undefined;
  const isBare = url.password === '' && url.search === '' && url.hash === '' && /^\/?$/.test(url.pathname);
  // A host of another scheme than http is not checked by the URL parser.
  if (!isBare || !/^(?:[\w.-]{1,255}|\[[0-9a-f:.]+\])$/i.test(url.hostname)) return undefined;
  if (kind.tls === 'none' && !loopback.test(url.hostname)) return undefined;
  const user = decoded(url.username);
  if (user === undefined) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? kind.port : Number(url.port),
    tls: kind.tls,
    user: user === '' ? undefined : user,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
