import type { TokenInfo } from '../token-info.ts';

const realms = new WeakMap<TokenInfo, string>();

/**
 * Makes the token info of a guard know its realm, so that the helpers name it too. Requests share token info, also those of guards
 * with other realms, so each guard has a copy of its own.
 */
export function remembering(realm: string): (tokenInfo: TokenInfo) => TokenInfo {
  const copies = new WeakMap<TokenInfo, TokenInfo>();
  return (tokenInfo) => {
    const known = copies.get(tokenInfo);
    if (known !== undefined) return known;
    const copy = Object.freeze({ ...tokenInfo });
    copies.set(tokenInfo, copy);
    realms.set(copy, realm);
    return copy;
  };
}

/** The realm of the guard that returned the token info, if it has one. */
export function realmOf(tokenInfo: TokenInfo): string | undefined {
  return realms.get(tokenInfo);
}
