/** A number. `+` means that there are more, which were not counted. */
export function atLeast(value: number, isCut = false): string {
  return `${value.toLocaleString('en')}${isCut ? '+' : ''}`;
}
