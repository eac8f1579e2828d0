import type { ClaimValue, UserClaimSet } from '@watchword/protocol';
import type { ShownOwner } from '../model/form-page.ts';
import type { Texts } from '../texts/texts.ts';
import { text, type View } from './view-parts.ts';

/** The names of the user, with which the page begins: as applications learn them, or else as the server knows them. */
export function namesOf({ name, preferred_username }: UserClaimSet, owner: ShownOwner): ShownOwner {
  return {
    name: typeof preferred_username === 'string' ? preferred_username : owner.name,
    displayName: typeof name === 'string' ? name : owner.displayName,
  };
}

/**
 * What the server knows about the user beside the names, each with its label: claims of OpenID Connect (Core §5.1). A claim of the operator
 * has a label if the locale files have one.
 */
export function claimViews(claims: UserClaimSet, texts: Texts): readonly View[] {
  return Object.entries(claims)
    .filter(([name]) => name !== 'name' && name !== 'preferred_username' && !name.endsWith('_verified'))
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
