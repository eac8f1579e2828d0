/** What this browser keeps; `undefined` where the user has switched it off. */
export function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** What is kept as JSON; `undefined` for nothing, and for what is damaged: extensions and people can change it. */
export function keptJson(storage: Storage | undefined, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the value as JSON. What does not fit is not kept, and nothing older in its place. */
export function keepJson(storage: Storage | undefined, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value));
  } catch {
    storage?.removeItem(key);
  }
}
