const MOST_ENTRIES = 1000;

/**
 * Remembers what `make` made of a text. Routes and base URLs are written in code, so there are few of them;
 * the bound is for a program that glues values into them, which must not fill the memory.
 */
export const cached = <T>(make: (text: string) => T): ((text: string) => T) => {
  const made = new Map<string, T>();
  return (text) => {
    let result = made.get(text);
    if (!result) {
      result = make(text);
      if (made.size >= MOST_ENTRIES) made.clear();
      made.set(text, result);
    }
    return result;
  };
};
