import type { Message, Submission } from './module-step.ts';

/**
 * An address of an authentication module's own, below the base URL: where an identity provider sends browsers back to,
 * a page to choose one, a document that describes this server to others.
 */
export interface ModuleEndpoint {
  /** Lower-case segments, e.g. `/saml/acs`; not an address of the server's. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Bytes that a body may have: default 64 KiB, at most 512 KiB. */
  readonly bodyLimit?: number;
  /** @throws OAuthError for what a person is told on the error page */
  answer(request: ModuleRequest): Promise<ModuleAnswer>;
}

/** What a browser or anybody else brings to a module's address. Cookies of the server are none of it. */
export interface ModuleRequest {
  /** Of the form of a POST, else of the query. */
  readonly parameters: Submission;
  /** The query as it was sent, without `?`: what a signature over it is about. */
  readonly query: string;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** The network address of who asks. */
  readonly source: string;
  /** The language in which a page would be (BCP 47). */
  readonly language: string;
  /** What an answer of the module's had this browser remember, as the browser says; anybody can write it. */
  readonly remembered: string | undefined;
}

export type ModuleAnswer = DocumentAnswer | ModuleRedirect | ResumeAnswer | ChoiceAnswer | LogoutAnswer;

/** A document of the module's own, for people or for programs. It has the headers of the server's own pages. */
export interface DocumentAnswer {
  readonly type: 'document';
  readonly contentType: string;
  readonly content: string;
  /** HTTP status, default 200. */
  readonly status?: number;
  /** The login that a form of the document goes on with: then the answer to the form may lead to the client. */
  readonly authState?: string;
  /** What the document needs beside this server. */
  readonly allow?: ContentSources;
}

/**
 * Sources for the content security policy (CSP Level 3 §2.3.1): an origin such as `https://cdn.example.com`; for scripts
 * and styles the digest of an inline one, `'sha256-…'`; for pictures and fonts `data:`. This server is always one of
 * them, but fonts, connections and frames there are only where they are named.
 */
export interface ContentSources {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly pictures?: readonly string[];
  readonly fonts?: readonly string[];
  /** Where scripts may ask for something. */
  readonly connections?: readonly string[];
  /** What the document may frame; nothing may frame the document. */
  readonly frames?: readonly string[];
  /** Where forms may lead. */
  readonly forms?: readonly string[];
}

/** 303: a POST from another site has no cookies, and continues at an address of ours that gets them. */
export interface ModuleRedirect {
  readonly type: 'redirect';
  readonly location: string;
}

/** Goes on with the login whose `auth_state` or handle the browser brought: `resume` gets the submission. */
export interface ResumeAnswer {
  readonly type: 'resume';
  readonly authState: string;
  readonly submission: Submission;
  /** For `ModuleRequest.remembered` of later requests, for a year, once the login went on; at most 1,000 characters, nothing secret. */
  readonly remember?: string;
}

/**
 * The page on which a person chooses where to log in. It has a field to search and a link for each choice; both lead
 * back to this address by GET, with `auth_state` and `q` or `choice`.
 */
export interface ChoiceAnswer {
  readonly type: 'choice';
  readonly authState: string;
  /** What was searched for. */
  readonly query: string;
  /** The best matches, at most some dozens. */
  readonly choices: readonly Choice[];
  /** How many match, or how many there are when nothing was searched for. */
  readonly matches: number;
  /** What was chosen the last time. */
  readonly last?: Choice;
  /** HTTP status, default 200. */
  readonly status?: number;
  /** What to say above the choices; a problem when the status is 400 or more. */
  readonly message?: Message;
}

export interface Choice {
  /** Comes back as `choice`. */
  readonly value: string;
  readonly name: string;
  /** URL of a picture, shown only from hosts that the operator trusts; `''` for none. */
  readonly picture: string;
}

/** Ends login sessions because the person logged out elsewhere, then sends the browser on or says that it is done. */
export interface LogoutAnswer {
  readonly type: 'logout';
  /** Those whose link has this key; absent: none. */
  readonly key?: string;
  /** Which of them, by the data of the link; default: all. */
  readonly isMeant?: (data: string) => boolean;
  readonly location?: string;
}
