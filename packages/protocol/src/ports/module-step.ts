/** Authentication and consent modules answer with steps, and do not see HTTP. These are the parts that both have. */

/** The parameters that a browser sent to a module: all values of each, in order. */
export type Submission = ReadonlyMap<string, readonly string[]>;

/** The first value of a parameter, `''` when there is none. */
export function submitted(submission: Submission, name: string): string {
  return submission.get(name)?.[0] ?? '';
}

/** A text of the locale files by its key, or the text itself. */
export type Message = { readonly key: string; readonly values?: Readonly<Record<string, string>> } | string;

/** Shows a form. `resume` gets what the browser posts. */
export interface FormStep {
  readonly type: 'form';
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Seconds after which another attempt can succeed; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** Shown above the form; with a status of 400 or more it is an error, and says what to do. */
  readonly message?: Message;
  /** Sealed into the page, and given to `resume`: a few kilobytes at most that `JSON.stringify` can write. */
  readonly state?: unknown;
}

/** Sends the browser to another server. `resume` gets the parameters with which it comes back. */
export interface RedirectStep extends LeadingElsewhere {
  readonly type: 'redirect';
  /** @param authState opaque text that has to come back, unchanged, with the browser */
  location(authState: string): string | Promise<string>;
}

/** The same by a form that the browser posts there. */
export interface PostStep extends LeadingElsewhere {
  readonly type: 'post';
  /** Absolute URL that the form posts to. */
  readonly location: string;
  /** @param authState opaque text that has to come back, unchanged, with the browser */
  fields(authState: string): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

interface LeadingElsewhere {
  /**
   * The other server keeps short texts only: `authState` is a handle of 36 characters, and the state itself waits in a
   * cookie of this browser.
   */
  readonly brief?: boolean;
  readonly state?: unknown;
}
