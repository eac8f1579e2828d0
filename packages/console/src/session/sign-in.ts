import { type AuthorizationError, authorizationUrl, type Grant, newState } from './authorization.ts';
import { newProof, type Proof } from './codes.ts';
import type { PendingRequest, PendingRequests } from './pending.ts';

/** The two ways in which this window gets a token. */
export interface SignIn {
  /** Leaves the page, and returns to `route`. */
  inThisWindow(route: string, options?: SignInOptions): void;
  /**
   * Opens a window, so that this page and its input stay. Must be called while a click is handled, because otherwise browsers
   * block the window. `undefined` if the browser blocked it.
   */
  inPopup(options?: SignInOptions): PopupSignIn | undefined;
}

export interface SignInOptions {
  readonly askAgain?: boolean;
  /** Seconds since the login, at most. */
  readonly maxAge?: number | undefined;
}

export interface PopupSignIn {
  readonly answer: Promise<Grant | AuthorizationError>;
  /** Stops waiting; the answer is rejected. */
  abandon(): void;
}

const popupFeatures = 'popup,width=520,height=720';

/** @param usesCodes whether the server gives codes alone, and no token at the authorization endpoint */
export function signIn(baseUrl: string, pending: PendingRequests, usesCodes: boolean): SignIn {
  let proof: Proof | undefined;
  // Made before it is needed: a browser blocks a window that opens later than the click.
  const prepared = async () => {
    if (usesCodes) proof ??= await newProof();
  };
  void prepared();
  /** The address of a new request. */
  const asked = (request: Omit<PendingRequest, 'since' | 'verifier'>, options?: SignInOptions) => {
    const state = newState();
    pending.add(state, { ...request, verifier: proof?.verifier });
    const url = authorizationUrl({ baseUrl, state, challenge: proof?.challenge, ...options });
    proof = undefined;
    void prepared();
    return { state, url };
  };
  return {
    async inThisWindow(route, options) {
      if (usesCodes) await prepared();
      location.replace(asked({ mode: 'page', route }, options).url);
    },
    inPopup(options) {
      // The other window gets a copy of the storage of this one, and finds its purpose there.
      const { state, url } = asked({ mode: 'popup', route: '/' }, options);
      const answers = answerChannel(state);
      const opened = window.open(url, '_blank', popupFeatures);
      pending.take(state);
      if (opened === null) {
        answers.close();
        return undefined;
      }
      // A page of another origin in the other window must not navigate this window.
      opened.opener = null;
      const { promise: answer, resolve, reject } = Promise.withResolvers<Grant | AuthorizationError>();
      answers.onmessage = ({ data }: MessageEvent<Grant | AuthorizationError>) => {
        answers.close();
        resolve(data);
      };
      return {
        answer,
        abandon() {
          answers.close();
          opened.close();
          reject(new Error('another window was opened for it'));
        },
      };
    },
  };
}

/** Hands the answer to the window that asked for it: it alone knows the name of the channel. */
export function deliver(state: string, answer: Grant | AuthorizationError): void {
  const channel = answerChannel(state);
  channel.postMessage(answer);
  channel.close();
}

function answerChannel(state: string): BroadcastChannel {
  return new BroadcastChannel(`watchword.sign-in.${state}`);
}
