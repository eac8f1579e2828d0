/** A number; `+` stands for more that were not counted. */
export function atLeast(value: number, isCut = false): string {
  return `${value.toLocaleString('en')}${isCut ? '+' : ''}`;
}
