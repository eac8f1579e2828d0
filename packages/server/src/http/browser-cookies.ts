import { type Browser, type BrowserCookies, OAuthError } from '@watchword/protocol';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isAtThisMachine } from './foreign-host.ts';
import type { HttpRequest } from './request.ts';
import {
  outdatedHandles,
  type WaitingCookie,
  waitingCookies,
  waitingPairs,
  waitingTexts,
} from './waiting-cookies.ts';

/** The cookies by which the server recognizes a browser. */
export interface BrowserCookieJar {
  /** @throws OAuthError `ambiguous_cookies` */
  read(request: HttpRequest): Browser;
  /**
   * Whether the request has the cookies of this server that its browser stores. Browsers add none to a POST from another
   * site (`SameSite=Lax`), so a missing cookie has no meaning there.
   */
  cameAlong(request: HttpRequest): boolean;
  /** Whether the browser has a cookie of a login. It can have ended: this decides nothing. */
  hasSession(request: HttpRequest): boolean;
  /**
   * Values of `Set-Cookie`, as from the methods below. {@link cameAlong} needs this cookie for browsers that do not send the
   * origin of a request.
   */
  probe(request: HttpRequest): string[];
  changed(request: HttpRequest, cookies: BrowserCookies): string[];
  /**
   * Removes waiting states, the largest first. Simultaneous requests do not see the cookies of one another, so there can be too
   * many.
   */
  forgetWaiting(request: HttpRequest): string[];
  /** The text that the browser stores for an authentication module. @param module its name, if there are several */
  remembered(request: HttpRequest, module?: string): string | undefined;
  /** The language that the user has chosen in this browser. The value can be anything. */
  language(request: Pick<HttpRequest, 'headers'>): string | undefined;
  chooseLanguage(language: string): string;
  /** Stores a text of an authentication module in the browser, unless the text is too long. */
  remember(text: string, module?: string): string[];
}

const year = 31_536_000;
const maxRememberedLength = 1000;
// Lines of `Set-Cookie` in an answer. A proxy has limits too, and what is left is removed with the next answer.
const maxLines = 20;

/**
 * Cookies that no script can read and that no other site can send with a form. For an https base URL the names have the
 * prefix `__Host-`, or `__Secure-` with a path prefix, because then the cookie must not apply to the whole host. Browsers
 * reject such a cookie without https (RFC 6265bis §4.1.3). With `__Secure-` a sibling host can still set a cookie of the
 * same name (RFC 6265bis §8.6), and the browser sends both. Their order does not show which one is from this server, so
 * both are rejected. Servers whose paths are nested use different names, so that their cookies do not conflict.
 *
 * @param baseUrl the base URL of the configuration; the URL of a request is not trusted
 * @param waitingLifetime seconds that a state can wait while the browser is at another server
 */
export function browserCookieJar(baseUrl: string, waitingLifetime: number): BrowserCookieJar {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const namePrefix = secure ? (pathname === '/' ? '__Host-' : '__Secure-') : '';
  const names = cookieNames(namePrefix, pathname === '/' ? '' : cookieToken(pathname));
  const rememberedName = (module?: string) =>
    module === undefined ? names.remembered : `${names.remembered}_${cookieToken(module)}`;
  const setCookie = cookieSetter(pathname, secure);
  const changedCookie = (name: string, value: string | null | undefined, maxAge?: number) =>
    value === undefined ? [] : [setCookie(name, value, maxAge)];
  const remove = ({ name }: WaitingCookie) => setCookie(name, null);

  return {
    read(request) {
      const pairs = pairsOf(request);
      return {
        binding: onlyCookie(pairs, names.binding),
        session: onlyCookie(pairs, names.session),
        source: request.source,
        isAtThisMachine: isAtThisMachine(request),
        userAgent: request.headers['user-agent'],
        language: wantedLanguage(request, names.language),
        requestId: request.id,
        waiting: waitingTexts(pairs, names.waiting),
        lastAuthenticator: remembered(request, names.lastAuthenticator),
        device: soleCookie(pairs, names.device),
        trusted: soleCookie(pairs, names.trusted),
      };
    },
    cameAlong(request) {
      const site = fetchSite(request);
      const isOwn = site === undefined ? hasCookie(request, names.probe) : site !== 'cross-site';
      return hasCookie(request, names.binding) || isOwn;
    },
    hasSession: (request) => hasCookie(request, names.session),
    probe: (request) => (fetchSite(request) === undefined ? [setCookie(names.probe, 'x')] : []),
    changed(request, { binding, session, waiting, lastAuthenticator, device, trusted }) {
      const changes = [
        ...changedCookie(names.lastAuthenticator, lastAuthenticator, year),
        ...changedCookie(names.device, device, year),
        ...changedCookie(names.trusted, trusted, year),
        ...changedCookie(names.binding, binding),
        ...changedCookie(names.session, session),
      ];
      if (waiting === undefined) return changes;
      const { handle, authState } = waiting;
      const pairs = pairsOf(request);
      const removed = (handles: ReadonlySet<string>) => {
        const outdated = waitingPairs(pairs, names.waiting, handles);
        return [...changes, ...outdated.slice(0, maxLines - changes.length).map(remove)];
      };
      if (authState === null) return removed(new Set([handle]));
      for (const { name, value } of waitingCookies(names.waiting, handle, authState)) {
        changes.push(setCookie(name, value, waitingLifetime));
      }
      return removed(outdatedHandles(waitingTexts(pairs, names.waiting), authState));
    },
    forgetWaiting(request) {
      const waiting = waitingPairs(pairsOf(request), names.waiting);
      const largest = waiting.toSorted((a, b) => b.value.length - a.value.length);
      return largest.slice(0, maxLines).map(remove);
    },
    language: (request) => remembered(request, names.language),
    chooseLanguage: (language) => setCookie(names.language, language, year),
    remembered: (request, module) => remembered(request, rememberedName(module)),
    remember: (text, module) =>
      text.length > maxRememberedLength ? [] : [setCookie(rememberedName(module), text, year)],
  };
}

