import type { Message, Submission } from './module-step.ts';

/**
 * An address below the base URL that an authentication module answers: the address to which an identity provider redirects
 * browsers, a page on which users choose an identity provider, or a document that describes this server.
 */
export interface ModuleEndpoint {
  /** Lower-case segments, such as `/saml/acs`; not an address of the server. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Maximum size of a body in bytes. Default: 64 KiB; at most 512 KiB. */
  readonly bodyLimit?: number;
  /**
   * A POST from another site comes without cookies, and `resume` needs them: a page of this server lets the browser post the same fields
   * again. Default: the module answers the POST as it is.
   */
  readonly repeatsPosts?: boolean;
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
  /** `remember` of an earlier answer in this browser. It comes from the browser, so it cannot be trusted. */
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
  /** The login that continues with a form of the document. The answer to the form can then redirect to the client. */
  readonly authState?: string;
  /** The sources that the document needs in addition to this server. */
  readonly allow?: ContentSources;
}

/**
 * Sources for the content security policy (CSP Level 3 §2.3.1): an origin such as `https://cdn.example.com`; for scripts
 * and styles the digest of an inline one, `'sha256-…'`; for pictures and fonts `data:`. This server is always a source,
 * but fonts, connections and frames are permitted only if they are named.
 */
export interface ContentSources {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly pictures?: readonly string[];
  readonly fonts?: readonly string[];
  /** Targets of requests of scripts. */
  readonly connections?: readonly string[];
  /** Sources of frames in the document. No site can show the document in a frame. */
  readonly frames?: readonly string[];
  /** Targets of forms, and of the redirects after them. */
  readonly forms?: readonly string[];
}

/** 303. A POST from another site has no cookies. A redirect to an address of this server continues with cookies. */
export interface ModuleRedirect {
  readonly type: 'redirect';
  readonly location: string;
}

/** Continues the login of this module whose `auth_state` or handle the browser sent. `resume` gets the submission. */
export interface ResumeAnswer {
  readonly type: 'resume';
  readonly authState: string;
  readonly submission: Submission;
  /** `ModuleRequest.remembered` of later requests, for a year, if the login continues. At most 1,000 characters, no secret. */
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
  /** The best matches: some dozens at most. */
  readonly choices: readonly Choice[];
  /** Number of matches of the search, or of all choices without a search. */
  readonly matches: number;
  /** The choice of the last login. */
  readonly last?: Choice;
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Shown above the choices. With a status of 400 or more it is an error. */
  readonly message?: Message;
}

export interface Choice {
  /** The value of `choice` in the next request. */
  readonly value: string;
  readonly name: string;
  /** URL of a picture, or `''`. Pictures are shown from hosts that the operator trusts. */
  readonly picture: string;
}

/**
 * Ends login sessions, because the user logged out at the identity provider. Then the browser is redirected, or a page
 * confirms the logout.
 */
export interface LogoutAnswer {
  readonly type: 'logout';
  /** Ends the sessions whose link has this key; absent: none. */
  readonly key?: string;
  /** Selects sessions by the data of their link; default: all. */
  readonly isMeant?: (data: string) => boolean;
  /** Called once they have ended: a process can die before, and the same request then has to end them. */
  readonly onEnded?: () => Promise<unknown>;
  readonly location?: string;
  /** The answer to a request that the identity provider sent itself, without a browser. */
  readonly document?: DocumentAnswer;
}
