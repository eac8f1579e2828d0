/** What authentication and consent modules have in common: they answer with steps and never see HTTP. */

/** What a browser sent back to a module: every value of every parameter, in order. */
export type Submission = ReadonlyMap<string, readonly string[]>;

/** The first value of a parameter, `''` when there is none. */
export function submitted(submission: Submission, name: string): string {
  return submission.get(name)?.[0] ?? '';
}

/** A text of the locale files by its key, or a text as it stands. */
export type Message = { readonly key: string; readonly values?: Readonly<Record<string, string>> } | string;

/** Show a form; what the browser posts comes back to `resume`. */
export interface FormStep {
  readonly type: 'form';
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Seconds after which another attempt makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** What to say above the form; when the status is 400 or more, what went wrong and what to do. */
  readonly message?: Message;
  /** Kept for `resume`, sealed: at most some kilobytes that `JSON.stringify` can write. */
  readonly state?: unknown;
}

/** Send the browser elsewhere; when it comes back, `resume` gets what it brings. */
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
   * Whoever it leads to keeps only short texts: `authState` is a handle of 36 characters, and what it stands for waits
   * in a cookie of this browser.
   */
  readonly brief?: boolean;
  readonly state?: unknown;
}
