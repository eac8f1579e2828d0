import { isInvisible } from '../model/fields/problems.ts';
import { withoutHidden } from '../model/hidden-characters.ts';

const maxNameLength = 40;

/**
 * What a client calls itself, as far as it can be shown; `''` if nothing can. Anybody can claim any name: no page shows it without a
 * host behind it. Brackets could imitate the host, and so could a name that looks like one.
 */
export function claimedName(claimed: unknown): string {
  if (typeof claimed !== 'string') return '';
  const plain = withoutHidden(claimed.normalize('NFKC').slice(0, 1000))
    .replaceAll(/[\p{Ps}\p{Pe}<>]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [short, isCut] = [
    [...plain].slice(0, maxNameLength).join('').trim(),
    [...plain].length > maxNameLength,
  ];
  if (short === '' || isInvisible(short) || /[^\s.][.\u3002][^\s.]|:\/\/|@/.test(short)) return '';
  return `${short}${isCut ? '…' : ''}`;
}

/** The name with the host that is responsible for it, or to which it leads. @param name as {@link claimedName} gives it */
export function nameAtHost(name: string, host: string): string {
  return name === '' ? host : `${name} (${host})`;
}
