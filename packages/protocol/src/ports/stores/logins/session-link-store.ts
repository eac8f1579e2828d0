/**
 * Ties a login session to the session of the same user at an identity provider, so that the end of either session can end the
 * other.
 */
export interface SessionLink {
  /** Id of the login session. */
  readonly sessionId: string;
  /** The key by which the authentication module finds the link. Several sessions can have the same key. */
  readonly key: string;
  /** Text that the module gets back when the session ends. */
  readonly data: string;
  /** Epoch milliseconds: the end of the login session. */
  readonly expires: number;
}

export interface SessionLinkStore {
  /** In place of another link of the session. */
  insert(link: SessionLink): Promise<void>;
  find(sessionId: string): Promise<SessionLink | undefined>;
  findByKey(key: string): Promise<readonly SessionLink[]>;
  /** Does nothing if there is no such link. */
  delete(sessionId: string): Promise<void>;
}
