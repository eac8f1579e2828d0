import type { LoginLevel } from '../../model/login-level.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import type { LoginField } from '../../ports/modules/authentication-module.ts';
import type { FormStep, Message, PasskeyRequest, Submission } from '../../ports/modules/module-step.ts';
import type { Interaction } from '../interaction.ts';
import type { Factor } from '../sessions/factor.ts';

/**
 * A step of a login after its first factor: another factor, or something that the person must do. Until it is passed, nobody is logged
 * in. It is asked in the order of the list, after every authenticator, and also of a person with a valid session.
 */
export interface LoginStep {
  /** Its records have it (`StepRecordStore`), so it never changes. */
  readonly name: string;
  isNeeded(login: LoginSession, interaction: Interaction): boolean | Promise<boolean>;
  /**
   * How strong this person can make the login by the step. Where that is enough, a client that requires more than the session has leads to
   * the step, and not to the first factor. Default: the step proves nothing.
   */
  reach?(login: LoginSession, interaction: Interaction): Promise<LoginLevel>;
  begin(login: LoginSession, interaction: Interaction): Promise<LoginStepAnswer>;
  /** The form returns. @param state of the form */
  resume(login: LoginSession, interaction: Interaction, returned: Answered): Promise<LoginStepAnswer>;
}

interface Answered {
  readonly state: unknown;
  readonly submission: Submission;
}

export type LoginStepAnswer =
  /**
   * @param device what `LoginAttempts.remember` returned, which the browser keeps
   * @param trusted by which the browser is known from now on to people who trust it
   */
  | { readonly type: 'passed'; readonly factor?: Factor; readonly device?: string; readonly trusted?: string }
  /** What the step has begun with is not so any more: the login begins again. */
  | { readonly type: 'again' }
  /** The login ends, and the client receives `access_denied`. @param reason for the developer of the client, ASCII */
  | { readonly type: 'refused'; readonly reason: string }
  | LoginStepForm;

/** A page with a form. It posts the fields, and `choice`, the value of the button. */
export interface LoginStepForm extends FormStep {
  readonly title: Message;
  readonly text?: Message;
  /** Something to read before the answer, at another address. */
  readonly link?: { readonly url: string; readonly text: Message };
  readonly fields?: readonly LoginField[];
  /** Asked by the button whose value is `passkey`. */
  readonly passkey?: PasskeyRequest;
  /** An app for one-time codes to be set up: for the same device, for another one, and to be typed. */
  readonly totp?: {
    readonly uri: string;
    readonly secret: string;
    /** The path of squares of an SVG picture, and the number of squares at each side. */
    readonly picture: { readonly size: number; readonly path: string };
  };
  /** Recovery codes, which are shown once. */
  readonly codes?: readonly string[];
  /** A box that is not ticked; ticked, its value is `yes`. */
  readonly box?: { readonly name: string; readonly text: Message };
  /** The first one is the main one. */
  readonly choices: readonly { readonly value: string; readonly text: Message }[];
}
