import type { Message, Submission } from './module-step.ts';

/**
 * An address that an authentication module answers, below the base URL: where an identity provider sends browsers back, a
 * page on which users choose an identity provider, a document that describes this server to others.
 */
export interface ModuleEndpoint {
  /** Lower-case segments, such as `/saml/acs`; not an address of the server. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** The most bytes that a body can have: default 64 KiB, at most 512 KiB. */
  readonly bodyLimit?: number;
  /** @throws OAuthError for an error page */
  answer(request: ModuleRequest): Promise<ModuleAnswer>;
}

/** A request for an address of a module. It has no cookies of the server. */
export interface ModuleRequest {
  /** From the form of a POST, else from the query. */
  readonly parameters: Submission;
  /** The query as it was sent, without `?`, for signatures over it. */
  readonly query: string;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** The network address of the caller. */
  readonly source: string;
  /** The language of a page for this request (BCP 47). */
  readonly language: string;
  /** `remember` of an earlier answer in this browser. It comes from the browser, and anyone can write it. */
  readonly remembered: string | undefined;
}

export type ModuleAnswer = DocumentAnswer | ModuleRedirect | ResumeAnswer | ChoiceAnswer | LogoutAnswer;

/** A document for people or for programs. It has the headers of the server's pages. */
export interface DocumentAnswer {
  readonly type: 'document';
  readonly contentType: string;
  readonly content: string;
  /** HTTP status, default 200. */
  readonly status?: number;
  /** The login that goes on with a form of the document: then the answer to the form can lead to the client. */
  readonly authState?: string;
  /** The sources that the document needs beside this server. */
  readonly allow?: ContentSources;
}

/**
 * Sources for the content security policy (CSP Level 3 §2.3.1): an origin such as `https://cdn.example.com`; for scripts
 * and styles the digest of an inline one, `'sha256-…'`; for pictures and fonts `data:`. This server is always a source,
 * but fonts, connections and frames are permitted only where they are named.
 */
export interface ContentSources {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly pictures?: readonly string[];
  readonly fonts?: readonly string[];
  /** Where scripts can send requests. */
  readonly connections?: readonly string[];
  /** What the document can frame. Nothing can frame the document. */
  readonly frames?: readonly string[];
  /** Where forms can lead. */
  readonly forms?: readonly string[];
}

/** 303. A POST from another site has no cookies; it continues by a redirect to an address of this server, which gets them. */
export interface ModuleRedirect {
  readonly type: 'redirect';
  readonly location: string;
}

/** Goes on with the login of this module whose `auth_state` or handle the browser brought: `resume` gets the submission. */
export interface ResumeAnswer {
  readonly type: 'resume';
  readonly authState: string;
  readonly submission: Submission;
  /** `ModuleRequest.remembered` of later requests, for a year, when the login goes on; at most 1,000 characters, no secret. */
  readonly remember?: string;
}

/**
 * The page on which a user chooses an identity provider. It has a search field and a link for each choice. Both lead back
 * to this address by GET, with `auth_state` and `q` or `choice`.
 */
export interface ChoiceAnswer {
  readonly type: 'choice';
  readonly authState: string;
  /** The text of the search. */
  readonly query: string;
  /** The best matches, at most some dozens. */
  readonly choices: readonly Choice[];
  /** How many match the search, or how many there are without one. */
  readonly matches: number;
  /** The choice of the last login. */
  readonly last?: Choice;
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Shown above the choices; an error when the status is 400 or more. */
  readonly message?: Message;
}

export interface Choice {
  /** The value of `choice` in the request that follows. */
  readonly value: string;
  readonly name: string;
  /** URL of a picture, or `''`. Pictures are shown from hosts that the operator trusts. */
  readonly picture: string;
}

/** Ends login sessions, because the person logged out at the identity provider. Then the browser goes on, or a page confirms it. */
export interface LogoutAnswer {
  readonly type: 'logout';
  /** Ends the sessions whose link has this key; absent: none. */
  readonly key?: string;
  /** Selects sessions by the data of their link; default: all. */
  readonly isMeant?: (data: string) => boolean;
  readonly location?: string;
}
