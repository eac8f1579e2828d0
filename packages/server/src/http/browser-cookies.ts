import { type Browser, type BrowserCookies, OAuthError } from '@watchword/protocol';
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies by which the server knows a browser again. */
export interface BrowserCookieJar {
  /** @throws OAuthError `ambiguous_cookies` */
  read(request: FastifyRequest): Browser;
  write(reply: FastifyReply, cookies: BrowserCookies): void;
}

/**
 * Cookies that no script can read and no other site can send along with a form. Where the base is https their names
 * say so (`__Host-`, or `__Secure-` below a path prefix, where a cookie must not reach the whole host), and
 * browsers refuse such a cookie from anywhere else (RFC 6265bis §4.1.3). `__Secure-` does not keep a sibling host from
 * planting one (RFC 6265bis §8.6), which then comes beside ours: the order says nothing about which is ours, so both are
 * refused. Servers below one another have names of their own, so that their cookies are not taken for planted ones.
 *
 * @param baseUrl the base URL, which alone decides; never what a request says of itself
 */
export function browserCookieJar(baseUrl: string): BrowserCookieJar {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const namePrefix = secure ? (pathname === '/' ? '__Host-' : '__Secure-') : '';
  const below = pathname === '/' ? '' : pathname.replaceAll(/[^A-Za-z0-9_-]/g, '.');
  const names = {
    binding: `${namePrefix}watchword_flow${below}`,
    session: `${namePrefix}watchword_session${below}`,
  };

  const setCookie = (name: string, value: string | null) =>
    stringifySetCookie({
      name,
      value: value ?? '',
      path: pathname,
      httpOnly: true,
      secure,
      sameSite: 'lax',
      ...(value === null && { maxAge: 0 }),
    });

  return {
    read(request) {
      const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return {
        binding: onlyCookie(cookies, names.binding),
        session: onlyCookie(cookies, names.session),
        source: request.ip,
      };
    },
    write(reply, { binding, session }) {
      if (binding !== undefined) reply.header('set-cookie', setCookie(names.binding, binding));
      if (session !== undefined) reply.header('set-cookie', setCookie(names.session, session));
    },
  };
}

/** Values of these cookies have no character that is quoted or encoded. @throws OAuthError `ambiguous_cookies` */
function onlyCookie(cookies: readonly string[], name: string): string | undefined {
  const own = cookies
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (new Set(own).size > 1) throw new OAuthError('ambiguous_cookies');
  return own[0] || undefined;
}
