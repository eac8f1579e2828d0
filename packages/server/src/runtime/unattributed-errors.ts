import type { UnattributedError } from '@watchword/protocol';

const maxOfRoute = 100;

/** The last errors of requests that name no registered client: a hundred of each address of the server. */
export class UnattributedErrors {
  readonly #byRoute = new Map<string, UnattributedError[]>();

  add(error: UnattributedError): void {
    const ofRoute = this.#byRoute.get(error.route) ?? [];
    this.#byRoute.set(error.route, ofRoute);
    if (ofRoute.push(error) > maxOfRoute) ofRoute.shift();
  }

  find(wanted: string): UnattributedError | undefined {
    for (const ofRoute of this.#byRoute.values()) {
      const found = ofRoute.find(({ requestId }) => requestId === wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
