/** Of a generation. Two are kept. */
const MOST_ENTRIES = 1000;

/** What is longer is made anew each time, so that few entries cannot fill the memory. */
const LONGEST_TEXT = 1000;

/**
 * Remembers what `make` made of a text. Routes and base URLs are written in code, so there are few of them;
 * the bound is for a program that glues values into them, which must not fill the memory. What was asked for since the
 * generation before is kept.
 */
export const cached = <T extends NonNullable<unknown>>(make: (text: string) => T): ((text: string) => T) => {
  let made = new Map<string, T>();
  let before = made;
  return (text) => {
    let result = made.get(text);
    if (result === undefined) {
      result = before.get(text) ?? make(text);
      if (text.length <= LONGEST_TEXT) {
        if (made.size >= MOST_ENTRIES) {
          before = made;
          made = new Map();
        }
        made.set(text, result);
      }
    }
    return result;
  };
};
