/** Where the parts of a JSON object on one line stand, as columns from 1 on. */
export interface JsonColumns {
  /** The members of the object, by name. */
  readonly members: ReadonlyMap<string, number>;
  /** Where the text stops to be JSON; `undefined` if it is JSON. */
  readonly error: number | undefined;
}

const space = /[ \t\r\n]*/y;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const key = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
// JSON of people has a few levels.
const deepest = 100;

/** Reads JSON only to say where something stands: the parser of the platform says it for a part of all errors. */
export function jsonColumns(text: string): JsonColumns {
  const members = new Map<string, number>();
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const takeSign = (sign: string): boolean => {
    take(space);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  /** Members up to the end sign. @param item reads one */
  const takeList = (end: string, item: () => boolean): boolean => {
    if (takeSign(end)) return true;
    do if (!item()) return false;
    while (takeSign(','));
    return takeSign(end);
  };
  const takeMember = (depth: number): boolean => {
    take(space);
    const column = at + 1;
    const name = take(key);
    if (name === undefined) return false;
    if (depth === 0) members.set(JSON.parse(name), column);
    return takeSign(':') && takeValue(depth + 1);
  };
  const takeValue = (depth: number): boolean => {
    if (depth > deepest) return false;
    if (takeSign('{')) return takeList('}', () => takeMember(depth));
    if (takeSign('[')) return takeList(']', () => takeValue(depth + 1));
    return take(scalar) !== undefined;
  };
  const isJson = takeValue(0);
  take(space);
  return { members, error: isJson && at === text.length ? undefined : at + 1 };
}
