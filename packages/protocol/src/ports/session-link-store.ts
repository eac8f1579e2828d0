/**
 * Ties a login session to the session of the same user at an identity provider, so that the end of either session can end the
 * other.
 */
export interface SessionLink {
  /** Of the login session. */
  readonly sessionId: string;
  /** The authentication module finds the link by it; several sessions can have the same key. */
  readonly key: string;
  /** Text that the module gets back when the session ends. */
  readonly data: string;
  /** Epoch milliseconds: the end of the login session. */
  readonly expires: number;
}

export interface SessionLinkStore {
  insert(link: SessionLink): Promise<void>;
  find(sessionId: string): Promise<SessionLink | undefined>;
  findByKey(key: string): Promise<readonly SessionLink[]>;
  /** Nothing happens when there is none. */
  delete(sessionId: string): Promise<void>;
}
