import { authorizationUrl, type Grant, newState, readAnswer } from './authorization.ts';
import { newProof, redeemed } from './codes.ts';

export interface SilentSignIn {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly now: () => number;
}

/**
 * Gets a token by the login that the browser has at the server, and does not leave the page for it: the authorization code is in the address that
 * the request ends at, and only this page has the verifier (RFC 7636). `undefined`: the server has to ask the user something.
 */
export async function signInSilently({ baseUrl, issuer, now }: SilentSignIn): Promise<Grant | undefined> {
  const state = newState();
  const { verifier, challenge } = await newProof();
  try {
    const url = authorizationUrl({ baseUrl, state, challenge, isSilent: true });
    const answer = await fetch(url, { cache: 'no-store' });
    void answer.body?.cancel();
    const { searchParams } = new URL(answer.url);
    const isOwn = searchParams.get('state') === state && searchParams.get('iss') === issuer;
    if (!searchParams.has('code') || !isOwn) return undefined;
    const grant = readAnswer(await redeemed(searchParams, verifier, baseUrl), issuer, now());
    return grant !== undefined && 'token' in grant ? grant : undefined;
  } catch {
    // The way through the address bar shows what is wrong.
    return undefined;
  }
}
