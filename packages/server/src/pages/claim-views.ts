import type { ClaimValue, UserClaimSet } from '@watchword/protocol';
import type { ShownOwner } from './form-page.ts';
import type { Texts } from './texts.ts';
import { text, type View } from './view-parts.ts';

/**
 * What the server knows about the user, each with its label: claims of OpenID Connect (Core §5.1). The names with which the page begins
 * are left out. A claim of the operator has a label if the locale files have one.
 */
export function claimViews(claims: UserClaimSet, owner: ShownOwner, texts: Texts): readonly View[] {
  const inTitle: Readonly<Record<string, string>> = {
    name: owner.displayName,
    preferred_username: owner.name,
  };
  const isShown = ([name, value]: readonly [string, ClaimValue]) =>
    !name.endsWith('_verified') && !(Object.hasOwn(inTitle, name) && inTitle[name] === value);
  return Object.entries(claims)
    .filter(isShown)
    .map(([name, value]) => {
      const key = `claim.${name}`;
      const label = texts.has(key) ? texts.plain(key) : text(name);
      return {
        label,
        values: valuesOf(name, value, texts).map(text),
        state: stateText(claims[`${name}_verified`], texts),
      };
    });
}

function stateText(isVerified: ClaimValue | undefined, texts: Texts): string {
  if (isVerified === undefined) return '';
  return texts.plain(isVerified === true ? 'account.verified' : 'account.unverified');
}

function valuesOf(name: string, value: ClaimValue, texts: Texts): readonly string[] {
  if (name === 'updated_at') return [texts.date(Number(value) * 1000)];
  if (typeof value !== 'object') return [String(value)];
  return isList(value) ? value : addressLines(value);
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

/** The parts of the address (§5.1.1), or the whole of it if the server knows no parts. */
function addressLines(address: Readonly<Record<string, string>>): readonly string[] {
  const parts = ['street_address', 'postal_code', 'locality', 'region', 'country'].flatMap((part) =>
    address[part] === undefined ? [] : [address[part]],
  );
  return parts.length > 0 || address.formatted === undefined ? parts : [address.formatted];
}
