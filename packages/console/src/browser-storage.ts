/** What this browser keeps; `undefined` where the user has switched it off. */
export function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