/** Few browsers have such a cookie, and parsing all cookies takes longer than this search. */
function remembered(
  { headers: { cookie = '' } }: Pick<HttpRequest, 'headers'>,
  name: string,
): string | undefined {
  return cookie.includes(name) ? parseCookie(cookie)[name]?.slice(0, maxRememberedLength) : undefined;
}

/** What the user has chosen, or the header, of which the first languages are enough. */
function wantedLanguage(request: Pick<HttpRequest, 'headers'>, name: string): string | undefined {
  return (remembered(request, name) ?? request.headers['accept-language'])?.slice(0, 100);
}

/** Makes the function that makes a value of `Set-Cookie`; `null` removes the cookie. */
function cookieSetter(path: string, secure: boolean) {
  return (name: string, value: string | null, maxAge?: number): string =>
    stringifySetCookie({
      name,
      value: value ?? '',
      path,
      httpOnly: true,
      secure,
      sameSite: 'lax',
      ...(value === null ? { maxAge: 0 } : maxAge !== undefined && { maxAge }),
    });
}

// Part of the name of each cookie of a server.
const ownName = 'watchword_';

/** @param below path of the base URL, as a part of a name */
function cookieNames(namePrefix: string, below: string) {
  return {
    binding: `${namePrefix}${ownName}flow${below}`,
    session: `${namePrefix}${ownName}session${below}`,
    waiting: `${namePrefix}${ownName}waiting${below}`,
    remembered: `${namePrefix}${ownName}choice${below}`,
    lastAuthenticator: `${namePrefix}${ownName}authenticator${below}`,
    device: `${namePrefix}${ownName}device${below}`,
    trusted: `${namePrefix}${ownName}trusted${below}`,
    probe: `${namePrefix}${ownName}probe${below}`,
    language: `${namePrefix}${ownName}language${below}`,
  };
}

/** A text as part of the name of a cookie. */
function cookieToken(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '.');
}

/**
 * The site that the request comes from. The browser sends it and no page can change it (Fetch Metadata). Older browsers do
 * not send it, and no browser sends it over plain http to a host that is not loopback.
 */
function fetchSite({ headers }: HttpRequest): string | undefined {
  return headers['sec-fetch-site']?.toString();
}

/** The cookies whose names can be those of this server. A request can have thousands of others, which are not looked at. */
function pairsOf({ headers: { cookie = '' } }: HttpRequest): string[] {
  const pairs: string[] = [];
  for (let at = cookie.indexOf(ownName); at !== -1; at = cookie.indexOf(ownName, at)) {
    const start = cookie.lastIndexOf(';', at) + 1;
    const end = cookie.indexOf(';', at);
    at = end === -1 ? cookie.length : end;
    pairs.push(cookie.slice(start, at).trim());
  }
  return pairs;
}

function hasCookie(request: HttpRequest, name: string): boolean {
  return pairsOf(request).some((pair) => pair.startsWith(`${name}=`));
}

/** Values of these cookies contain no character that must be quoted or encoded. @throws OAuthError `ambiguous_cookies` */
function onlyCookie(cookies: readonly string[], name: string): string | undefined {
  const [value, ...others] = valuesOf(cookies, name);
  if (others.length > 0) throw new OAuthError('ambiguous_cookies');
  return value || undefined;
}

/** A cookie that proves nothing of the user and only spares waits: of two different ones none is used. */
function soleCookie(cookies: readonly string[], name: string): string | undefined {
  const [value, ...others] = valuesOf(cookies, name);
  return others.length > 0 ? undefined : value || undefined;
}

/** The different values of the cookies of a name. */
function valuesOf(cookies: readonly string[], name: string): ReadonlySet<string> {
  const start = `${name}=`;
  const own = cookies.filter((pair) => pair.startsWith(start));
  return new Set(own.map((pair) => pair.slice(start.length)));
}
