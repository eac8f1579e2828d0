import type {
  Credential,
  CredentialKind,
  Factor,
  Interaction,
  LoginAttempts,
  LoginLevel,
  LoginSession,
  LoginStepForm,
  Message,
  Submission,
} from '@watchword/protocol';

/** Whose factor is asked, and where. */
export interface AskedFactor {
  readonly login: LoginSession;
  readonly interaction: Interaction;
  /** The credentials of the person that this way takes: at least one. */
  readonly own: readonly Credential[];
}

/** The page of a way. Its button, and those that lead to other ways, are added. */
export interface WayForm extends Omit<LoginStepForm, 'type' | 'title' | 'choices'> {
  readonly submit: Message;
}

/** One kind of factor, which has a page. */
export interface FactorWay {
  readonly kind: CredentialKind;
  /** How strong a login is with it. */
  readonly level: LoginLevel;
  /** The text of the button that leads to it. */
  readonly label: Message;
}

/** The fields of the page of a way, and the `state` of its form. */
export interface ReturnedForm {
  readonly submission: Submission;
  readonly state: unknown;
}

/** One kind of second factor, as it is proved. */
export interface SecondFactorWay extends FactorWay {
  /** What limits guesses; absent where nothing can be guessed. */
  readonly attempts?: LoginAttempts;
  ask(asked: AskedFactor): Promise<WayForm>;
  prove(asked: AskedFactor, returned: ReturnedForm): Promise<ProvedFactor | UnprovedFactor>;
}

export interface ProvedFactor {
  readonly factor: Factor;
}

/** The page is shown again. */
export interface UnprovedFactor {
  readonly message: Message;
}
