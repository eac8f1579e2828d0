import type { Browser, BrowserCookies } from '@watchword/protocol';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies by which the server knows a browser again. */
export interface BrowserCookieJar {
  read(request: FastifyRequest): Browser;
  write(reply: FastifyReply, cookies: BrowserCookies): void;
}

/**
 * Cookies that no script can read and no other site can send along with a form. Where the base is https their names
 * say so (`__Host-`, or `__Secure-` below a path prefix, where a cookie must not reach the whole host), and
 * browsers refuse such a cookie from anywhere else (RFC 6265bis §4.1.3).
 *
 * @param baseUrl the base URL, which alone decides; never what a request says of itself
 */
export function browserCookieJar(baseUrl: string): BrowserCookieJar {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const namePrefix = secure ? (pathname === '/' ? '__Host-' : '__Secure-') : '';
  const names = { binding: `${namePrefix}watchword_flow`, session: `${namePrefix}watchword_session` };

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
      const cookies = parseCookie(request.headers.cookie ?? '');
      return { binding: cookies[names.binding], session: cookies[names.session], source: request.ip };
    },
    write(reply, { binding, session }) {
      if (binding !== undefined) reply.header('set-cookie', setCookie(names.binding, binding));
      if (session !== undefined) reply.header('set-cookie', setCookie(names.session, session));
    },
  };
}
