import { demoResourceServer } from '@watchword/server-testkit/servers/server';

/** What ends tokens: the revocation of a token, the end of a grant, a change of a client. */
export class Ending {
  /** Milliseconds after the answer in which a node can still accept a token. */
  readonly #allowance: () => number;
  #isAsked = false;
  #answeredAt = Number.POSITIVE_INFINITY;

  constructor(allowance: number | (() => number) = 0) {
    this.#allowance = typeof allowance === 'number' ? () => allowance : allowance;
  }

  /** The request is about to be sent: from now on the tokens can end. */
  ask(): void {
    this.#isAsked = true;
  }

  /** A later answer says that nothing has ended. */
  withdraw(): void {
    this.#isAsked = false;
  }

  /** The request has succeeded: the tokens have ended for every request that is sent later. */
  answer(): void {
    this.#isAsked = true;
    this.#answeredAt = Math.min(this.#answeredAt, performance.now());
  }

  /** Whether nothing could end the tokens so far. */
  get isImpossible(): boolean {
    return !this.#isAsked;
  }

  /** @param at when the request about a token was sent, by `performance.now()` */
  isCertain(at: number): boolean {
    return at > this.#answeredAt + this.#allowance();
  }
}

/** Milliseconds in which every node knows a change of signing keys. */
export const keyChangeLimit = 1000;

/** Of a JWT. */
export interface SignedBy {
  /** The compromise of the key that signed it. */
  readonly key: Ending;
  /** The credentials of its resource server. */
  readonly resourceServer: string;
}

/** A node that knows that the key is compromised has nothing to revoke, and another node may not know it yet. */
function endingOfSigned(key: Ending): Ending {
  return new Ending(() => (key.isImpossible ? 0 : keyChangeLimit));
}

/** An access token that a client was answered. */
export class AnsweredToken {
  readonly text: string;
  /** The credentials of its resource server. */
  readonly resourceServer: string;
  /** Its revocation. */
  readonly ending: Ending;
  /** Also of its grant and of its client. */
  readonly #endings: readonly Ending[];

  constructor(text: string, endings: readonly Ending[], signed?: SignedBy) {
    this.text = text;
    this.ending = signed === undefined ? new Ending() : endingOfSigned(signed.key);
    this.resourceServer = signed?.resourceServer ?? demoResourceServer;
    this.#endings = [this.ending, ...endings, ...(signed === undefined ? [] : [signed.key])];
  }

  /** The database has no row of it. */
  get isJwt(): boolean {
    return this.text.startsWith('eyJ');
  }

  /** For reports. */
  get kind(): string {
    return this.isJwt ? 'a JWT' : 'an opaque token';
  }

  /**
   * What token info must answer to a request that is sent at this time. Either is right for a token that was to end, when no answer said that it has.
   */
  state(at = performance.now()): 'valid' | 'ended' | 'either' {
    if (this.#endings.some((ending) => ending.isCertain(at))) return 'ended';
    return this.#endings.every((ending) => ending.isImpossible) ? 'valid' : 'either';
  }
}
