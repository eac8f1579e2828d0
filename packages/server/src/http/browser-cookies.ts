import { type Browser, type BrowserCookies, OAuthError } from '@watchword/protocol';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { HttpRequest } from './request.ts';
import { outdatedHandles, waitingCookies, waitingNames, waitingTexts } from './waiting-cookies.ts';

/** The cookies by which the server knows a browser again. */
export interface BrowserCookieJar {
  /** @throws OAuthError `ambiguous_cookies` */
  read(request: HttpRequest): Browser;
  /**
   * Whether the request has what cookies its browser keeps of ours. To a POST from another site browsers add none
   * (`SameSite=Lax`), so that a missing one says nothing there.
   */
  cameAlong(request: HttpRequest): boolean;
  /**
   * Values of `Set-Cookie`, like those of the methods below: a cookie by which {@link cameAlong} tells for browsers that
   * do not say where a request comes from.
   */
  probe(request: HttpRequest): string[];
  changed(request: HttpRequest, cookies: BrowserCookies): string[];
  /** Removes all that waits. Requests that are made at once do not see one another's cookies, so it can be too much. */
  forgetWaiting(request: HttpRequest): string[];
  /** What an authentication module had the browser remember. @param module its name, where there are several */
  remembered(request: HttpRequest, module?: string): string | undefined;
  /** Has the browser remember a text of an authentication module, unless it is too long. */
  remember(text: string, module?: string): string[];
}

const year = 31_536_000;
const maxRememberedLength = 1000;

/**
 * Cookies that no script can read and no other site can send along with a form. Where the base is https their names
 * say so (`__Host-`, or `__Secure-` below a path prefix, where a cookie must not reach the whole host), and
 * browsers refuse such a cookie from anywhere else (RFC 6265bis §4.1.3). `__Secure-` does not keep a sibling host from
 * planting one (RFC 6265bis §8.6), which then comes beside ours: the order says nothing about which is ours, so both are
 * refused. Servers below one another have names of their own, so that their cookies are not taken for planted ones.
 *
 * @param baseUrl the base URL, which alone decides; never what a request says of itself
 * @param waitingLifetime seconds that a state may wait for a browser that is elsewhere
 */
export function browserCookieJar(baseUrl: string, waitingLifetime: number): BrowserCookieJar {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const namePrefix = secure ? (pathname === '/' ? '__Host-' : '__Secure-') : '';
  const names = cookieNames(namePrefix, pathname === '/' ? '' : cookieToken(pathname));
  const rememberedName = (module?: string) =>
    module === undefined ? names.remembered : `${names.remembered}_${cookieToken(module)}`;
  const remembered = ({ headers }: HttpRequest, name: string) =>
    parseCookie(headers.cookie ?? '')[name]?.slice(0, maxRememberedLength);

  const setCookie = (name: string, value: string | null, maxAge?: number) =>
    stringifySetCookie({
      name,
      value: value ?? '',
      path: pathname,
      httpOnly: true,
      secure,
      sameSite: 'lax',
      ...(value === null ? { maxAge: 0 } : maxAge !== undefined && { maxAge }),
    });
  const removeWaiting = (pairs: readonly string[], handle: string) =>
    waitingNames(pairs, names.waiting, handle).map((name) => setCookie(name, null));

  return {
    read(request) {
      const pairs = pairsOf(request);
      return {
        binding: onlyCookie(pairs, names.binding),
        session: onlyCookie(pairs, names.session),
        source: request.source,
        requestId: request.id,
        waiting: waitingTexts(pairs, names.waiting),
        lastAuthenticator: remembered(request, names.lastAuthenticator),
      };
    },
    cameAlong(request) {
      const has = (name: string) => pairsOf(request).some((pair) => pair.startsWith(`${name}=`));
      const site = fetchSite(request);
      return has(names.binding) || (site === undefined ? has(names.probe) : site !== 'cross-site');
    },
    probe: (request) => (fetchSite(request) === undefined ? [setCookie(names.probe, 'x')] : []),
    changed(request, { binding, session, waiting, lastAuthenticator }) {
      const changes: string[] = [];
      if (lastAuthenticator !== undefined) {
        changes.push(setCookie(names.lastAuthenticator, lastAuthenticator, year));
      }
      if (binding !== undefined) changes.push(setCookie(names.binding, binding));
      if (session !== undefined) changes.push(setCookie(names.session, session));
      if (waiting === undefined) return changes;
      const { handle, authState } = waiting;
      const pairs = pairsOf(request);
      if (authState === null) return [...changes, ...removeWaiting(pairs, handle)];
      for (const { name, value } of waitingCookies(names.waiting, handle, authState)) {
        changes.push(setCookie(name, value, waitingLifetime));
      }
      const others = waitingTexts(pairs, names.waiting);
      const outdated = outdatedHandles(others, authState);
      return [...changes, ...outdated.flatMap((other) => removeWaiting(pairs, other))];
    },
    forgetWaiting(request) {
      const pairs = pairsOf(request);
      const handles = [...waitingTexts(pairs, names.waiting).keys()];
      return handles.flatMap((handle) => removeWaiting(pairs, handle));
    },
    remembered: (request, module) => remembered(request, rememberedName(module)),
    remember: (text, module) =>
      text.length > maxRememberedLength ? [] : [setCookie(rememberedName(module), text, year)],
  };
}

/** @param below path of the base URL, as a part of a name */
function cookieNames(namePrefix: string, below: string) {
  return {
    binding: `${namePrefix}watchword_flow${below}`,
    session: `${namePrefix}watchword_session${below}`,
    waiting: `${namePrefix}watchword_waiting${below}`,
    remembered: `${namePrefix}watchword_choice${below}`,
    lastAuthenticator: `${namePrefix}watchword_authenticator${below}`,
    probe: `${namePrefix}watchword_probe${below}`,
  };
}

/** A part of the name of a cookie. */
function cookieToken(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '.');
}

/**
 * Where the request comes from, as the browser says and no page can change (Fetch Metadata). Older browsers do not, nor
 * any over plain http to a host that is not loopback.
 */
function fetchSite({ headers }: HttpRequest): string | undefined {
  return headers['sec-fetch-site']?.toString();
}

function pairsOf({ headers }: HttpRequest): string[] {
  return (headers.cookie ?? '').split(';').map((pair) => pair.trim());
}

/** Values of these cookies have no character that is quoted or encoded. @throws OAuthError `ambiguous_cookies` */
function onlyCookie(cookies: readonly string[], name: string): string | undefined {
  const own = cookies
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (new Set(own).size > 1) throw new OAuthError('ambiguous_cookies');
  return own[0] || undefined;
}
