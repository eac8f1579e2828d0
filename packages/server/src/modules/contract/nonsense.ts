/** What a module answered that its contract does not have. Its message completes "answered". */
export class Nonsense extends Error {
  override readonly name = 'Nonsense';
}

/** @throws Nonsense unless it is so */
export function demand(isSo: boolean, expected: string, found?: unknown): asserts isSo {
  if (isSo) return;
  throw new Nonsense(found === undefined ? expected : `${expected}, got ${kindOf(found)}`);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isWhole(value: unknown, minimum: number, maximum: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}

export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** An object whose members are all texts. */
export function isRecordOfTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && isListOfTexts(Object.values(value));
}

/** Never the value: it may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
