/** A cookie with the attributes that the server set. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Attributes as they were written, by their names in lower case; `''` for those without a value. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** The cookies of one host (RFC 6265 §5), on a connection that browsers treat as secure, such as loopback. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Stores the values of `Set-Cookie` of an answer from `path`. */
  store(setCookies: readonly string[], path: string): void {
    for (const text of setCookies) {
      const cookie = parseCookie(text, path);
      const key = `${cookie.name};${cookie.path}`;
      if (isExpired(cookie)) this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
  }

  /** The value of `Cookie` for a request to `path`; `undefined` when there is none to send. */
  header(path: string): string | undefined {
    const sent = this.all()
      .filter((cookie) => pathMatches(path, cookie.path))
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`);
    return sent.length === 0 ? undefined : sent.join('; ');
  }

  all(): Cookie[] {
    return [...this.#cookies.values()];
  }

  clear(): void {
    this.#cookies.clear();
  }
}

/** @param path of the request that was answered with it */
export function parseCookie(text: string, path: string): Cookie {
  const [pair = '', ...rest] = text.split(';').map((part) => part.trim());
  const attributes = new Map(
    rest.map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.toLowerCase(), value.join('=')];
    }),
  );
  const equals = pair.indexOf('=');
  const named = attributes.get('path') ?? '';
  return {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    path: named.startsWith('/') ? named : path.slice(0, Math.max(1, path.lastIndexOf('/'))),
    attributes,
  };
}

function isExpired({ attributes }: Cookie): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function pathMatches(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true;
  return path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}
