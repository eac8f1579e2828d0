/**
 * The namespaces that were written and hold at a place of a document, by prefix. What an element changes is noted, and
 * taken back at its end: an element costs what it declares itself, however much the elements around it declare.
 */
export class RenderedNamespaces {
  readonly #current = new Map<string, string>();
  /** For each open element, innermost last: what held before. */
  readonly #before: (readonly [prefix: string, uri: string])[][] = [];

  /** `''` for a prefix that has none: nothing was written for it, or the default namespace was taken back. */
  get(prefix: string): string {
    return this.#current.get(prefix) ?? '';
  }

  /** An element begins. */
  enter(): void {
    this.#before.push([]);
  }

  /** Until the element ends, at most once for each prefix. */
  set(prefix: string, uri: string): void {
    this.#before.at(-1)?.push([prefix, this.get(prefix)]);
    this.#current.set(prefix, uri);
  }

  /** The element ends. */
  leave(): void {
    for (const [prefix, uri] of this.#before.pop() ?? []) this.#current.set(prefix, uri);
  }
}
