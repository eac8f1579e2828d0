/**
 * Ties a login session to the one that the person has elsewhere, at an identity provider, so that the end of
 * either can end the other.
 */
export interface SessionLink {
  /** Of the login session. */
  readonly sessionId: string;
  /** By which the authentication module finds it again; several sessions may have the same. */
  readonly key: string;
  /** What the module wants to know when the session ends: text of its own. */
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
