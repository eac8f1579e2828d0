/**
 * The namespaces in scope in the output, by prefix. Each element records its own changes, and its end reverts them. So the
 * cost of an element depends on its own declarations, not on those of its ancestors.
 */
export class RenderedNamespaces {
  readonly #current = new Map<string, string>();
  /** For each open element, the innermost last: the values before its changes. */
  readonly #before: (readonly [prefix: string, uri: string])[][] = [];

  /** `''` for a prefix without a namespace: none was written, or the default namespace was undeclared. */
  get(prefix: string): string {
    return this.#current.get(prefix) ?? '';
  }

  /** An element begins. */
  enter(): void {
    this.#before.push([]);
  }

  /** Declares a prefix until the element ends; call it at most once for each prefix. */
  set(prefix: string, uri: string): void {
    this.#before.at(-1)?.push([prefix, this.get(prefix)]);
    this.#current.set(prefix, uri);
  }

  /** The element ends. */
  leave(): void {
    for (const [prefix, uri] of this.#before.pop() ?? []) this.#current.set(prefix, uri);
  }
}
