import { redirectUriOf } from './base-url.ts';
import { isLoopbackHost } from './rules/loopback-host.ts';

/** What becomes of the page at the address under which it was opened. */
export type Opening =
  | { readonly type: 'begin' }
  /** The server is known by another name: on to there. */
  | { readonly type: 'go'; readonly address: string }
  /** It opens nowhere that this browser could go to. `remedy` is a flag of the server. */
  | {
      readonly type: 'explain';
      readonly reason: 'insecure' | 'local';
      readonly remedy: string;
    };

/**
 * @param here base URL under which the page was opened
 * @param issuer base URL by which the server is known
 * @param alternatives further ones, to which its answers may go as well
 */
export function opening(here: string, issuer: string, alternatives: readonly string[]): Opening {
  if (!isSafe(issuer)) {
    return { type: 'explain', reason: 'insecure', remedy: withHttps(issuer) };
  }
  if (here === issuer || alternatives.includes(here)) return { type: 'begin' };
  if (isLocal(issuer) && !isLocal(here)) {
    return { type: 'explain', reason: 'local', remedy: withHttps(here) };
  }
  return { type: 'go', address: redirectUriOf(issuer) };
}

function withHttps(baseUrl: string): string {
  return `--base-url ${baseUrl.replace('http:', 'https:')}`;
}

function isSafe(baseUrl: string): boolean {
  return baseUrl.startsWith('https:') || isLocal(baseUrl);
}

function isLocal(baseUrl: string): boolean {
  return isLoopbackHost(new URL(baseUrl).hostname);
}
