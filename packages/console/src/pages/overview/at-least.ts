import { numberText } from '../../format/count.ts';
/** A number. `+` means that there are more, which were not counted. */
export function atLeast(value: number, isCut = false): string {
  return `${numberText(value)}${isCut ? '+' : ''}`;
}
