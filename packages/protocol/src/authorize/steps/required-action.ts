import { identityOf } from '../../model/resource-owner.ts';
import { submitted } from '../../ports/modules/module-step.ts';
import type { StepRecord, StepRecordStore } from '../../ports/stores/logins/step-record-store.ts';
import type { Clock } from '../../ports/system/clock.ts';
import type { LoginStep, LoginStepForm } from './login-step.ts';

/** What people must agree to before they are logged in, such as terms of use. */
export interface RequiredAction {
  readonly name: string;
  /** Whoever agreed to another version is asked again. */
  readonly version: string;
  /** Only people who have one of these groups. Default: everybody. */
  readonly groups?: readonly string[] | undefined;
  /** The document. */
  readonly url?: string | undefined;
  /** Days after which the same version is asked again. Default: never. */
  readonly repeatAfter?: number | undefined;
}

export interface RequiredActionDependencies {
  readonly stepRecords: StepRecordStore;
  readonly clock: Clock;
}

const day = 86_400_000;

/** The key of a text of the action: `title` or `text`. */
export function actionKey(name: string, text: 'title' | 'text'): string {
  return `action.${name}.${text}`;
}

export function requiredAction(
  action: RequiredAction,
  { stepRecords, clock }: RequiredActionDependencies,
): LoginStep {
  const { version, groups, url, repeatAfter } = action;
  const name = `action ${action.name}`;
  const isEnough = (record: StepRecord | undefined) =>
    record?.version === version && (record.expires === 0 || record.expires > clock.now());
  const form: LoginStepForm = {
    type: 'form',
    title: { key: actionKey(action.name, 'title') },
    text: { key: actionKey(action.name, 'text') },
    ...(url !== undefined && { link: { url, text: { key: 'action.read' } } }),
    choices: [
      { value: 'agree', text: { key: 'action.agree' } },
      { value: 'decline', text: { key: 'action.decline' } },
    ],
    // A page of an older version is no answer to this one.
    state: version,
  };
  return {
    name,

    async isNeeded({ owner }) {
      const isMeant = groups === undefined || owner.principal.groups.some((group) => groups.includes(group));
      return isMeant && !isEnough(await stepRecords.find(owner.subject, name));
    },

    begin: async () => form,

    async resume({ owner }, _, { state, submission }) {
      const choice = submitted(submission, 'choice');
      if (choice === 'decline')
        return { type: 'refused', reason: `The user did not agree to "${action.name}".` };
      if (choice !== 'agree' || state !== version) return form;
      const doneAt = clock.now();
      const expires = repeatAfter === undefined ? 0 : doneAt + repeatAfter * day;
      const { subject } = owner;
      const before = await stepRecords.find(subject, name);
      const record = { subject, step: name, version, doneAt, expires, owner: identityOf(owner) };
      if (await stepRecords.save(record, before?.version)) return { type: 'passed' };
      // The same page was sent twice, or two pages at the same moment.
      return isEnough(await stepRecords.find(subject, name)) ? { type: 'passed' } : form;
    },
  };
}
